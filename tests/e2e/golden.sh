#!/usr/bin/env bash
# What the tool says, to the letter:
#
#   tests/golden/check/NAME.scm, NAME.expected    what `check` says about wrong models on standard error
#                               NAME.json         what `check --json` prints of it, where there is such a file
#   tests/golden/replay/NAME.xml, NAME.expected   all that `replay` prints of a suite on door.scm, and its exit status
#   tests/golden/explain/NAME.scm, NAME.expected  all that `explain` says; the model's first line has its arguments
#
# `golden.sh --update` writes what the tool says now; read the difference before you commit it.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
update=${1-}
found=$work/found

# compare NAME EXPECTED STATUS WANTED: what was found is what is expected, and so is the exit status.
compare() {
    if [[ $update == --update ]]; then
        cp "$found" "$2"
        return
    fi
    diff -u --label "$2" --label found "$2" "$found" && [[ $3 -eq $4 ]]
    judge "$1: exit status $3, expected $4" $?
}

cd -- "$SOURCE_DIR/tests/golden/check" || exit 1
for model in *.scm; do
    expected=${model%.scm}.expected
    timeout 60 "$ESPALIER" check "$model" 2>"$found" </dev/null
    status=$?
    wanted=0
    [[ ! -e $expected ]] || ! grep -q ': error: ' "$expected" || wanted=2
    compare "$model" "$expected" $status $wanted
    json=${model%.scm}.json
    [[ -e $json ]] || continue
    timeout 60 "$ESPALIER" check --json "$model" >"$found" </dev/null
    compare "$json" "$json" $? $wanted
done

cd -- "$SOURCE_DIR/tests/golden/replay" || exit 1
for suite in *.xml; do
    timeout 60 "$ESPALIER" replay door.scm "$suite" >"$found" 2>&1 </dev/null
    status=$?
    echo "exit status $status" >>"$found"
    compare "$suite" "${suite%.xml}.expected" 0 0
done

cd -- "$SOURCE_DIR/tests/golden/explain" || exit 1
for model in *.scm; do
    read -ra arguments < <(sed -n '1s/^; explain //p' "$model")
    timeout 60 "$ESPALIER" explain "$model" "${arguments[@]}" >"$found" 2>&1 </dev/null
    compare "$model" "${model%.scm}.expected" $? 0
done

conclude $((${#update} == 0)) # an update judges nothing
