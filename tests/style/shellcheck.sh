#!/usr/bin/env bash
set -euo pipefail
command -v shellcheck >/dev/null || exit 77
cd -- "${SOURCE_DIR:?}"
# In `judge "$(command)" $?` the status is that of the command: such a check never fails.
if grep -nE '(judge|expect) .*\$\([^(].*\$\?' tests/e2e/*.sh tests/style/includes.sh tests/parts/*.sh; then
    echo "the status is lost in what the name is made of"
    exit 1
fi
mapfile -d '' scripts < <(find . -path './build*' -prune -o -name '*.sh' ! -path ./cmake/setup.sh -print0)
shellcheck --external-sources --check-sourced espalier espalier-test .ci/run "${scripts[@]}"
