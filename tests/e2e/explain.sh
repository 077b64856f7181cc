#!/usr/bin/env bash
# `explain`: a covered, an infeasible and several unreached targets, each with its reason; and misuse. A model for each
# reason, with all that is said of it, is in tests/golden/explain.
# shellcheck disable=SC2016  # backquotes are part of what it says
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# explain STATUS PATTERN ARGUMENT…: a line of what it says matches.
explain() {
    local wanted=$1 pattern=$2 status
    shift 2
    timeout 300 "$ESPALIER" explain "$@" >said 2>&1 </dev/null
    status=$?
    [[ $status -eq $wanted ]] && grep -qE -- "$pattern" said
    judge "explain $*: exit status $status, expected $wanted and /$pattern/ in" $? said
}

cat >model.scm <<'SCM'
(define-message Send (size (int 0 100)))
(define-port user in Send)
(define (serve total)
  (let ((n (Send-size (read user))))
    (cond ((> n 50) (checkpoint big))
          ((> n 200) (checkpoint huge))
          ((= (modulo (* n n) 4) 3) (checkpoint odd-square))
          ((> total 350) (checkpoint full)))
    (serve (+ total n))))
(serve 0)
SCM
explain 0 '^cp:big at model.scm:5:21 is covered, by the test .*:$' model.scm cp:big --depth 3
explain 0 '^  input user \(Send 51\)$' model.scm cp:big --depth 3
explain 0 '^cp:huge .* is infeasible: `\(> n 200\)` at model.scm:6:12 is never true' model.scm cp:huge --effort 100000
explain 0 '^cp:odd-square .* is unreached, with depth 2$' model.scm cp:odd-square --depth 2
explain 0 '^  `\(= \(modulo \(\* n n\) 4\) 3\)` at model.scm:7:12 was never true: refuted [0-9]+ times$' model.scm cp:odd-square --depth 2
explain 0 '^    taken  model.scm:4:23  stable state 1: take any message$' model.scm cp:odd-square --depth 2
explain 0 '^    missed model.scm:7:12  `\(= \(modulo \(\* n n\) 4\) 3\)` is true$' model.scm cp:odd-square --depth 2
explain 0 '^  `\(> total 350\)` at model.scm:8:12 was never true' model.scm cp:full --depth 2
explain 0 '^  the bound ended paths at the wait `\(read user\)` at model.scm:4:23, once$' model.scm branch:serve#1:then --depth 1
explain 0 '^hint: try --depth auto$' model.scm branch:serve#1:then --depth 1
explain 0 'bound:serve#1:at .* is covered' model.scm bound:serve#1:at --depth 3 # a criterion that is not among the usual ones
explain 0 '^cp:full .* is unreached, without a bound$' model.scm cp:full --step-limit 5
explain 0 'ended by the step limit' model.scm cp:full --step-limit 5
explain 0 '^cp:odd-square .* is unreached, with an effort of 100000$' model.scm cp:odd-square --effort 100000
explain 0 '^  but the search was ended by the effort with [0-9]+ states waiting$' model.scm cp:odd-square --effort 100000
explain 0 '^hint: more may be found with more effort: --effort 200000$' model.scm cp:odd-square --effort 100000
printf '(define n (read (int 0 9)))\n(read)\n(assume (= (* n n) 7))\n(checkpoint after)' >assumed.scm
explain 0 '^  `\(assume \(= \(\* n n\) 7\)\)` at assumed.scm:3:1 ended paths, once$' assumed.scm cp:after
printf '(define-message M (n int)) (define-port p in M)\n(select ((p (M n)) (where (= (* n n) 7)) 1))' >refused.scm
explain 0 'is infeasible: what .\(= \(\* n n\) 7\). at refused.scm:2:27 refuses is taken by no other clause, and so does not count$' refused.scm branch:top#1:else
# The analysis believes in a call that is not made there.
explain 0 '^  the procedure that is needed was never called by `\(do-page i\)` at .*pages.scm:17:33$' "$SOURCE_DIR/models/examples/pages.scm" cp:used --depth 2
explain 0 '^hint: try --depth auto$' "$SOURCE_DIR/models/examples/pages.scm" cp:used --depth 2
explain 2 'there is no target .cp:bg.; did you mean .cp:big' model.scm cp:bg
explain 2 'TARGET is required' model.scm
explain 2 'nowhere.scm' nowhere.scm cp:x

# status STATUS MODEL TARGET OPTION…: what `generate` says of the target.
status() {
    local wanted=$1 model=$2 target=$3 found
    shift 3
    "$ESPALIER" generate "$SOURCE_DIR/tests/golden/explain/$model.scm" "$@" -o /dev/null --quiet --stats stats.json
    found=$(grep -A3 -F "\"id\": \"$target\"" stats.json | sed -nE 's/.*"status": "([a-z]+)".*/\1/p')
    if [[ $found == "$wanted" ]]; then
        passed=$((passed + 1))
    else
        echo "FAILED generate $model.scm $*: $target is $found, expected $wanted"
        failed=$((failed + 1))
    fi
}

# What the analysis proves, it does not prove with `--cut off`; what the search does, with any.
status infeasible proved_dead cp:huge
status unreached proved_dead cp:huge --cut off --memo off --effort 100000
status unreached proved_dead cp:huge --cut off --memo off --effort 100000 --search distance
for cut in off flow v1 v2 v3; do
    status infeasible every_run_seen cp:seven --cut $cut
    # Each of these is a reason why it might be there after all.
    status unreached refuted cp:odd-square --depth 2 --memo off --cut $cut
    status unreached bound_at_wait cp:third --depth 2 --cover checkpoints --cut $cut
    status unreached undecided cp:fermat --depth 4 --cut $cut
    status unreached unsupported cp:shifted --cut $cut
    status unreached delay cp:seven --cut $cut
    status unreached schedule cp:second-first --cut $cut
    status unreached search_limit cp:late --step-limit 20 --cut $cut
done
status unreached never_waits cp:after
status covered schedule cp:second-first --schedules all
status covered bound_at_wait cp:third --depth 4 --cover checkpoints

# The data has the way in full.
grep -q '"distance": 1,' stats.json && { echo "FAILED distance of a covered target"; failed=$((failed + 1)); }
"$ESPALIER" generate model.scm --depth 2 -o /dev/null --quiet --stats stats.json
for line in '"reason": "`(> total 350)` at model.scm:8:12 was never true' '"distance": 2,' \
    '"step": "`(> total 350)` is true",' '"stable_state": 2,' 'the bound (depth 2) ended paths that might lead there'; do
    if grep -qF -- "$line" stats.json; then
        passed=$((passed + 1))
    else
        echo "FAILED statistics: no $line in"
        cat stats.json
        failed=$((failed + 1))
    fi
done

conclude 1
