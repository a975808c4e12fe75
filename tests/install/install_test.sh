#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build into a temporary prefix, then configures, builds and runs the consumer against it.
#   install_test.sh BUILD CONSUMER [options of cmake]
set -euo pipefail

build="$1"
consumer="$2"
shift 2
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
# Copied, so that nothing of this checkout is found by a relative path.
cp -r "$consumer" "$work/consumer"
cmake -S "$work/consumer" -B "$work/build" "$@" -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/build"
"$work/build/consumer"
echo "The installed package works."
