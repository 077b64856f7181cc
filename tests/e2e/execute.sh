#!/usr/bin/env bash
# `execute` end to end, with real adapter processes: the example of docs/execute.md; adapters that crash, hang, babble and
# flood; signals; what is left in the files whatever ends the run; exit statuses; hostile suites. Adapters that must hang
# are waited for with a time-out of a few seconds, all others end by themselves: no test depends on how long things take.
# shellcheck disable=SC2016 # messages and hostile words have backquotes
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null && command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# execute STATUS ARGUMENT…: standard output in `out`, standard error in `err`; within `limits`, for ulimit.
limits=(-c 0)
execute() {
    local wanted=$1 status
    shift
    (ulimit "${limits[@]}" && exec timeout 300 "$ESPALIER" execute "$@") >out 2>err </dev/null
    status=$?
    [[ $status -eq $wanted ]]
    judge "execute $*: exit status $status, expected $wanted" $? out err
}

# eventually COMMAND…: it succeeds after a while, at most a minute.
eventually() {
    local i
    for ((i = 0; i < 600; i++)); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}
gone() { ! kill -0 "$1" 2>/dev/null; }

# adapter NAME BODY: a script that answers `reset` and `wait`, and does BODY for an input, whose line is in $line.
adapter() {
    cat >"$1" <<END
while read -r line; do
    case \$line in
        *'"type":"reset"'*) echo '{"type":"reset"}'; echo '{"type":"quiet"}' ;;
        *'"type":"wait"'*) echo '{"type":"wait"}'; echo '{"type":"quiet"}' ;;
        *) $2 ;;
    esac
done
END
}

# block NAME: the fenced block of docs/execute.md that is that file.
block() {
    awk -v name="file=$1" '/^```/ { inside = !inside && index($0, name); next } inside' \
        "$SOURCE_DIR/docs/execute.md" >"$1"
    [[ -s $1 ]]
    judge "docs/execute.md has $1" $?
}

# ── The example, as the document has it ──
block desk.scm
block desk.py
[[ $(grep -c . desk.py) -le 30 ]]
judge "the example has 30 lines at most" $? desk.py
"$ESPALIER" generate desk.scm --cover all --quiet -o desk.xml
judge "a suite of the desk" $?
execute 0 desk.xml --model desk.scm --results results.json --junit junit.xml -- python3 desk.py
tests=$(grep -c '<test ' desk.xml)
shows "desk.xml: $tests of $tests tests passed"
hides fail
xmllint --noout --schema "$SOURCE_DIR/tests/junit/junit.xsd" junit.xml >said 2>&1
judge "the JUnit file is valid" $? said
python3 - "$tests" >said 2>&1 <<'END'
import json, sys
results = json.load(open("results.json"))
assert results["complete"] is True and results["passed"] == int(sys.argv[1]), results
assert results["adapter"] == ["python3", "desk.py"]
assert all(t["verdict"] == "pass" and "lines" not in t for t in results["tests"])
END
judge "results.json" $? said
first=$(grep -oE '<test id="[^"]+' desk.xml | head -n 1 | cut -d '"' -f 2)
execute 0 desk.xml --test "$first" -- python3 desk.py
shows "1 of 1 test passed"
execute 0 --test "$first" desk.xml --quiet -- python3 desk.py
[[ ! -s out && ! -s err ]]
judge "--quiet is quiet" $? out err
# A real clock: the test that waits takes as long as the time unit says.
sed 's/left -= ask\["units"\]/import time; time.sleep(ask["seconds"]); left -= ask["units"]/' desk.py >slow.py
execute 0 desk.xml --time-unit 0.01 -- python3 slow.py

# The verdicts in the page of `generate`
"$ESPALIER" generate desk.scm --cover all --quiet -o desk.xml --report desk.html
judge "a page of the desk" $?
execute 0 desk.xml --report desk.html -- python3 desk.py
[[ $(grep -oF '"verdict": "pass"' desk.html | wc -l) -eq $tests ]]
judge "the page has $tests verdicts" $?
execute 2 desk.xml --report desk.xml -- python3 desk.py # the suite itself
execute 2 desk.xml --report results.json -- python3 desk.py
shows "is no page that generate --report has written"
execute 2 desk.xml --report missing.html -- python3 desk.py
[[ ! -e missing.html ]]
judge "no page is made" $?
execute 2 desk.xml --results same --junit same -- python3 desk.py

# ── Suites for the adapters below: three tests, each with one input and one answer ──
{
    echo '<suite xmlns="urn:espalier:suite:1" model="m.scm">'
    for id in a b c; do
        echo "<test id='$id'><input port='p' message='Ask'><field name='id' type='enum'>$id</field></input>"
        echo "<output port='p' message='Yes'/></test>"
    done
    echo '</suite>'
} >three.xml
yes='echo '\''{"type":"output","port":"p","message":"Yes"}'\''; echo '\''{"type":"quiet"}'\'''
adapter good.sh "$yes"
execute 0 three.xml -- bash good.sh
shows "3 of 3 tests passed"

# When the second test comes: died, was killed, closed its output, babbles, says too much, reports an error.
adapter died.sh "if [[ \$line == *'\"b\"'* ]]; then echo 'my last words' >&2; exit 3; fi; $yes"
execute 1 three.xml --results r.json --junit j.xml -- bash died.sh
shows "error b (three.xml:4:2): the adapter exited with status 3"
shows "the adapter said: my last words"
shows "2 of 3 tests passed, 1 error"
adapter killed.sh "if [[ \$line == *'\"b\"'* ]]; then kill -SEGV \$\$; fi; $yes"
execute 1 three.xml -- bash killed.sh
shows "the adapter was ended by signal 11"
shows "2 of 3 tests passed, 1 error"
adapter closes.sh "if [[ \$line == *'\"b\"'* ]]; then exec >&-; sleep 600; fi; $yes"
execute 1 three.xml -- bash closes.sh
shows "error b (three.xml:4:2): the adapter closed its standard output"
shows "2 of 3 tests passed, 1 error"
adapter babbles.sh "if [[ \$line == *'\"b\"'* ]]; then head -c 5000 /dev/urandom | tr -d '\\n'; echo; fi; $yes"
execute 1 three.xml -- bash babbles.sh
shows "error b (three.xml:4:2): the adapter broke the protocol: this is not JSON"
LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out err
judge "no control character of the adapter's reaches the terminal" $((1 - $?)) out err
adapter long.sh "if [[ \$line == *'\"b\"'* ]]; then head -c 100000000 /dev/zero | tr '\\0' '['; echo; fi; $yes"
limits=(-v 400000) # a line of 100 MB is not kept
execute 1 three.xml -- bash long.sh
limits=(-c 0)
shows "a line of more than 4 MiB"
shows "2 of 3 tests passed, 1 error"
adapter flood.sh "if [[ \$line == *'\"b\"'* ]]; then while echo '{\"type\":\"output\",\"port\":\"p\",\"message\":\"Yes\"}'; do :; done; fi; $yes"
execute 1 three.xml --timeout 3 -- bash flood.sh
shows "fail b (three.xml:4:2): an output came that the test does not expect"
adapter reports.sh "if [[ \$line == *'\"b\"'* ]]; then echo '{\"type\":\"error\",\"text\":\"the system \\u001b[31m crashed\"}'; else $yes; fi"
execute 1 three.xml -- bash reports.sh
shows 'error b (three.xml:4:2): the adapter reported: the system \x1b;[31m crashed'
shows "2 of 3 tests passed, 1 error"
adapter other.sh "if [[ \$line == *'\"b\"'* ]]; then echo '{\"type\":\"output\",\"port\":\"p\",\"message\":\"No\\u009b31m\"}'; echo '{\"type\":\"quiet\"}'; else $yes; fi"
execute 1 three.xml -- bash other.sh
shows '+ output p (No\x9b;31m)'
shows "2 of 3 tests passed, 1 failed"

# Hangs: in the second test, deaf to SIGTERM and with a process of its own; in every reset; without reading at all.
sed -i "s/<test id='b'>/<test id='b'><wait units='0'\\/>/" three.xml
adapter hangs.sh "$yes"
sed -i "s/echo '{\"type\":\"wait\"}'/trap '' TERM; sleep 600 \& echo \$! >sleeper; wait/" hangs.sh
execute 1 three.xml --timeout 3 -- bash hangs.sh
shows 'error b (three.xml:4:2): the adapter did not answer `wait` within 3 s'
shows "2 of 3 tests passed, 1 error"
eventually gone "$(cat sleeper)"
judge "what a hanging adapter started is ended with it" $?
sed "s/<\\/suite>/<test id='d'\\/><test id='e'\\/><\\/suite>/" three.xml >five.xml
execute 1 five.xml --timeout 1 -- sleep 600
shows 'the adapter did not answer `reset` within 1 s'
shows "0 of 5 tests passed, 3 errors, 2 not run"
shows "the adapter failed 3 times in a row before a test could begin"
execute 1 three.xml --timeout 1 -- bash -c 'exit 0'
shows "the adapter exited with status 0"
{
    echo '<suite xmlns="urn:espalier:suite:1" model="m.scm"><test id="large">'
    echo '<input port="p" message="M"><field name="f" type="string">'
    head -c 3000000 /dev/zero | tr '\0' 'x'
    echo '</field></input><output port="p" message="Yes"/></test></suite>'
} >large.xml
execute 1 large.xml --timeout 1 -- bash -c 'read -r line; echo "{\"type\":\"reset\"}"; sleep 600'
shows "fail large"
execute 0 large.xml -- bash good.sh
execute 0 three.xml -- bash -c 'bash good.sh; exit 7'
shows "warning: after the last test the adapter exited with status 7"

# ── Nothing is ever given to a shell ──
execute 2 three.xml -- 'touch shell; $(touch shell)' '`touch shell`'
shows "cannot start the adapter"
sed 's/<field name=.id. type=.enum.>a/<field name="id" type="string">`touch shell`$(touch shell);touch shell/' three.xml >shell.xml
execute 0 shell.xml -- bash good.sh
[[ ! -e shell ]]
judge "no shell ran anything" $?

# ── Usage ──
execute 2 three.xml
shows "-- ADAPTER"
execute 2 three.xml --
execute 2 -- bash good.sh
execute 2 three.xml extra -- bash good.sh
execute 2 missing.xml -- bash good.sh
execute 2 three.xml --test d -- bash good.sh
shows 'the suite has no test `d`'
execute 2 three.xml --timeout 0 -- bash good.sh
execute 2 three.xml --quiet-time soon -- bash good.sh
execute 2 three.xml --time-unit -1 -- bash good.sh
execute 2 three.xml -- ./no-such-program
shows "cannot start the adapter"
execute 2 three.xml --results no/such/folder.json -- bash good.sh
shows "cannot write"
execute 2 three.xml --junit three.xml -- bash good.sh
shows "would be lost"
execute 2 three.xml --model desk.scm -- bash good.sh # the suite is not for that model
execute 2 three.xml --model missing.scm -- bash good.sh
if [[ -e /dev/full ]]; then
    execute 2 three.xml --results /dev/full -- bash good.sh
    shows "No space left"
fi
"$ESPALIER" execute three.xml -- bash good.sh >/dev/full 2>err
[[ $? -eq 2 ]]
judge "standard output is full" $? err

# ── Other schedules and choices of the model ──
cat >choose.scm <<'END'
(define-message Ask) (define-message Yes) (define-message No) (define-message Odd)
(define-port p (in Ask) (out Yes No Odd))
(define (loop) (read p) (choose (write p (Yes)) (write p (No))) (checkpoint done) (loop))
(loop)
END
"$ESPALIER" generate choose.scm --depth 3 --quiet -o choose.xml
grep -q '<choice taken="0"' choose.xml
judge "a suite with a choice" $? choose.xml
adapter no.sh "${yes/Yes/No}"
adapter odd.sh "${yes/Yes/Odd}"
execute 0 choose.xml --model choose.scm --junit j.xml -- bash no.sh
shows "another schedule or choice of the model allows what was seen"
grep -q '<skipped' j.xml
judge "inconclusive is skipped" $? j.xml
execute 1 choose.xml --model choose.scm -- bash odd.sh
shows "1 failed"
execute 1 choose.xml -- bash no.sh # nobody knows
shows "--model"
shows "1 inconclusive"

# ── Values that differ by the model: sessions that are open together; the suite says so, and the system must ──
cat >sessions.scm <<'END'
(define-message Open) (define-message Opened (session int))
(define-message Close (session int)) (define-message Closed (ok bool))
(define-port server (in Open Close) (out Opened Closed))
(define (serve sessions)
  (select
    ((server Open) (where (< (length sessions) 2))
     (let ((id (fresh int sessions)))
       (write server (Opened id))
       (if (pair? sessions) (checkpoint two))
       (serve (cons id sessions))))
    ((server (Close id)) (where (pair? sessions))
     (write server (Closed (if (member id sessions) #t #f)))
     (if (and (pair? sessions) (equal? id (car sessions))) (checkpoint last))
     (serve (filter (lambda (other) (not (equal? other id))) sessions)))))
(serve '())
END
"$ESPALIER" generate sessions.scm --target cp:two --quiet -o sessions.xml
judge "a suite of sessions" $?
grep -q 'bind="x2" not="x1"' sessions.xml
judge "two sessions that are open differ" $? sessions.xml
valid sessions.xml
"$ESPALIER" replay sessions.scm sessions.xml >out 2>&1
judge "on the model they do" $? out
opened='echo "{\"type\":\"output\",\"port\":\"server\",\"message\":\"Opened\",\"fields\":{\"session\":$n}}"; echo "{\"type\":\"quiet\"}"'
adapter counts.sh "n=\$((n + 1)); $opened"
execute 0 sessions.xml -- bash counts.sh
adapter same.sh "n=7; $opened"
execute 1 sessions.xml -- bash same.sh
shows "session: expected a value other than that of x1, found 7"
execute 1 sessions.xml --model sessions.scm -- bash same.sh # no other run of the model allows it
shows "session: expected a value other than that of x1, found 7"
hides inconclusive
sed 's/ not="x1"//' sessions.xml >anything.xml
execute 0 anything.xml -- bash same.sh

# ── What the system may choose: the model says so, and the suite does ──
cat >tags.scm <<'END'
(define-type tag (int 1 65535))
(define-message Open) (define-message Opened (session int))
(define-port server (in Open) (out Opened))
(read server)
(write server (Opened (fresh tag)))
(checkpoint done)
(read server)
END
"$ESPALIER" generate tags.scm --quiet -o tags.xml
grep -q 'bind="x1" within="(int 1 65535)"' tags.xml
judge "a range" $? tags.xml
valid tags.xml
"$ESPALIER" replay tags.scm tags.xml >out 2>&1
judge "a range, on the model" $? out
execute 0 tags.xml -- bash same.sh # 7
adapter zero.sh "n=0; $opened"
execute 1 tags.xml -- bash zero.sh
shows "session: expected a value of (int 1 65535), found 0"
execute 1 tags.xml --model tags.scm -- bash zero.sh
adapter large.sh "n=65536; $opened"
execute 1 tags.xml -- bash large.sh
shows "found 65536"
sed 's/65535/70000/' tags.xml >wide.xml
execute 0 wide.xml -- bash large.sh
"$ESPALIER" replay tags.scm wide.xml >out 2>&1
[[ $? -eq 1 ]] && grep -qF 'the model says (int 1 65535)' out
judge "another range than the model's" $? out
sed 's/(int 1 65535)/tag/' tags.xml >named.xml
execute 2 named.xml -- bash same.sh

# ── Signals: what was found is written, the adapter is ended; what SIGKILL leaves ──
adapter stops.sh "if [[ \$line == *'\"b\"'* ]]; then echo \$\$ >pid; sleep 600; fi; $yes"
for signal in INT TERM KILL; do
    rm -f pid r.json j.xml
    # A background process of a script ignores SIGINT unless it is told otherwise.
    python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])' \
        "$ESPALIER" execute three.xml --timeout 300 --results r.json --junit j.xml -- bash stops.sh >out 2>err </dev/null &
    espalier=$!
    eventually test -s pid
    judge "$signal: the second test has begun" $? out err
    kill -s "$signal" "$espalier"
    wait "$espalier" 2>/dev/null
    status=$?
    [[ $status -eq $((128 + $(kill -l "$signal"))) ]]
    judge "$signal: exit status $status" $? out err
    if [[ $signal == KILL ]]; then
        kill -- "-$(cat pid)" # it sleeps; otherwise it would see the end of its input
    else
        eventually gone "$(cat pid)"
        judge "$signal: the adapter is ended" $?
        shows "1 of 3 tests passed, 2 not run"
    fi
    python3 - >said 2>&1 <<'END'
import json
results = json.load(open("r.json"))
assert results["complete"] is False, results
assert [t["verdict"] for t in results["tests"]] == ["pass", "not run", "not run"], results
END
    judge "$signal: results so far" $? said
    xmllint --noout --schema "$SOURCE_DIR/tests/junit/junit.xsd" j.xml >said 2>&1
    judge "$signal: JUnit so far" $? said
done
compgen -G '*.part*' >said
judge "no unfinished file is left" $((1 - $?)) said

# ── A live line on a terminal, none elsewhere ──
python3 - "$ESPALIER" >said 2>&1 <<'END'
import os, pty, sys
shown = b""
def read(fd):
    global shown
    data = os.read(fd, 1024)
    shown += data
    return data
status = pty.spawn([sys.argv[1], "execute", "three.xml", "--timeout", "1", "--", "sleep", "600"], read)
assert os.waitstatus_to_exitcode(status) == 1, status
assert b"\r\x1b[K" in shown and b"test 1 of 3: a" in shown, shown
END
judge "a live line on a terminal" $? said
execute 1 three.xml --timeout 1 -- sleep 600
hides "test 1 of 3"

# ── Hostile suites are refused; the limits make it quick ──
python3 - <<'END'
head = '<suite xmlns="urn:espalier:suite:1" model="m.scm">'
laughs = "".join(f'<!ENTITY l{i} "{f"&l{i-1};" * 10}">' for i in range(1, 10))
open("laughs.xml", "w").write(f'<!DOCTYPE suite [<!ENTITY l0 "ha">{laughs}]>{head}<test id="t">&l9;</test></suite>')
open("external.xml", "w").write(f'<!DOCTYPE suite [<!ENTITY x SYSTEM "file:///etc/passwd">]>{head}&x;</suite>')
deep = 300000
nested = '<item type="list">' * deep + "</item>" * deep
field = f'<input port="p" message="M"><field name="f" type="list">{nested}</field></input>'
open("deep.xml", "w").write(f'{head}<test id="t">{field}</test></suite>')
open("twice.xml", "w").write(f"{head}{'<test id=%ssame%s/>' % (chr(34), chr(34)) * 300000}</suite>")
END
for file in laughs external deep twice; do
    limits=(-t 20 -v 1000000)
    execute 2 "$file.xml" -- bash good.sh
    (ulimit -t 20 && exec timeout 300 "$ESPALIER" replay choose.scm "$file.xml") >out 2>err
    [[ $? -eq 2 ]]
    judge "$file.xml is refused by replay" $? out err
done

conclude 1
