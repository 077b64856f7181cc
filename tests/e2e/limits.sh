#!/usr/bin/env bash
# Limits of time, steps and memory hold in every phase, whatever a model does, and what was found is written. Times are
# processor times, and generous: the machine may be busy.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null && command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# What a command took: its exit status, seconds of processor time and the most memory, in megabytes.
cat >measure.py <<'PY'
import resource, subprocess, sys
with open("out", "w") as out, open("err", "w") as err:
    status = subprocess.run(["timeout", "300", *sys.argv[1:]], stdin=subprocess.DEVNULL, stdout=out, stderr=err).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, round(used.ru_utime + used.ru_stime), used.ru_maxrss // 1024)
PY

# within STATUS SECONDS MEGABYTES ARGUMENT…
within() {
    local status seconds megabytes
    read -r status seconds megabytes < <(python3 measure.py "$ESPALIER" "${@:4}")
    [[ " $1 " == *" $status "* ]] && ((seconds <= $2 && megabytes <= $3))
    judge "${*:4}: exit status $status (of $1), $seconds seconds (at most $2), $megabytes megabytes (at most $3)" $? out err
}

# model NAME TEXT
model() { printf '%s\n' "$2" >"$1.scm"; }

# ── Time: in a replay that takes long, in terms of large types, in arithmetic, where threads are many
model strings '(define big (make-string 1000000 #\a)) (define (f n) (string-append big big) (f (+ n 1)))
(define x (read)) (if (= x 5) (checkpoint a)) (f 0)'
model numbers '(define big (expt 7 150000)) (define (f n) (modulo (* big (+ n 1)) (+ big n)) (f (+ n 1)))
(if (= (read) 5) (checkpoint a)) (f 0)'
model lists '(define big (iota 100000)) (define (f n) (length big) (f (+ n 1)))
(if (= (read) 5) (checkpoint a)) (f 0)'
for name in strings numbers lists; do
    within "0 1" 15 1500 generate $name.scm --cover checkpoints --time-limit 2 -o $name.xml
    valid $name.xml
    shows '1 of 1 covered'
done
python3 - >enum.scm <<'PY'
print("(define-message M (e (enum", *(f"v{i}" for i in range(20000)), "))) (define-port p in M)")
print("(define m (M-e (read p))) (if (eq? m 'v15000) (checkpoint a)) (write m)")
PY
within "0 1" 15 2000 generate enum.scm --cover checkpoints --time-limit 5 -o enum.xml
valid enum.xml
model factorial '(define (f n acc) (if (= n 0) acc (f (- n 1) (* n acc)))) (write (f 200000 1))'
model squares '(define (f n) (f (* n n))) (f 3)'
model huge '(define a (read)) (if (> a (expt 10 300000)) (checkpoint s)) (write a)'
within "0 1" 15 1000 generate factorial.scm -o factorial.xml # its path may end by its steps before
for name in squares huge; do
    within "1" 15 1000 generate $name.scm -o $name.xml
    shows 'bits is too large'
done
for name in factorial squares; do
    within "1" 15 1000 run $name.scm
    shows 'bits is too large'
done

# ── Memory: whatever takes it
model threads '(define-channel c) (define (go n) (spawn-service (receive c)) (go (+ n 1))) (go 0)'
model bomb '(define (b) (spawn (b)) (spawn (b)) (b)) (b)'
model writer '(checkpoint a) (define s (make-string 1000000 #\a)) (define (f n) (write s) (f (+ n 1))) (f 0)'
model vectors '(define (loop l) (loop (cons (make-vector 100000 0) l))) (checkpoint a) (loop (list))'
for name in threads bomb writer vectors; do
    within "0 1" 60 700 generate $name.scm --memory-limit 300M --time-limit 30 -o $name.xml
    valid $name.xml
    [[ $name == writer ]] || within "1" 60 700 run $name.scm --memory-limit 300M
done
shows 'espalier run: ended by the memory limit'
grep -q 'status="covered"' vectors.xml
judge "what was found before is written" $? vectors.xml
within "0 1" 60 700 generate writer.scm -o writer.xml # no limits: an endless writer is cut by what it writes
(($(stat -c %s writer.xml) < 64000000))
judge "its suite has less than 64 megabytes" $?

# ── Without enough memory, and none of ours that says so
model bignums '(checkpoint a) (define big (expt 7 300)) (define (loop n l) (loop (+ n 1) (cons (list (+ big n) (- big n) (- n big)) l))) (loop 0 (list))'
for case in 'vectors 1000000' 'vectors 400000' 'bignums 400000'; do
    read -r name kilobytes <<<"$case"
    (ulimit -v "$kilobytes" && exec timeout 300 "$ESPALIER" generate "$name.scm" -o small.xml) >out 2>err </dev/null
    status=$?
    [[ $status -eq 0 || $status -eq 1 ]]
    judge "$name, ulimit -v $kilobytes: exit status $status" $? out err
    valid small.xml
    grep -q 'complete="false"' small.xml && grep -q 'status="covered"' small.xml
    judge "$name, ulimit -v $kilobytes: what was found is written" $? small.xml
    rm -f small.xml
done

# ── run and check
model loop '(define (loop) (loop)) (loop)'
within "1" 15 500 run loop.scm --time-limit 1
shows 'espalier run: ended by the time limit'
within "1" 15 500 run loop.scm --step-limit 1000
shows 'the run was stopped: too many steps'
within "0" 15 500 check loop.scm --time-limit 100 --memory-limit 1G

# ── replay, the replays of --keep, and the model that execute asks: a run that would take minutes
model slow '(define one (make-string 1000000 #\a)) (define same (make-string 1000000 #\a))
(define (f n) (string=? one same) (f (+ n 1)))
(define x (read)) (write x) (if (= x 5) (checkpoint a)) (f 0)'
# suite NAME TEST…: a suite in which each test expects to get back what it sends.
suite() {
    printf '<suite xmlns="urn:espalier:suite:1" model="slow.scm">\n' >"$1.xml"
    for value in "${@:2}"; do
        printf '<test id="t%s" end="open"><input port="in" message="value"><field name="value" type="int">%s</field></input>' \
            "$value" "$value"
        printf '<output port="out" message="value"><field name="value" type="int">%s</field></output></test>\n' "$value"
    done >>"$1.xml"
    printf '</suite>\n' >>"$1.xml"
}
suite slow 5 6
within "1" 15 500 replay slow.scm slow.xml --time-limit 1 --junit slow.junit
shows 'espalier replay: ended by the time limit'
shows 'slow.xml: 0 of 2 tests passed, 2 not run to the end'
(($(grep -c 'message="not run to its end"' slow.junit) == 2))
judge "the results say so" $? slow.junit
within "1" 15 500 replay slow.scm slow.xml --step-limit 1000
shows 'espalier replay: ended by the step limit'
within "1" 15 500 replay slow.scm slow.xml --memory-limit 10M
shows 'espalier replay: ended by the memory limit'
model quick '(define x (read)) (write x) (if (= x 5) (checkpoint a)) (define (f n) (if (= x 6) (g n))) (define (g n) (g (+ n 1))) (f 0)'
sed 's/ end="open"//; s/slow.scm/quick.scm/' slow.xml >quick.xml
within "1" 15 500 replay quick.scm quick.xml --step-limit 1000
shows 'quick.xml: 1 of 2 tests passed, 1 not run to the end'
within "0" 15 500 generate slow.scm --cover checkpoints --keep slow.xml --time-limit 2 -o kept.xml
valid kept.xml
shows 'incomplete: ended by the time limit'
shows 'kept as it was, not replayed to its end: t6'
grep -q 'id="cp:a" status="covered" test="t5"' kept.xml && (($(grep -c '<output ' kept.xml) == 2))
judge "the tests are all there, with what they reached" $? kept.xml
cat >wrong.sh <<'END'
while read -r line; do
    case $line in
        *'"type":"reset"'*) echo '{"type":"reset"}' ;;
        *) echo '{"type":"output","port":"out","message":"value","fields":{"value":4}}' ;;
    esac
    echo '{"type":"quiet"}'
done
END
within "1" 15 500 execute slow.xml --model slow.scm --time-limit 2 --results verdicts.json -- bash wrong.sh
shows 'it was ended before the model could tell'
shows 'espalier execute: ended by the time limit'
shows '1 inconclusive, 1 not run'
grep -q '"verdict": *"inconclusive"' verdicts.json
judge "the verdict is written" $? verdicts.json

# signalled STATUS ARGUMENT…: a signal ends it, sent as soon as the program hears signals.
signalled() {
    timeout -k 300 300 "$ESPALIER" "${@:2}" >out 2>err </dev/null &
    local timeout=$! run='' status
    until run=$(pgrep -P $timeout) && (($((16#$(sed -n 's/^SigCgt:\s*//p' "/proc/$run/status" 2>/dev/null || echo 0))) & 1 << 14)) ||
        ! kill -0 $timeout 2>/dev/null; do sleep 0.01; done
    kill -TERM "$run"
    wait $timeout
    status=$?
    [[ $status -eq $1 ]]
    judge "SIGTERM: ${*:2}: exit status $status, expected $1" $? out err
}
signalled 143 replay slow.scm slow.xml
shows 'slow.xml: 0 of 2 tests passed, 2 not run to the end'
signalled 143 generate slow.scm --cover checkpoints --keep slow.xml -o signalled.xml
valid signalled.xml
(($(grep -c '<output ' signalled.xml) == 2))
judge "the tests are all there" $? signalled.xml

# ── What is included
model devices '(include "/dev/zero")'
within "2" 15 500 check devices.scm
shows 'cannot read the included file "/dev/zero"'
for i in {1..25}; do model "part$i" "(include \"part$((i + 1)).scm\") (include \"part$((i + 1)).scm\")"; done
model part26 '(write 1)'
within "2" 60 1500 check part1.scm
shows 'too much is included'
for i in {1..150}; do model "chain$i" "(include \"chain$((i + 1)).scm\")"; done
within "2" 15 500 check chain1.scm
shows 'files include each other more than 100 deep'

conclude 41
