#!/usr/bin/env bash
# `generate` end to end: the worked example, the schema, the same bytes twice, exit statuses, and what a signal leaves.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
models=$SOURCE_DIR/models

# generate STATUS ARGUMENT…: standard output in `out`, standard error in `err`.
generate() { espalier "$1" generate "${@:2}"; }

# count FILE XPATH NUMBER
count() {
    local found
    found=$(sed 's/ xmlns="[^"]*"//' "$1" | xmllint --xpath "count($2)" - 2>&1)
    [[ $found == "$3" ]]
    judge "$1: count($2) is $found, expected $3" $?
}

# ── the worked example
example=$models/examples/worked_example.scm
generate 0 "$example" --cover checkpoints --depth 1 -o one.xml && valid one.xml
count one.xml '//target[@status="covered"]' 1
count one.xml '//target' 3
count one.xml '//target[@id="cp:proc:foo"][@status="covered"]' 1
grep -q '1 of 3' out
judge "depth 1: 1 of 3" $? out
generate 0 "$example" --cover checkpoints --depth 2 -o two.xml && valid two.xml
count two.xml '//target[@status="covered"]' 3
count two.xml '//target' 3
count two.xml '//test[not(covers)]' 0
count two.xml '//test/covers[@target="cp:b:id=1,true"]' 1
count two.xml '//test/covers[@target="cp:b:id=1,false"]' 1
count two.xml '/suite[@model="worked_example.scm"][@depth="2"][@complete="true"]' 1
grep -q '3 of 3' out
judge "depth 2: 3 of 3" $? out
# Every target that is covered names a test that covers it.
count two.xml '//target[@status="covered"][not(@test = //test/@id)]' 0

# ── every model
find "$models" -name '*.scm' | sort >all
while IFS= read -r model; do
    name=$(basename "$model" .scm)
    for search in dfs bfs random; do
        # The same input, options and seed give the same bytes; the file's name is not part of them.
        timeout 300 "$ESPALIER" generate "$model" --depth 2 --search $search --seed 7 --step-limit 300000 --quiet -o "$name-$search.xml" >out 2>err
        first=$?
        timeout 300 "$ESPALIER" generate "$model" --depth 2 --search $search --seed 7 --step-limit 300000 --quiet -o again.xml >out 2>err
        second=$?
        [[ $first -le 1 && $first -eq $second ]]
        judge "$name $search: exit statuses $first and $second" $? out err
        cmp "$name-$search.xml" again.xml
        judge "$name $search: the same bytes twice" $?
        valid "$name-$search.xml"
        count "$name-$search.xml" '//target[@status="covered"][not(@test = //test/@id)]' 0
        count "$name-$search.xml" '//test[@id = following-sibling::test/@id]' 0
    done
done <all

# ── names and texts that XML could misread
cat >odd.scm <<'SCM'
(define-message |M "<&\x7;| (|f\x1;\t'| string) (e (enum |q\x2;\n| "s\x3;")))
(define-port |p<\x4;| in |M "<&\x7;|)
(define-port o out |M "<&\x7;|)
(checkpoint "a\x7;b\nc\td <&>\"' é 𝄞 \xfffe;")
(checkpoint "")
(requirement "R\x1;" "t\x2;")
(let ((m (read |p<\x4;|)))
  (write o m)
  (if (equal? (|M "<&\x7;-f\x1;\t'| m) "\x0;\x7f;\xd7ff;\xffff;\x10ffff; \r\n \\x41; x")
      (checkpoint "same")
      (error "bad\x7;\n" m)))
SCM
timeout 300 "$ESPALIER" generate odd.scm -o odd.xml >out 2>err
valid odd.xml

# ── exit statuses, files
# The search goes on while a target is left: one here can never be reached.
printf '(define n (read)) (checkpoint a) (if (= n 5) (error "five")) (if (and (> n 1) (< n 2)) (checkpoint never))' >errs.scm
generate 1 errs.scm -o errs.xml && valid errs.xml
count errs.xml '//test[@error]' 1
grep -q 'errs.scm:1:46' out err
judge "a model error is shown with its place" $? out err
generate 2 missing.scm
generate 2 errs.scm -o no/such/folder/suite.xml
grep -q 'no/such/folder/suite.xml' err
judge "an output that cannot be written is named" $? err
[[ ! -e /dev/full ]] || generate 2 errs.scm -o /dev/full
printf '(define' >broken.scm
generate 2 broken.scm
[[ ! -e broken-suite.xml ]]
judge "a broken model leaves no suite" $?
mkdir folder && cp errs.scm folder/in_folder.scm
generate 1 folder/in_folder.scm && valid in_folder-suite.xml # by default in the current folder, named after the model
generate 1 errs.scm --quiet -o quiet.xml
[[ ! -s out ]]
judge "--quiet: nothing on standard output" $? out

# ── limits and signals leave a valid suite of what was found
cat >endless.scm <<'SCM'
(checkpoint start)
(define (f n)
  (let ((x (read)))
    (if (= x 100) (checkpoint hundred))
    (if (= n 1000000) (checkpoint far))
    (f (if (> x n) (+ n 1) (- n 1)))))
(f 0)
SCM
generate 0 endless.scm --cover checkpoints --depth 1000000 --step-limit 20000 -o limited.xml && valid limited.xml
count limited.xml '/suite[@complete="false"]' 1
count limited.xml '//target[@status="covered"]' 2

# shellcheck source=/dev/null
source "$SOURCE_DIR/tests/parts/listening.sh"
# signalled NAME STATUS [SIGNAL…]: the search is under way as soon as the process catches the signals. More signals come
# at once after the first.
signalled() {
    local pid name=$1 expected=$2
    shift 2
    "$ESPALIER" generate endless.scm --depth 1000000 -o "$name.xml" >out 2>err </dev/null &
    pid=$!
    until_it_listens $pid
    ended "$name" $pid "$expected" "${@:-$name}"
}
# ended NAME PID STATUS SIGNAL…: the signals end the process, with NAME.xml written.
ended() {
    local status name=$1 pid=$2 expected=$3 signal
    shift 3
    for signal; do kill -s "$signal" "$pid"; done
    wait "$pid"
    status=$?
    [[ " $expected " == *" $status "* ]]
    judge "$name: exit status $status, expected $expected" $? out err
    valid "$name.xml"
    count "$name.xml" '/suite[@complete="false"]' 1
}
# Questions that keep the solver busy for minutes: linear, non-linear and with remainders, over large numbers.
awk 'BEGIN {
    for (i = 0; i < 13; i++) printf "(define x%d (read (int 1 1000000000000)))\n", i
    print "(checkpoint first)\n(if (= 123456789012345 (+"
    for (i = 0; i < 13; i++) printf " (* %d x%d)", 7919 * (i * i + 3) + i, i
    print ")) (checkpoint sum))\n(if (= 1234 (+"
    for (i = 0; i < 13; i++) printf " (* %d (modulo x%d %d))", i + 3, i, 101 + i * i
    print ")) (checkpoint remainders))\n(if (= 98765432109876 (+"
    for (i = 0; i < 13; i++) printf " (* x%d x%d)", i, (i + 1) % 13
    print ")) (checkpoint products))"
}' >busy.scm
# busy NAME STATUS SIGNAL…: the solver has been asked as soon as there is the thread that watches it. (Before the process
# listens, the thread that compiles the model is another.)
busy() {
    local pid name=$1 expected=$2
    shift 2
    "$ESPALIER" generate busy.scm --depth 20 --cover checkpoints -o "$name.xml" >out 2>err </dev/null &
    pid=$!
    until_it_listens $pid
    while kill -0 $pid 2>/dev/null; do
        [[ -n $(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 2>/dev/null | sed 1d) ]] && break
    done
    ended "$name" $pid "$expected" "$@"
}
if [[ -r /proc/self/status ]]; then
    signalled TERM 143
    signalled INT 130
    # Whichever of two is heard first.
    for i in 1 2 3 4; do
        signalled "both-$i" '130 143' INT TERM
        signalled "twice-$i" 130 INT INT
    done
    busy busy 130 INT
    busy busy-twice '130 143' INT TERM
fi

# The analysis before the search heeds signals and limits too. A list of this length keeps it for a minute and more.
bash "$SOURCE_DIR/bench/generate_shape.sh" list 20000 >long.scm
generate 0 long.scm --time-limit 0.5 --stats long.json -o long.xml && valid long.xml
count long.xml '/suite[@complete="false"]' 1
count long.xml '//test' 0
grep -q '"ended_by": "time limit"' long.json
judge "the analysis ends by the time limit" $? long.json
bash "$SOURCE_DIR/bench/generate_shape.sh" branches 20000 >wide.scm
generate 0 wide.scm --memory-limit 60M --stats wide.json -o wide.xml && valid wide.xml
count wide.xml '/suite[@complete="false"]' 1
grep -q '"ended_by": "memory limit"' wide.json
judge "the analysis ends by the memory limit" $? wide.json
if [[ -r /proc/self/status ]]; then
    for signal in INT TERM; do
        "$ESPALIER" generate long.scm -o "analysis-$signal.xml" >out 2>err </dev/null &
        until_it_listens $!
        ended "analysis-$signal" $! "$([[ $signal == INT ]] && echo 130 || echo 143)" $signal
        count "analysis-$signal.xml" '//test' 0
    done
fi

conclude 51
