#!/usr/bin/env bash
# `generate` end to end: the worked example, the schema, the same bytes twice, exit statuses, and what a signal leaves.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v xmllint >/dev/null || exit 77
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$work" || exit 1
models=$SOURCE_DIR/models

# judge NAME STATUS [FILE…]: 0 is good; the files are shown where it is not.
judge() {
    if [[ $2 -eq 0 ]]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAILED $1"
    shift 2
    [[ $# -eq 0 ]] || tail -n 20 "$@"
    failed=$((failed + 1))
}

# generate STATUS ARGUMENT…: standard output in `out`, standard error in `err`.
generate() {
    local wanted=$1 status
    shift
    timeout 300 "$ESPALIER" generate "$@" >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "generate $*: exit status $status, expected $wanted" $? out err
}

# valid FILE: well-formed, and as the schema says.
valid() {
    xmllint --noout --schema "$SOURCE_DIR/testgen/suite.xsd" "$1" >said 2>&1
    judge "$1 is valid" $? said
}

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

# signalled NAME STATUS: the search is under way as soon as the process catches the signal.
signalled() {
    local pid status mask
    "$ESPALIER" generate endless.scm --depth 1000000 -o "$1.xml" >out 2>err </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        # Until then it is this shell's child, which catches signals too, in order to run the trap above.
        [[ $(readlink "/proc/$pid/exe") -ef $ESPALIER ]] || continue
        mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)
        (((0x${mask:-0} & 0x4002) == 0x4002)) && break
    done
    kill -s "$1" $pid
    wait $pid
    status=$?
    [[ $status -eq $2 ]]
    judge "$1: exit status $status, expected $2" $? out err
    valid "$1.xml"
    count "$1.xml" '/suite[@complete="false"]' 1
}
if [[ -r /proc/self/status ]]; then
    signalled TERM 143
    signalled INT 130
fi

echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 50 ]]
