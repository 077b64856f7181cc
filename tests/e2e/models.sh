#!/usr/bin/env bash
# Every model in models/ passes `check`, and behaves as its specification says in the scenarios of tests/models/.
#
# tests/models/DIRECTORY/SCENARIO.in are the inputs of a run, SCENARIO.out what it must write; the directory's name is the
# model's path below models/ without .scm, with __ for /.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

while IFS= read -r model; do
    "$ESPALIER" check "$model" >out 2>&1 && ! grep -q ': warning: ' out
    judge "check:${model#"$SOURCE_DIR"/}" $? out
done < <(find "$SOURCE_DIR/models" -name '*.scm' | sort)

for scenario in "$SOURCE_DIR"/tests/models/*/*.in; do
    directory=$(basename "$(dirname "$scenario")")
    model=$SOURCE_DIR/models/${directory//__//}.scm
    name=$directory/$(basename "$scenario" .in) # not below, where it would have a status of its own
    timeout 60 "$ESPALIER" run "$model" --inputs "$scenario" >out 2>err &&
        diff -u --label expected --label written "${scenario%.in}.out" out >err
    judge "$name" $? err
done
conclude 50
