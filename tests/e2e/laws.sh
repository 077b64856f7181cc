#!/usr/bin/env bash
# Laws 5 to 8 on the built program: every test replays; the same bytes whatever the load and the addresses; a broken model is an error
# and no crash; stopped at any moment, a suite is whole, valid and marked. ESPALIER_LONG=1 tries ten times as often;
# ESPALIER_SEED=n chooses other moments to stop at.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}"
command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
times=1
[[ -z ${ESPALIER_LONG:-} ]] || times=10
roll_dice

# ── law 6: under load, with other addresses, in another folder, after other allocations
models=("$SOURCE_DIR"/models/examples/*.scm "$SOURCE_DIR"/models/inventory_system.scm)
mkdir other
for model in "${models[@]}"; do
    for way in '--depth 3 --search random --seed 3 --step-limit 20000' '--effort 200000'; do
        name=$(basename "$model" .scm)-${way##* }
        read -ra options <<<"$way --quiet"
        "$ESPALIER" generate "$model" "${options[@]}" -o "$name-one.xml" >/dev/null 2>&1
        (while :; do :; done) &
        load=$!
        fixed=()
        if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi
        (cd other && LC_ALL=C TZ=Asia/Tokyo MALLOC_PERTURB_=165 ${fixed[@]+"${fixed[@]}"} "$ESPALIER" generate "$model" \
            "${options[@]}" -o "../$name-two.xml" >/dev/null 2>&1)
        kill $load
        wait $load 2>/dev/null
        cmp "$name-one.xml" "$name-two.xml"
        judge "$name: the same bytes under load and with other addresses" $?
    done
done

# ── law 7: tokens dropped, doubled and swapped
# mutilate FILE SEED: on standard output.
mutilate() {
    awk -v seed="$2" 'BEGIN { srand(seed); RS = "\001" }
        {
            n = 0
            rest = $0
            while (match(rest, /[^ \n()"]+|"[^"]*"|[()]|[ \n]+/)) {
                token[++n] = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
            }
            for (k = 0; k < 2; ++k) {
                i = 1 + int(rand() * n)
                j = 1 + int(rand() * n)
                way = int(rand() * 3)
                if (way == 0) token[i] = ""
                else if (way == 1) token[i] = token[i] token[i]
                else { t = token[i]; token[i] = token[j]; token[j] = t }
            }
            for (k = 1; k <= n; ++k) printf "%s", token[k]
        }' "$1"
}
all=("$SOURCE_DIR"/models/*.scm "$SOURCE_DIR"/models/examples/*.scm)
for ((i = 0; i < 40 * times; ++i)); do
    mutilate "${all[i % ${#all[@]}]}" $i >broken.scm
    rm -f broken.xml
    timeout 60 "$ESPALIER" check broken.scm >out 2>err
    checked=$?
    [[ $checked -eq 0 || $checked -eq 2 ]]
    judge "mutilation $i: check ends with $checked" $? err
    timeout 60 "$ESPALIER" generate broken.scm --depth 2 --step-limit 2000 -o broken.xml >out 2>err
    status=$?
    # A model that cannot be read leaves no suite; any other does.
    if [[ $checked -eq 0 ]]; then
        [[ $status -le 1 && -s broken.xml ]]
    else
        [[ $status -eq 2 && ! -e broken.xml && -s err ]]
    fi
    judge "mutilation $i: generate ends with $status" $? out err
    [[ $checked -ne 0 ]] || mv broken.xml "mutilated-$i.xml"
done

# ── law 5: whatever the order, every test of a shipped model replays, and no model has an error
while IFS= read -r model; do
    for search in dfs bfs random distance mixed; do
        for bound in "--depth 3 --step-limit $((100000 * times))" "--depth auto --effort $((300000 * times))"; do
            [[ $search != mixed || $bound != '--depth 3'* ]] || continue # there is no such search
            read -ra options <<<"$bound"
            timeout 300 "$ESPALIER" generate "$model" --search $search "${options[@]}" --quiet -o shipped.xml >out 2>err </dev/null
            status=$?
            judge "$(basename "$model"), $search, $bound: exit status $status" $status out err
        done
    done
done < <(find "$SOURCE_DIR/models" -name '*.scm' | sort)

# ── law 8: stopped by a limit or a signal, at any moment
cat >endless.scm <<'SCM'
(define-message M (n int) (s string) (l (list-of int 3)))
(define-port p (in M) (out M))
(define t (make-hash-table))
(checkpoint start)
(define (f n)
  (let ((m (read p)))
    (write p m)
    (if (= (M-n m) 100) (checkpoint hundred))
    (if (string=? (M-s m) "open") (checkpoint open))
    (hash-table-set! t (M-n m) n)
    (if (= n 1000000) (checkpoint far))
    (f (if (> (M-n m) n) (+ n 1) (- n 1)))))
(f 0)
SCM
# Moments are random. The seed is printed: with the same one they are the same again, as far as the machine allows.
seed=${ESPALIER_SEED:-$RANDOM}
RANDOM=$seed
echo "moments of limits and signals: ESPALIER_SEED=$seed"
# whole FILE COMPLETE: as the schema says (later, all at once), and nothing is left beside it.
whole() {
    grep -q "<suite [^>]*complete=\"$2\"" "$1"
    judge "$1: complete=\"$2\"" $?
    [[ -z $(find . -name "$1?*") ]]
    judge "$1: no temporary file is left" $?
}
for ((i = 0; i < 8 * times; ++i)); do
    timeout 60 "$ESPALIER" generate endless.scm --depth 1000000 --step-limit $((1 + i * i * 97)) --quiet -o "steps-$i.xml" 2>err
    judge "step limit: exit status $?" $? err
    whole "steps-$i.xml" false
done
for ((i = 0; i < 3 * times; ++i)); do
    timeout 60 "$ESPALIER" generate endless.scm --depth 1000000 --time-limit "0.$((RANDOM % 30 + 1))" --quiet -o "time-$i.xml" 2>err
    judge "time limit: exit status $?" $? err
    whole "time-$i.xml" false
done
# shellcheck source=/dev/null
source "$SOURCE_DIR/tests/parts/listening.sh"
for ((i = 0; i < 8 * times; ++i)); do
    [[ -r /proc/self/status ]] || break
    signal=TERM number=15
    if ((i % 2 == 1)); then signal=INT number=2; fi
    "$ESPALIER" generate endless.scm --depth 1000000 --quiet -o "$signal-$i.xml" 2>err </dev/null &
    pid=$!
    until_it_listens $pid
    sleep "0.$((i * 37 % 20 / 10))$((RANDOM % 100))"
    kill -s $signal $pid
    wait $pid
    status=$?
    [[ $status -eq $((128 + number)) ]]
    judge "SIG$signal: exit status $status" $? err
    whole "$signal-$i.xml" false
done
# One that comes after the search, or while the suite is being written, loses nothing either.
model=$SOURCE_DIR/models/examples/login.scm
for ((i = 0; i < 8 * times; ++i)); do
    [[ -r /proc/self/status ]] || break
    "$ESPALIER" generate "$model" --depth 2 --step-limit 3000 --quiet -o "late-$i.xml" 2>err </dev/null &
    pid=$!
    until_it_listens $pid
    sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
    kill -s TERM $pid 2>/dev/null
    wait $pid
    status=$?
    [[ $status -eq 143 || $status -eq 0 ]] && [[ -s late-$i.xml ]]
    judge "a late signal: exit status $status, with a suite" $? err
    [[ -z $(find . -name "late-$i.xml?*") ]]
    judge "a late signal: no temporary file is left" $?
done

find . -name '*.xml' -print0 | xargs -0 xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" >said 2>&1
judge "every suite is valid" $? said

conclude 101
