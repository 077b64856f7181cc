#!/usr/bin/env bash
set -euo pipefail
command -v shellcheck >/dev/null || exit 77
cd -- "${SOURCE_DIR:?}"
mapfile -d '' scripts < <(find . -path './build*' -prune -o -name '*.sh' ! -path ./cmake/setup.sh -print0)
shellcheck --external-sources --check-sourced espalier espalier-test .ci/run "${scripts[@]}"
