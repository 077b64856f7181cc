#!/usr/bin/env bash
# Models that once made the tool fail. For each, `check`, `run` and `generate` end in an orderly way; NAME.expected, where
# there is one, is the standard error of `check` to the letter, and the suite is valid where there is an xmllint.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
bugs=$SOURCE_DIR/tests/bugs
cd -- "$bugs" || exit 1
out=$work/out err=$work/err suite=$work/suite.xml

# in_order COMMAND MODEL: what the last run said and left is as it should be.
in_order() {
    if [[ $1 == check && -e ${2%.scm}.expected ]]; then
        diff -u "${2%.scm}.expected" "$err" || return
    fi
    [[ -e $suite ]] && command -v xmllint >/dev/null || return 0
    xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" "$suite" >"$err" 2>&1
}
for model in *.scm; do
    for command in check run "generate --depth 2 --step-limit 100000 -o $suite"; do
        rm -f "$suite"
        # shellcheck disable=SC2086 # words on purpose
        timeout 120 "$ESPALIER" $command "$model" >"$out" 2>"$err" </dev/null
        status=$?
        ((status <= 2)) && in_order "$command" "$model"
        judge "${command%% *} $model: exit status $status" $? "$err"
    done
done
conclude 50
