#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#   headers_test.sh CMAKE BUILD_FOLDER
set -euo pipefail

target=coppice_verify_interface_header_sets
[[ -z "${COPPICE_SLOW:-}" ]] || target=all_verify_interface_header_sets
"$1" --build "$2" --target "$target"
