#!/usr/bin/env bash
# clang-tidy on every source file, with the checks of .clang-tidy.
set -uo pipefail
command -v clang-tidy >/dev/null && command -v python3 >/dev/null || exit 77
exec python3 "${SOURCE_DIR:?}/tests/style/tidy.py" "$SOURCE_DIR" "${BUILD_DIR:?}"
