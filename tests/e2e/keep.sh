#!/usr/bin/env bash
# `generate --keep` and `--watch`: a model that stays the same keeps its suite, to the byte; of one that changes, the tests
# that it still takes stay, under their names, and the rest is said. Whatever is written replays.
# shellcheck disable=SC2016 # backticks are what messages have
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# kept STATUS MODEL OLD NEW COUNTS [ARGUMENT…]: what is written replays, and this is what is said of it.
kept() {
    espalier "$1" generate "$2" --keep "$3" -o "$4" "${@:6}"
    shows "$5"
    cp out said
    cp "$4" written.xml
    espalier 0 replay "$2" written.xml --quiet
    cp said out
}

# ── the same model: nothing changes. (A limit that ended the first search may not end the second, which has less to do.)
find "$SOURCE_DIR/models" -name '*.scm' | sort >all
while IFS= read -r model; do
    name=$(basename "$model" .scm)
    timeout 300 "$ESPALIER" generate "$model" --depth 2 --step-limit 300000 --quiet -o "$name.xml" >out 2>err </dev/null
    judge "generate $name" "$(($? > 1))" out err
    timeout 300 "$ESPALIER" generate "$model" --depth 2 --step-limit 300000 --keep "$name.xml" -o again.xml >out 2>err </dev/null
    judge "generate $name again" "$(($? > 1))" out err
    shows "  $(grep -c '<test ' "$name.xml") kept, 0 changed, 0 added, 0 dropped"
    sed 's/complete="false"/complete="true"/; s/status="infeasible"/status="unreached"/' "$name.xml" >one
    sed 's/complete="false"/complete="true"/; s/status="infeasible"/status="unreached"/' again.xml >two
    cmp one two >said 2>&1
    judge "$name: the suite is the same" $? said
done <all

# ── changes of a model, one at a time
cat >desk.scm <<'SCM'
(define-message Login (name string))
(define-message Use (ticket int))
(define-message Bye)
(define-message Ticket (id int))
(define-message Answer (verdict (enum yes no)))
(define-port client (in Login Use Bye) (out Ticket Answer))
(define-machine (desk ticket)
  (state closed
    (on (client (Login name)) (where (not (equal? name ""))) -> open (with (ticket (fresh int)))))
  (state open
    (entry (write client (Ticket ticket)))
    (on (client (Use t))
        (cond ((equal? t ticket) (requirement "DESK-1") (write client (Answer 'yes)) (-> closed))
              (else (requirement "DESK-2") (write client (Answer 'no)))))
    (on (client Bye) (requirement "DESK-3") -> closed)))
(desk 0)
SCM
espalier 0 generate desk.scm -o desk.xml --cover requirements
shows 'desk.xml: 3 tests'
kept 0 desk.scm desk.xml again.xml '3 kept, 0 changed, 0 added, 0 dropped' --cover requirements
cmp -s desk.xml again.xml
judge "the same" $?

# Another answer
sed "s/(requirement \"DESK-2\") (write client (Answer 'no))/(requirement \"DESK-2\") (write client (Answer 'yes))/" desk.scm >answer.scm
kept 0 answer.scm desk.xml new.xml '2 kept, 1 changed, 0 added, 0 dropped' --cover requirements
shows 'changed: req-desk-2: output client (Answer no): verdict: expected no, found yes'
diff <(grep -o 'test id="[^"]*"' desk.xml) <(grep -o 'test id="[^"]*"' new.xml) >said
judge "names stay" $? said
# A value of the system's choice more: names of values move on, tests do not
sed 's/^(desk 0)/(write client (Ticket (fresh int)))\n(desk 0)/' desk.scm >more.scm
kept 0 more.scm desk.xml new.xml '0 kept, 3 changed, 0 added, 0 dropped' --cover requirements
grep -q 'ref="x2"' new.xml
judge "an input refers to the value of the run" $? new.xml
# A new requirement
sed 's/(requirement "DESK-3") -> closed/(requirement "DESK-3") -> closed)\n    (on (client (Login again)) (requirement "DESK-4") -> open/' desk.scm >new.scm
kept 0 new.scm desk.xml new.xml '3 kept, 0 changed, 1 added, 0 dropped' --cover requirements
shows 'added: req-desk-4'
# A message that is gone, and one that has another field
sed 's/ Bye) (out/) (out/; s/(on (client Bye).*/)/; s/(define-message Bye)//' desk.scm | sed 's/^    )$/    ))/' >gone.scm
kept 0 gone.scm desk.xml new.xml '2 kept, 0 changed, 0 added, 1 dropped' --cover requirements
shows 'dropped: req-desk-3: desk.xml:'
shows 'the model has no message `Bye`'
sed 's/(ticket int)/(number int)/' desk.scm >field.scm
kept 0 field.scm desk.xml new.xml '1 kept, 2 changed, 0 added, 0 dropped' --cover requirements
shows 'has no field `ticket`; another test takes its place'
sed 's/Ticket (id int)/Ticket (id int) (date int)/; s/(Ticket ticket)/(Ticket ticket 0)/' desk.scm >output.scm
kept 0 output.scm desk.xml new.xml '0 kept, 3 changed, 0 added, 0 dropped' --cover requirements # it was told what to send back
# An input that is refused
sed 's/(not (equal? name ""))/(equal? name "ada")/' desk.scm >refuse.scm
kept 0 refuse.scm desk.xml new.xml '0 kept, 3 changed, 0 added, 0 dropped' --cover requirements
shows 'changed: req-desk-1: input client (Login "a"): '
! grep -q 'added:\|dropped:' out
judge "no name is both added and dropped" $? out
# In place
cp desk.xml place.xml
kept 0 answer.scm place.xml place.xml '2 kept, 1 changed, 0 added, 0 dropped' --cover requirements
# In another format
espalier 0 generate desk.scm --keep desk.xml --format json -o kept.json --cover requirements
grep -c '"id": "req-desk' kept.json | grep -qx 3
judge "kept tests as JSON" $? kept.json

# ── by hand: first, under their names, also where others cover the same; names of values stay
cat >hand.xml <<'XML'
<suite xmlns="urn:espalier:suite:1" model="desk.scm">
  <test id="my-own">
    <input port="client" message="Login"><field name="name" type="string">ada</field></input>
    <output port="client" message="Ticket"><field name="id" type="int" bind="ticket"/></output>
    <input port="client" message="Use"><field name="ticket" type="int" not="ticket">5</field></input>
    <output port="client" message="Answer"><field name="verdict" type="enum">no</field></output>
    <input port="client" message="Use"><field name="ticket" type="int" ref="ticket"/></input>
    <output port="client" message="Answer"><field name="verdict" type="enum">yes</field></output>
  </test>
  <test id="req-desk-3">
    <input port="client" message="Login"><field name="name" type="string">bob</field></input>
    <output port="client" message="Ticket"><field name="id" type="int" any="true"/></output>
  </test>
</suite>
XML
kept 0 desk.scm hand.xml new.xml '2 kept, 0 changed, 1 added, 0 dropped' --cover requirements
grep -q '<test id="my-own"' new.xml && grep -q 'bind="ticket"' new.xml && grep -q 'not="ticket"' new.xml && grep -q 'ref="ticket"' new.xml && grep -q 'any="true"' new.xml
judge "names that a person gave" $? new.xml
grep -q '<test id="req-desk-3-2"' new.xml
judge "a new test does not take the name of a kept one" $? new.xml
kept 0 desk.scm new.xml newer.xml '3 kept, 0 changed, 0 added, 0 dropped' --cover requirements
cmp -s new.xml newer.xml
judge "and so it stays" $?
kept 0 more.scm new.xml newer.xml '0 kept, 3 changed, 0 added, 0 dropped' --cover requirements
grep -q 'ref="ticket"' newer.xml
judge "names that a person gave move with their values" $? newer.xml
# A test that says what nobody can send
sed 's/ref="ticket"/ref="other"/' hand.xml >other.xml
kept 0 desk.scm other.xml new.xml '1 kept, 0 changed, 3 added, 1 dropped' --cover requirements

# ── errors of the model: shown once
printf '(define n (read (int 0 9)))\n(checkpoint a)\n(assert (< n 9))' >errs.scm
espalier 1 generate errs.scm --cover all -o errs.xml
kept 1 errs.scm errs.xml new.xml "$(grep -c '<test ' errs.xml) kept, 0 changed, 0 added, 0 dropped" --cover all
cmp -s errs.xml new.xml
judge "a test that shows an error stays, and stays alone" $? new.xml
shows 'model error at errs.scm:3:'
kept 1 errs.scm errs.xml new.xml "$(grep -c '<test ' errs.xml) kept, 0 changed, 0 added, 0 dropped"
shows 'model error at errs.scm:3:'
printf '(define n (read (int 0 9)))\n(checkpoint a)\n(assert (< n 99))' >errs.scm
kept 0 errs.scm errs.xml new.xml '1 changed, 0 added, 0 dropped' --cover checkpoints
shows 'changed: error-'
# Choices and schedules
cat >race.scm <<'SCM'
(define-channel c)
(spawn (send c 1) (write 1))
(spawn (send c 2) (write 2))
(define a (receive c))
(if (= a 2) (checkpoint second))
(choose (checkpoint left) (checkpoint right))
(receive c)
SCM
espalier 0 generate race.scm --schedules all -o race.xml
kept 0 race.scm race.xml new.xml "$(grep -c '<test ' race.xml) kept, 0 changed, 0 added, 0 dropped" --schedules all
cmp -s race.xml new.xml
judge "choices and schedules" $? new.xml

# ── what is no suite
espalier 2 generate desk.scm --keep no-such.xml
shows 'cannot read `no-such.xml`'
espalier 2 generate desk.scm --keep desk.scm
espalier 2 generate desk.scm --keep "$SOURCE_DIR/testgen/suite/suite.xsd"
shows 'the root element of a suite is'
printf '<!DOCTYPE a [<!ENTITY b "c">]><suite xmlns="urn:espalier:suite:1" model="desk.scm">&b;</suite>' >entity.xml
espalier 2 generate desk.scm --keep entity.xml
espalier 2 generate desk.scm --watch --format json
shows 'tests are kept from suites as XML'

# ── --watch
mkdir watched
printf '(include "part.scm")\n(read int)\n' >watched/m.scm
printf '(checkpoint one)\n' >watched/part.scm
"$ESPALIER" generate watched/m.scm --watch -o watched/m.xml >watched/out 2>watched/err </dev/null &
pid=$!
# seen N TEXT FILE: waits until the text was written so often.
seen() {
    local i
    for ((i = 0; i < 600; i++)); do
        [[ $(grep -cF -e "$2" "$3") -lt $1 ]] || break
        sleep 0.1
    done
    [[ $(grep -cF -e "$2" "$3") -ge $1 ]]
    judge "watch: $2, $1 times" $? watched/out watched/err
}
seen 1 'waiting for a change of watched/m.scm or what it includes' watched/err
printf '(checkpoint one)\n(if (= (read int) 5) (checkpoint two))\n' >watched/part.scm.new
mv watched/part.scm.new watched/part.scm
seen 2 'waiting for a change' watched/err
seen 1 '1 kept, 0 changed, 2 added' watched/out
grep -q 'cp:two' watched/m.xml
judge "watch: the suite is for the model as it is now" $? watched/m.xml
printf '(checkpoint one\n' >watched/part.scm
seen 3 'waiting for a change' watched/err
grep -q 'part.scm:1:1: error' watched/err
judge "watch: a model with an error is waited for" $? watched/err
printf '(checkpoint one)\n(checkpoint three)\n' >watched/part.scm
seen 4 'waiting for a change' watched/err
grep -q 'cp:three' watched/m.xml
judge "watch: and goes on when it is mended" $? watched/m.xml
rm watched/m.xml
printf '(checkpoint four)\n' >watched/part.scm
seen 5 'waiting for a change' watched/err
grep -q 'cp:four' watched/m.xml
judge "watch: a suite that somebody has removed is made anew" $? watched/m.xml watched/err
kill -INT $pid
wait $pid
[[ $? -eq 130 ]]
judge "watch: Ctrl-C ends it" $? watched/err

conclude 1
