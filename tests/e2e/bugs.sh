#!/usr/bin/env bash
# Models that once made the tool fail. For each, `check`, `run` and `generate` end in an orderly way; NAME.expected, where
# there is one, is the standard error of `check` to the letter, and the suite is valid where there is an xmllint.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$SOURCE_DIR/tests/bugs" || exit 1

fail() {
    echo "FAILED $1"
    cat "$work/err"
    failed=$((failed + 1))
}

for model in *.scm; do
    for command in "check $model" "run $model" "generate $model --depth 2 --step-limit 100000 -o $work/suite.xml"; do
        rm -f "$work/suite.xml"
        # shellcheck disable=SC2086 # words on purpose
        timeout 120 "$ESPALIER" $command >"$work/out" 2>"$work/err" </dev/null
        status=$?
        if ((status > 2)); then
            fail "$command: exit status $status"
        elif [[ $command == check* && -e ${model%.scm}.expected ]] && ! diff -u "${model%.scm}.expected" "$work/err"; then
            fail "$command"
        elif [[ -e $work/suite.xml ]] && command -v xmllint >/dev/null &&
            ! xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" "$work/suite.xml" >"$work/err" 2>&1; then
            fail "$command: not valid"
        else
            passed=$((passed + 1))
        fi
    done
done

echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
