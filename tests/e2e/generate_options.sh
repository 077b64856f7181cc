#!/usr/bin/env bash
# What scripts depend on in `generate`: --cover, --target, --waive, --fail-under, --stats, --timeline and --cut.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# generate STATUS ARGUMENT…
generate() { espalier "$1" generate "${@:2}"; }
# stats EXPRESSION: a Python expression over s, the statistics.
stats() { expect "$1" python3 -c "import json; s = json.load(open('stats.json')); assert ($1), s"; }

cat >model.scm <<'SCM'
(define-message Send (size (int 0 100)) (urgent bool))
(define-port user in Send)
(define-port wire out Send)
(define (serve total)
  (select
    ((user (Send n urgent))
     (cond ((and urgent (> n 50)) (checkpoint "big, \"urgent\"") (write wire (Send n urgent)))
           ((> total 50) (assert (not (= n 13))) (checkpoint full))
           (else (write wire (Send 0 #f))))
     (when (> n 200) (checkpoint never))
     (when (> total 9000) (checkpoint far))
     (serve (+ total n)))))
(serve 0)
SCM

generate 1 model.scm --stats stats.json --timeline line.csv --depth 2
keys="model depth cover cut search memo seed complete targets covered infeasible unreached model_errors tests schedules
vm_steps paths states_forked sat_queries z3_queries sat_unknown sat_seconds sp_queries cuts cut_percent memo_hits
flow_seconds pda_procedures pda_nodes oracle_seconds total_seconds peak_memory_bytes targets_detail errors_detail"
for key in $keys; do stats "'$key' in s"; done
stats "s['covered'] + s['infeasible'] + s['unreached'] == s['targets'] == len(s['targets_detail'])"
stats "s['cover'] == 'checkpoints,requirements,procedures,branches,states,transitions'"
stats "s['complete'] is True and s['depth'] == 2 and s['search'] == 'bfs'"
stats "s['z3_queries'] <= s['sat_queries']"
stats "{t['status'] for t in s['targets_detail']} <= {'covered', 'unreached', 'infeasible'}"
stats "all(('test' in t) == (t['status'] == 'covered') for t in s['targets_detail'])"
stats "[t['status'] for t in s['targets_detail'] if t['id'] == 'cp:never'] == ['infeasible']"
stats "all(('proof' in t) == (t['status'] == 'infeasible') for t in s['targets_detail'])"
stats "len(s['errors_detail']) == s['model_errors'] == 1 and 'assert' in s['errors_detail'][0]['text'] and s['errors_detail'][0]['test']"
expect "the timeline's last row is the statistics' count" python3 - <<'PY'
import csv, json
rows = list(csv.DictReader(open("line.csv")))
s = json.load(open("stats.json"))
assert list(rows[0]) == ["seconds", "vm_steps", "covered", "target"]
assert [int(r["covered"]) for r in rows[:-1]] == list(range(1, len(rows)))
assert int(rows[-1]["covered"]) == s["covered"] and rows[-1]["target"] == ""
assert int(rows[-1]["vm_steps"]) == s["vm_steps"]
assert all(float(a["seconds"]) <= float(b["seconds"]) for a, b in zip(rows, rows[1:]))
covered = {t["id"] for t in s["targets_detail"] if t["status"] == "covered"}
assert {r["target"] for r in rows[:-1]} == covered and 'cp:big, "urgent"' in covered
PY

# --cut off analyses nothing, so nothing is infeasible by analysis.
generate 1 model.scm --depth 2 --cut off --stats stats.json
stats "s['infeasible'] == 0 and s['pda_nodes'] == 0 and s['cut'] == 'off'"

# What the oracle is told: with less it cuts less, and the coverage is the same.
generate 1 model.scm --depth 2 --cut v2 --stats all.json
for told in --no-target-info --no-bound-info; do
    for oracle in v1 v2 v3; do
        generate 1 model.scm --depth 2 --cut $oracle $told --stats stats.json
        stats "s['target_info'] is (not '$told' == '--no-target-info') and s['bound_info'] is (not '$told' == '--no-bound-info')"
        stats "[(a := json.load(open('all.json')))] and s['covered'] == a['covered'] and s['cuts'] <= a['cuts'] and s['vm_steps'] >= a['vm_steps']"
    done
    generate 2 model.scm --cut off $told
    expect "what would do nothing is refused" grep -q -e "$told: --cut off asks no oracle" err
    generate 2 model.scm --cut flow $told
done
stats "'tracking_seconds' in s"

# A search that looked at everything shows what is infeasible, without the analysis too; one that did not, does not.
printf '(define x (read)) (if (= (modulo (* 2 x) 4) 3) (checkpoint never)) (checkpoint end)' >square.scm
generate 0 square.scm --depth 2 --cut off --stats stats.json
stats "[t['status'] for t in s['targets_detail']] == ['infeasible', 'covered', 'infeasible', 'covered']"
generate 0 square.scm --depth 1 --cut off --stats stats.json
stats "s['infeasible'] == 0"

# --cover
generate 1 model.scm --cover checkpoints --depth 2 --stats stats.json
stats "{t['criterion'] for t in s['targets_detail']} == {'checkpoints'}"
generate 2 model.scm --cover checkpoint
expect "the criteria are listed" grep -q "there is no criterion .checkpoint.; there are checkpoints,requirements" err
# What is unreached is explained by states that are not among the criteria, too.
for criterion in checkpoints requirements procedures branches states transitions conditions mcdc boundaries errors; do
    generate 0 "$SOURCE_DIR/models/inventory_system.scm" --cover $criterion --depth 1 -o one.xml
done
generate 1 model.scm --cover all --depth 2 --stats stats.json
stats "{t['criterion'] for t in s['targets_detail']} == {'checkpoints', 'procedures', 'branches', 'conditions', 'mcdc', 'boundaries', 'errors'}"

# --target
generate 0 model.scm --target 'branch:serve#1:then' --stats stats.json -o one.xml
stats "[t['id'] for t in s['targets_detail'] if t['status'] == 'covered'].count('branch:serve#1:then') == 1 and s['tests'] == 1"
expect "a test is named after what was asked for" grep -q '<test id="branch-serve-1-then"' one.xml
expect "the summary counts what was asked for" diff - <(sed 1d out | grep -v 'hint') <<'TXT'
  of 1 target asked for:
  branches      1 of 1 covered (100 %)
TXT
generate 0 --target proc:serve 'branch:serve#1:then' model.scm
expect "the summary counts what was asked for" grep -q '^  of 2 targets asked for:$' out
generate 2 model.scm --target branch:serv#1:then
expect "a near name is shown" grep -q 'did you mean .branch:serve#1:then' err
generate 2 --target proc:serve

# --fail-under and --waive
generate 1 model.scm --cover checkpoints --depth 2 --fail-under 90
expect "coverage is said" grep -q 'coverage is 50.0 %, under the 90.0 % asked for' err
printf '# not to be reached\n\ncp:never  # by design\ncp:far\n' >waive
generate 0 model.scm --cover checkpoints --depth 2 --fail-under 100 --waive waive --stats stats.json
stats "s['waived'] == 2 and s['coverage_percent'] == 100"
printf 'cp:nevr\n' >waive
generate 1 model.scm --cover checkpoints --depth 2 --fail-under 100 --waive waive
expect "a name that is none is told, with its line" grep -q '^waive:1: warning: there is no target .cp:nevr.; did you mean .cp:never' err
generate 2 model.scm --waive nowhere
generate 2 model.scm --fail-under 101
generate 0 model.scm --target 'branch:serve#1:then' --fail-under 100 --stats stats.json # of what is asked for
stats "s['coverage_percent'] == 100 and s['unreached'] > 0"

# --schedules
cat >race.scm <<'SCM'
(define-message Go) (define-message Done (order int))
(define-port p in Go) (define-port q out Done)
(define-channel a) (define-channel b) (define-channel c)
(define order 0)
(spawn-service (let loop () (receive a) (set! order (+ (* order 10) 1)) (send c 'x) (loop)))
(spawn-service (let loop () (receive b) (set! order (+ (* order 10) 2)) (send c 'x) (loop)))
(define-timer t1) (define-timer t2)
(define (main)
  (read p)
  (send a 'go) (send b 'go)
  (receive c) (receive c)
  (write q (Done order))
  (if (= order 12) (checkpoint "one first"))
  (if (= order 21) (checkpoint "two first"))
  (start t1 10) (start t2 10)
  (select ((timeout t1) (checkpoint "t1 first")) ((timeout t2) (checkpoint "t2 first"))))
(main)
SCM
generate 0 race.scm --cover checkpoints --stats stats.json -o race.xml
stats "s['covered'] == 2 and s['schedules'] == 'first'"
expect "the other orders are named" grep -q 'hint: .*--schedules all' out
expect "a test for the usual order has no schedule" test "$(grep -c '<schedule' race.xml)" -eq 0
generate 0 race.scm --cover checkpoints --schedules all --stats stats.json -o race.xml
stats "s['covered'] == 4 and s['complete'] is True"
expect "schedules are replayed" "$ESPALIER" replay race.scm race.xml
sed 's/<schedule turn="1" of="1 2"/<schedule turn="0" of="1 2"/' race.xml >other.xml
"$ESPALIER" replay race.scm other.xml >out 2>err
expect "another schedule gives another output" test $? -eq 1
expect "and is shown" grep -q 'expected 21, found 12' out
sed '0,/<schedule/s/<schedule turn="0" of="1 2"/<schedule turn="0" of="0 1 2"/' race.xml >other.xml
"$ESPALIER" replay race.scm other.xml >out 2>err
expect "turns that are not there are told" test $? -eq 1

# values that the system chooses: compared with =, and sent back after they differed from another one
cat >fresh.scm <<'SCM'
(define a (fresh int)) (define b (fresh int))
(write a) (write b)
(define y (read int))
(if (not (= y a)) (if (equal? y b) (checkpoint second)))
SCM
generate 0 fresh.scm --stats stats.json -o fresh.xml --fail-under 100
stats "s['infeasible'] == 0"
expect "a value that is sent back is replayed" "$ESPALIER" replay fresh.scm fresh.xml

# terms that share their parts are not trees: 2 to the 60 walks would not end
cat >shared.scm <<'SCM'
(define (h x n) (if (= n 0) x (h (modulo (+ (* x x) 1) 1009) (- n 1))))
(define x (read (int 0 100000)))
(checkpoint start)
(if (= (h x 60) 77) (checkpoint hit))
SCM
generate 0 shared.scm --stats stats.json --cover checkpoints
stats "[t['status'] for t in s['targets_detail'] if t['id'] == 'cp:start'] == ['covered']"

# limits
generate 0 model.scm --memory-limit 1 --depth 3 --stats stats.json
stats "s['complete'] is False and s['ended_by'] == 'memory limit' and s['states_given_up'] > 0"
cat >wide.scm <<'SCM'
(define (f l) (f (cons (if (> (read) (length l)) 1 (make-vector 20 l)) l)))
(checkpoint start)
(f '())
(checkpoint never)
SCM
generate 0 wide.scm --search bfs --depth 1000000 --memory-limit 200M --cut off --stats stats.json
stats "s['ended_by'] == 'memory limit' and s['peak_memory_bytes'] < 260 * 2**20 and s['covered'] >= 1"
generate 0 model.scm --step-limit 10 --stats stats.json
stats "s['complete'] is False and s['ended_by'] == 'step limit' and s['vm_steps'] < 200"
generate 2 model.scm --stats no/such/folder/file

conclude 1
