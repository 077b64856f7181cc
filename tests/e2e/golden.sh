#!/usr/bin/env bash
# What `check` says about wrong models, to the letter: tests/golden/check/NAME.scm and NAME.expected, its standard error.
# `golden.sh --update` writes what the tool says now; read the difference before you commit it.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
passed=0
failed=0
found=$(mktemp)
trap 'rm -f "$found"' EXIT
cd -- "$SOURCE_DIR/tests/golden/check" || exit 1

for model in *.scm; do
    expected=${model%.scm}.expected
    timeout 60 "$ESPALIER" check "$model" 2>"$found" </dev/null
    status=$?
    if [[ ${1-} == --update ]]; then
        cp "$found" "$expected"
        continue
    fi
    wanted=0
    ! grep -q ': error: ' "$expected" || wanted=2
    if ! diff -u --label "$expected" --label found "$expected" "$found"; then
        echo "FAILED $model"
        failed=$((failed + 1))
    elif [[ $status -ne $wanted ]]; then
        echo "FAILED $model: exit status $status, expected $wanted"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done

echo "$passed passed, $failed failed"
[[ $failed -eq 0 && ($passed -gt 0 || ${1-} == --update) ]]
