#!/usr/bin/env bash
# `check` and `run` as a script or a person meets them: exit statuses, where output goes, inputs from a file, a pipe and
# a terminal, the trace, JSON, and wrong usage of every command.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
skipped=0

# run STATUS ARGUMENT…: espalier, with standard input from the file `in`, output in `out` and `err`; STATUS is expected.
run() {
    local wanted=$1 status
    shift
    timeout 120 "$ESPALIER" "$@" <in >out 2>err
    status=$?
    last="espalier $*"
    : >in
    [[ $status -eq $wanted ]] && return
    judge "$last: exit status $status, expected $wanted" 1 out err
    return 1
}

# same NAME FILE TEXT: the file holds exactly the text.
same() {
    diff -u --label "expected $1" --label found <(printf '%s' "$3") "$2"
    judge "$1 ($last)" $?
}

# holds NAME FILE PATTERN…: each basic regular expression matches a line of the file.
holds() {
    local name=$1 file=$2 pattern
    shift 2
    for pattern in "$@"; do
        grep -q -e "$pattern" "$file"
        judge "$name ($last): a line matches $pattern" $? "$file"
    done
}

empty() { same "$1" "$2" ""; }

: >in
cat >good.scm <<'SCM'
(define-message Coin (value int))
(define-message Push)
(define-message Open (credit int))
(define-port user in Coin Push)
(define-port gate out Open)
(define-machine (turnstile credit)
  (state locked
    (on (user (Coin v)) (set! credit (+ credit v)) (if (>= credit 3) (-> unlocked)))
    (ignores user))
  (state unlocked
    (entry (write gate (Open credit)) (checkpoint opened))
    (on (user Push) -> (locked (- credit 3)))
    (after 10 -> (locked 0))))
(turnstile 0)
SCM
cat >bad.scm <<'SCM'
(define (f x) (+ x y))
(f 1 2)
SCM
cat >warned.scm <<'SCM'
(define (unused) 1)
SCM
cat >fails.scm <<'SCM'
(define (half n) (/ 10 n))
(display "before ")
(write (+ 1 (half 0)))
SCM
cat >plain.scm <<'SCM'
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(write (fact 20))
(display "λ text")
(newline)
(write "a\nb")
SCM

# ── check
run 0 check good.scm && empty "check: nothing on standard output" out && same "check: a good model" err "good.scm: no errors, no warnings
"
run 2 check bad.scm && empty "check: diagnostics are not output" out &&
    holds "check: errors" err '^bad.scm:1:20: error: ' '^bad.scm:2:1: error: ' '^  (define (f x) (+ x y))$' '^  *^' '^bad.scm: 2 errors, no warnings$'
run 0 check warned.scm && holds "check: warnings are no errors" err '^warned.scm:1:10: warning: ' '^warned.scm: no errors, 1 warning$'
run 2 check missing.scm && holds "check: no such file" err 'missing.scm.*No such file or directory'
run 2 check . && holds "check: a folder" err 'directory'
: >empty.scm
run 0 check empty.scm && empty "check: an empty file" out
for stage in read expand ir; do
    run 0 check --dump "$stage" plain.scm && holds "dump $stage" out fact
done
run 0 check --dump ir plain.scm && holds "dump ir" out '^lambda top' '^lambda fact' 'tailcall\|call' && cp out plain_ir
run 0 check --dump ir --prelude fails.scm && holds "dump with the prelude" out '^lambda half'
run 2 check --dump nothing plain.scm && holds "dump of what is not there" err 'dump'

# ── check --json
run 2 check --json bad.scm && empty "json: nothing on standard error" err &&
    holds "json" out '"file": *"bad.scm"' '"line": *1' '"column": *20' '"severity": *"error"' '"text":'
cp out errors.json
run 0 check --json good.scm && cp out none.json
printf '(foo "\x01\t\\ \xc3\xa9 </script>" %s)\n' "$(printf 'x%.0s' {1..300})" >odd.scm
run 2 check --json odd.scm && cp out odd.json
if command -v jq >/dev/null; then
    for file in errors.json none.json odd.json; do
        jq -e 'type == "array" and all(.[]; has("file") and has("line") and has("column") and has("severity") and has("text"))' "$file" >/dev/null
        judge "$file is the JSON that was promised" $? "$file"
    done
else
    skipped=$((skipped + 1))
fi

# ── run
run 0 run plain.scm && same "run: output and display, nothing else" out '2432902008176640000
λ text
"a\nb"
' && empty "run: no messages" err
run 1 run fails.scm && same "run: what came before the error" out 'before ' &&
    holds "run: a model error" err '^fails.scm:1:18: error: .*division by zero' '^  in half, at fails.scm:1:18' '^  at the top level, at fails.scm:3:13'
run 2 run bad.scm && empty "run: a wrong model does not run" out && holds "run: a wrong model" err '^bad.scm:1:20: error: '
run 2 run missing.scm && holds "run: no such model" err 'missing.scm'
printf '(assume (= 1 2)) (write 1)' >assumed.scm
run 0 run assumed.scm && empty "run: an assumption that fails ends the run" out

# ── run: inputs
printf '(user (Coin 2))\n(user (Push)) ; a comment\n(user (Coin 2))\n(user (Push))\n' >inputs
run 0 run good.scm --inputs inputs && same "inputs from a file" out '(gate (Open 4))
' && holds "inputs from a file" err '^checkpoint opened$' '^no more inputs$' '^the model waits for:$'
cp inputs in
run 0 run good.scm && same "inputs from a pipe" out '(gate (Open 4))
'
printf '(user (Coin 9)) (wait 4) (wait 6) (user (Coin 3))' >in
run 0 run good.scm && same "inputs on one line, and time" out '(gate (Open 9))
(gate (Open 3))
'
printf '(user (Coin 9))\n(user (Coin 1))\n(user (Push))\n' >inputs
run 1 run good.scm --inputs inputs && same "what came before a refused input" out '(gate (Open 9))
' && holds "a refused input" err '^inputs:2:1: refused: (user (Coin 1))' '(user (Push))'
printf '(usr (Coin 9))\n' >inputs
run 1 run good.scm --inputs inputs && holds "an unknown port" err '^inputs:1:1: refused: .*usr'
printf '(user (Coin "x"))\n' >inputs
run 1 run good.scm --inputs inputs && holds "a wrong field" err '^inputs:1:1: refused: .*value.*int'
printf '(user (Coin 9)\n' >inputs
run 2 run good.scm --inputs inputs && holds "inputs that cannot be read" err '^inputs:1:1: error: '
run 2 run good.scm --inputs missing && holds "no such inputs" err 'missing'
printf '(user (Coin 9))\n(quit)\n(user (Push))\n' >inputs
run 0 run good.scm --inputs inputs && same "quit" out '(gate (Open 9))
'
printf '(write (read (int 1 3)))\n(write (choose 1 2 3))' >bare.scm
printf '2\n(choose 2)\n' >in
run 0 run bare.scm && same "bare values and choices" out '2
3
'
printf '2\n(choose 4294967296)\n' >in
run 0 run bare.scm && same "a choice that is not there" out '2
1
' && holds "a choice that is not there" err 'no alternative'
printf '5\n' >in
run 1 run bare.scm && holds "a value outside its type" err 'refused: 5'

# ── run --trace, to the letter
printf '(user (Coin 1))\n(user (Push))\n(user (Coin 2))\n(wait 10)\n' >inputs
run 0 run good.scm --trace --inputs inputs && same "trace: output is as without" out '(gate (Open 3))
' && same "trace" err 'state turnstile/locked
input user (Coin 1)
set credit = 1
input user (Push)
input user (Coin 2)
set credit = 3
transition turnstile/locked#1 -> unlocked
state turnstile/unlocked
output gate (Open 3)
checkpoint opened
timeout timer 1
transition turnstile/unlocked#2 -> locked
set credit = 0
state turnstile/locked
no more inputs
the model waits for:
  (user (Coin value:int))
  (user (Push))
'

# ── output that cannot be written
if [[ -e /dev/full ]]; then
    timeout 60 "$ESPALIER" check --json good.scm >/dev/full 2>err </dev/null
    status=$?
    [[ $status -ne 139 && $status -ne 134 && $status -ne 124 ]]
    judge "espalier check --json > /dev/full: $status" $?
fi

# ── a person at a terminal
if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux &&
    script -qec true /dev/null >/dev/null 2>&1; then # a bare chroot may have no terminals
    # terminal LINES ARGUMENTS: the whole conversation in `talk.txt`.
    terminal() {
        printf '%s' "$1" | timeout 60 script -qec "$ESPALIER $2" /dev/null 2>&1 | tr -d '\r' >talk.txt
        last="espalier $2 on a terminal"
    }
    terminal $'(user (Coin 1))\n(user (Coni 1))\n(user (Coin 2))\n(wait 3)\n(quit)\n' "run good.scm"
    holds "terminal" talk.txt '^the model waits for:$' '^  (user (Coin value:int))$' '> ' 'refused: (user (Coni 1))' '(gate (Open 3))$' '(wait 10)   for '
    terminal $'2\n1\n' "run bare.scm"
    holds "terminal: bare values and choices" talk.txt 'a value of type (int 1 3)' 'choose 0..2> ' '^2$'
    terminal $'(user\n(Coin 1))\n(quit)\n' "run good.scm"
    holds "terminal: a line that cannot be read is said, and asked for again" talk.txt 'error: '
else
    skipped=$((skipped + 1))
fi

# ── wrong usage: status 2, one line on standard error that names --help, nothing on standard output
for arguments in "" check run generate pda "check a b" "run good.scm extra" "check --nothing good.scm" "run --inputs" \
    "generate --depth x good.scm" "generate --depth 0 good.scm" "generate --search up good.scm" "generate --time-limit -1 good.scm" \
    "pda --oracle v9 x" "chekc good.scm" "frobnicate" "check --json --dump ir good.scm" "--nothing"; do
    # shellcheck disable=SC2086 # words on purpose
    run 2 $arguments && empty "usage: standard output of '$arguments'" out && holds "usage: '$arguments'" err 'espalier'
done
run 2 chekc good.scm && holds "a slip of the pen" err 'did you mean .check.?'
run 0 --help && holds "help" out check run generate pda
run 0 run --help && holds "help of a command" out --inputs --trace
run 0 --version && holds "version" out '^espalier [0-9]'

((skipped == 0)) || echo "$skipped skipped"
conclude 51
