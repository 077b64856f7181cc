#!/usr/bin/env bash
# Every C++ file is as clang-format would write it. To mend: clang-format -i FILE
set -euo pipefail
command -v clang-format >/dev/null || exit 77
cd -- "${SOURCE_DIR:?}"
mapfile -d '' files < <(find . -path './build*' -prune -o -name '*.[ch]pp' -print0)
((${#files[@]} > 100)) || { echo "only ${#files[@]} files found" && exit 1; }
clang-format --dry-run --Werror "${files[@]}"
