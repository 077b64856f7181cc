#!/usr/bin/env bash
# Ended at any moment, by any signal, a run leaves whole files, and nothing else. ESPALIER_SEED=n chooses other moments.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

roll_dice
python3 "$SOURCE_DIR/tests/parts/kill_runs.py" "$ESPALIER" "$ESPALIER_SEED" 60 30 >said 2>&1
judge "runs that are ended at any moment" $? said
head -n 1 said

# A limit on processor time is heard before it kills.
cat >endless.scm <<'SCM'
(define (step n)
  (define x (read (int 1 9)))
  (if (> x 5) (checkpoint large))
  (if (= (modulo n 4) 3) (checkpoint never))
  (step (+ n (* 4 x))))
(step 1)
SCM
(
    ulimit -S -t 2 # at the hard limit, the system kills
    exec "$ESPALIER" generate endless.scm --memo off --depth 1000000 -o limited.xml
) >out 2>err
[[ $? -eq 152 ]] # 128 + SIGXCPU
judge "ulimit -t: exit status" $? out err
grep -q 'complete="false"' limited.xml
judge "ulimit -t: what was found is written" $? out err
# nohup is heard.
(
    trap '' HUP
    exec "$ESPALIER" generate endless.scm --memo off --depth 1000000 --step-limit 100000 -o nohup.xml
) >out 2>err &
run=$!
until [[ $(readlink /proc/$run/exe) == "$(readlink -f "$ESPALIER")" ]] || ! kill -0 $run 2>/dev/null; do sleep 0.01; done
kill -HUP $run
wait $run
judge "nohup: a signal that is ignored stays so" $? out err

# A second signal, while what was found is replayed, ends that at once, and still leaves a suite; a third ends the program.
cat >slow.scm <<'SCM'
(define one (make-string 60000 #\a))
(define same (make-string 60000 #\a))
(define (f n) (string=? one same) (f (+ n 1)))
(if (= (read) 5) (checkpoint found))
(f 0)
SCM
for signals in 2 3; do
    status=$(python3 "$SOURCE_DIR/tests/parts/second_signal.py" "$ESPALIER" slow.scm "after-$signals.xml" $signals 2>said)
    [[ $status == 143 ]]
    judge "$signals signals: exit status $status" $? said
done
grep -q 'complete="false"' after-2.xml && grep -q '</suite>' after-2.xml
judge "2 signals: the suite is whole" $? after-2.xml
grep -q 'status="covered"' after-2.xml || grep -q 'left out: 1 test' after-2.xml.out
judge "2 signals: what was found is there, or said to be left out" $? after-2.xml after-2.xml.out
[[ ! -e after-3.xml ]] || grep -q '</suite>' after-3.xml
judge "3 signals: no half of a suite" $? after-3.xml

conclude 1
