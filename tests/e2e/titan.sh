#!/usr/bin/env bash
# TTCN-3, read by Eclipse Titan: every shipped model's suite passes its semantic check, and so does one with hostile names;
# the suite of tests/ttcn3/desk.scm is built and run against test ports that play the desk, well and badly, with the
# verdicts that are due.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# Some other packages have a program of that name.
[[ $(compiler -v 2>&1) == *TTCN-3* ]] && command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# checked MODEL ARGUMENT…
checked() {
    local name
    name=$(basename "$1" .scm)
    timeout 300 "$ESPALIER" generate "$@" --quiet --format ttcn3 -o "$name.ttcn" >out 2>err </dev/null
    judge "generate $name" "$(($? > 1))" out err
    compiler -s "$name.ttcn" >said 2>&1
    judge "$name: Titan's check" $? said
    grep -q 'No errors' said
    judge "$name: no errors" $? said
    [[ $(grep -c '^testcase ' "$name.ttcn") -eq $(grep -c '^  execute(' "$name.ttcn") ]]
    judge "$name: every test case is executed" $?
}

find "$SOURCE_DIR/models" -name '*.scm' | sort >all
while IFS= read -r model; do checked "$model" --depth 2 --step-limit 300000; done <all
checked "$SOURCE_DIR/tests/ttcn3/hostile.scm"
checked "$SOURCE_DIR/tests/bugs/names_that_xml_cannot_carry.scm"
cat >race.scm <<'SCM'
(define-channel c)
(spawn (send c 1) (write 1))
(spawn (send c 2) (write 2))
(define a (receive c))
(if (= a 2) (checkpoint second))
(define n (read (int 0 9)))
(choose (write 'left) (write 'right))
(assert (< n 9))
SCM
checked race.scm --schedules all --cover all

# Values that must differ, of one type, of two, and bare
cat >apart.scm <<'SCM'
(define-type tag (int 0 9))
(define-message M (n int) (t tag) (s string) (l (list-of int 2)))
(define-port p out M)
(define a (fresh int)) (define b (fresh tag)) (define c (fresh int)) (define d (fresh int)) (define e (fresh string))
(equal? a b)
(equal? b d)
(checkpoint here)
(write p (M a b "" (list c)))
(write d)
(write p (M 1 2 e '()))
SCM
checked apart.scm
grep -q 'match(x_x4, T_value:{ number := x_x1 })' apart.ttcn && grep -q 'x_x2 == x_x1' apart.ttcn && grep -q 'x_x3 == x_x1' apart.ttcn
judge "values that must differ are compared" $? apart.ttcn
grep -qF 'f_t := (0 .. 9)' apart.ttcn
judge "a range of integers" $? apart.ttcn

# By hand: a value that nothing has bound
cat >hand.scm <<'SCM'
(define-message Use (ticket int))
(define-message Ticket (id int))
(define-port client (in Use) (out Ticket))
(write client (Ticket (fresh int)))
(read client)
SCM
cat >hand.xml <<'XML'
<suite xmlns="urn:espalier:suite:1" model="hand.scm">
  <test id="a">
    <output port="client" message="Ticket"><field name="id" type="int" bind="ticket"/></output>
    <input port="client" message="Use"><field name="ticket" type="int" ref="other"/></input>
  </test>
</suite>
XML
"$ESPALIER" export hand.scm hand.xml --format ttcn3 -o hand.ttcn && compiler -s hand.ttcn >said 2>&1
judge "a suite by hand" $? said

checked "$SOURCE_DIR/tests/bugs/open_end.scm"
grep -q 'left open' open_end.ttcn
judge "open ends" $? open_end.ttcn

# ── built and run, with a test whose end is open, and the same where it is not
cp "$SOURCE_DIR"/tests/ttcn3/* .
"$ESPALIER" generate desk.scm --quiet -o desk.xml >said 2>&1
judge "the suite of the desk" $? said
python3 - >said 2>&1 <<'PY'
import re
suite = open("desk.xml", encoding="utf-8").read()
test = re.search(r'<test id="req-desk-3".*?(?=<wait )', suite, re.S).group(0) + "</test>"
test = re.sub(r"<covers [^>]*>", "", test)
two = test.replace('id="req-desk-3"', 'id="open" end="open"') + test.replace('id="req-desk-3"', 'id="shut"')
open("both.xml", "w", encoding="utf-8").write(suite.replace("<targets>", two + "<targets>"))
PY
judge "a test whose end is open" $? said
"$ESPALIER" export desk.scm both.xml --format ttcn3 -o desk-suite.ttcn >said 2>&1 && compiler desk-suite.ttcn >said 2>&1 &&
    c++ -DLINUX -I. -I/usr/include/titan -c Suite_desk.cc >said 2>&1 &&
    c++ -o desk Suite_desk.o -L/usr/lib/titan -lttcn3 -lxml2 -lssl -lcrypto -lpthread -lm >said 2>&1
judge "the suite of the desk is built" $? said

# verdicts FAULT EXPECTED: of the tests for a deadline, for a wrong ticket, for a ticket that is used, and of the two that
# end after the log-in, open and not.
verdicts() {
    cat >desk.cfg <<CFG
[MODULE_PARAMETERS]
Suite_desk.par_unit := 0.1
Suite_desk.par_timeout := 1.0
Suite_desk.par_quiet := 0.05
[TESTPORT_PARAMETERS]
*.p_client.fault := "$1"
*.p_client.unit := "0.1"
[LOGGING]
LogFile := "desk.log"
FileMask := TESTCASE | ERROR
ConsoleMask := ERROR
[EXECUTE]
Suite_desk.tc_req_desk_3
Suite_desk.tc_branch_desk_open_1_else
Suite_desk.tc_branch_desk_open_1_then
Suite_desk.tc_open
Suite_desk.tc_shut
CFG
    rm -f desk.log
    timeout 120 ./desk desk.cfg >said 2>&1
    found=$(sed -nE 's/.*Test case .* finished\. Verdict: ([a-z]+).*/\1/p' desk.log | tr '\n' ' ')
    [[ $found == "$2 " ]]
    judge "desk with fault '$1': $found, expected $2" $? desk.log
}
verdicts none 'pass pass pass pass pass'
verdicts yes 'pass fail pass pass pass'      # says yes to any ticket
verdicts zero 'pass inconc fail pass pass'   # chooses what the tester sends; and gives the same ticket twice
verdicts same 'pass pass fail pass pass'     # the same ticket twice
verdicts silent 'fail fail fail fail fail'   # no answer
verdicts twice 'fail fail fail pass fail'    # an answer too many
verdicts name 'fail fail fail fail fail'     # another value on the other port
verdicts early 'fail fail fail pass fail'    # does not wait
verdicts late 'fail pass pass pass pass'     # waits for ever

conclude 1
