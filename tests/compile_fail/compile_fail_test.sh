#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#   compile_fail_test.sh FILE WORDS COMPILER [options]
set -euo pipefail

file="$1"
words="$2"
shift 2

"$@" -fsyntax-only "$file" || { echo "does not compile as it stands: $file"; exit 1; }
if complaint="$("$@" -fsyntax-only -DCOPPICE_MISUSE "$file" 2>&1)"; then
  echo "the misuse compiles: $file"
  exit 1
fi
if [[ "$complaint" != *"$words"* ]]; then
  echo "the compiler complains, but not about '$words':"
  echo "$complaint"
  exit 1
fi
