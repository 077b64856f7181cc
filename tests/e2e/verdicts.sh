#!/usr/bin/env bash
# What `generate` says of models of which it once said something wrong: a target that was covered and then called
# infeasible, one that was called unreached with an advice that could not help, an error that was passed over in silence.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
bugs=$SOURCE_DIR/tests/bugs

# verdict STATUS MODEL TARGET WORD…: the exit status, and what the statistics say of the target (one for each pair), with
# the criteria in $cover.
cover=checkpoints,requirements,procedures,branches,states,transitions
verdict() {
    local status=$1 model=$2
    shift 2
    for options in "" "--search bfs" "--cut off" "--cut v1" "--memo off"; do
        [[ $options != "--cut off" || $model != error_behind_a_cut ]] || continue # there it finds the error
        # shellcheck disable=SC2086 # words on purpose
        espalier "$status" generate "$bugs/$model.scm" --cover "$cover" $options -o suite.xml --stats stats.json
        python3 - "$@" <<'PYTHON' >said 2>&1
import json, sys
told = {t["id"]: t["status"] for t in json.load(open("stats.json"))["targets_detail"]}
wanted = dict(zip(sys.argv[1::2], sys.argv[2::2]))
wrong = {t: told.get(t) for t, status in wanted.items() if told.get(t) != status}
sys.exit(f"{wrong}, expected {wanted}" if wrong else 0)
PYTHON
        judge "$model $options: verdicts" $? said out
    done
}

verdict 0 assumption_after_targets cp:c1 covered cp:c2 covered branch:top#1:then covered
verdict 0 loop_after_targets cp:c1 covered cp:c2 covered branch:top#1:then covered
verdict 0 assumption_in_a_machine branch:alpha/second#2:then covered transition:alpha/second#1 infeasible
verdict 0 string_too_long cp:long unreached cp:short covered
shows "a string of more than 100000 characters"
verdict 0 delay_of_a_length cp:a covered cp:b covered
verdict 0 conditions_after_a_long_string cp:b covered cp:b2 covered
verdict 1 nested_delays state:a/inner-2 covered state:a/waiting covered
verdict 0 nothing_lies_behind_a_cut cp:never infeasible branch:top#1:then infeasible

verdict 0 moment_before_a_deadline cp:first unreached cp:second covered "cp:no A" covered
verdict 0 timers_due_while_nothing_waits cp:five unreached cp:three covered
verdict 0 timer_begins_alone cp:never infeasible cp:later infeasible cp:due covered
# The verdicts are right: at other moments both are reached.
# run MODEL INPUTS TARGET
run() {
    printf '%s\n' "$2" >inputs
    espalier 0 run "$bugs/$1.scm" --inputs inputs
    shows "checkpoint $3"
}
run moment_before_a_deadline "(wait 3) (p (A)) (wait)" first
run timers_due_while_nothing_waits "(wait 10) (p (A)) (wait)" five

verdict 0 error_behind_a_cut cp:never infeasible
shows "not looked for: model errors where no target lies ahead, at 1 place that may fail: \`(quotient 10 a)\`"
espalier 1 generate "$bugs/error_behind_a_cut.scm" --cut off -o suite.xml
shows "model error"

espalier 0 generate "$bugs/deadlock_behind_a_cut.scm" --cover checkpoints -o suite.xml
shows "not looked for: model errors where no target lies ahead, at 1 place that may fail: \`(select ((inner any)"
espalier 1 generate "$bugs/deadlock_behind_a_cut.scm" --cover checkpoints --cut off -o suite.xml
shows "deadlock: thread 1 waits for ever"
verdict 0 bits_of_two_fields cp:xor covered cp:and covered cp:more-than-it-was infeasible cp:not-undone infeasible \
    cp:another-sum infeasible cp:carries covered cp:mapped covered cp:negative covered cp:longer covered cp:between infeasible

verdict 1 where_that_fails state:m/first covered state:m/second infeasible
shows "is not a procedure, but it is called with 2 arguments"

verdict 0 no_values cp:received covered cp:called covered cp:end covered
verdict 0 long_delay cp:first covered cp:second covered cp:only-first covered cp:end covered

# A fresh value is equal to another or not, for all criteria; a comparison that also sees integers has all its sides.
cover=branches,conditions,mcdc,boundaries
verdict 0 fresh_boundaries bound:top#1:below infeasible bound:top#1:at covered bound:top#1:above infeasible \
    bound:top#2:below covered bound:top#2:at covered bound:top#2:above covered \
    bound:top#3:below infeasible bound:top#3:at infeasible bound:top#3:above infeasible \
    cond:top#1:true covered cond:top#1:false covered mcdc:top#1:true covered mcdc:top#1:false covered \
    branch:top#1:then covered branch:top#1:else covered branch:top#3:then infeasible
espalier 0 explain "$bugs/fresh_boundaries.scm" --cover "$cover" bound:top#1:below
shows "never compares two known integers"
espalier 0 generate "$bugs/fresh_boundaries.scm" --cover "$cover" -o suite.xml
espalier 0 replay "$bugs/fresh_boundaries.scm" suite.xml
shows "passed"
cover=checkpoints

conclude 1
