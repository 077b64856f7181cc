#!/usr/bin/env bash
# Every model in models/ passes `check`, and behaves as its specification says in the scenarios of tests/models/.
#
# tests/models/DIRECTORY/SCENARIO.in are the inputs of a run, SCENARIO.out what it must write; the directory's name is the
# model's path below models/ without .scm, with __ for /.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
passed=0
failed=0
output=$(mktemp)
errors=$(mktemp)
trap 'rm -f "$output" "$errors"' EXIT

fail() {
    echo "FAILED $1"
    failed=$((failed + 1))
}

while IFS= read -r model; do
    name=check:${model#"$SOURCE_DIR"/}
    if "$ESPALIER" check "$model" >"$output" 2>&1 && ! grep -q ': warning: ' "$output"; then
        passed=$((passed + 1))
    else
        fail "$name"
        cat "$output"
    fi
done < <(find "$SOURCE_DIR/models" -name '*.scm' | sort)

for scenario in "$SOURCE_DIR"/tests/models/*/*.in; do
    directory=$(basename "$(dirname "$scenario")")
    name=$directory/$(basename "$scenario" .in)
    model=$SOURCE_DIR/models/${directory//__//}.scm
    if ! timeout 60 "$ESPALIER" run "$model" --inputs "$scenario" >"$output" 2>"$errors"; then
        fail "$name"
        tail -n 20 "$errors"
    elif ! diff -u --label expected --label written "${scenario%.in}.out" "$output"; then
        fail "$name"
    else
        passed=$((passed + 1))
    fi
done

echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
