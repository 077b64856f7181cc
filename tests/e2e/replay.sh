#!/usr/bin/env bash
# `replay` end to end: every shipped model's suite replays; a suite that was changed does not, whatever was changed, unless
# the change means nothing; exit statuses; files that are no suites.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

replay() { espalier "$1" replay "${@:2}"; } # STATUS MODEL SUITE [ARGUMENT…]

# changed MODEL SUITE STATUS: changed.xml differs from the suite, is valid, and its replay ends so.
changed() {
    ! cmp -s "$2" changed.xml
    judge "a change of $2" $?
    valid changed.xml
    replay "$3" "$1" changed.xml
}

# Outputs and covers are elements of their own lines: without_nth N ELEMENT, with_nth_twice N ELEMENT, swap_nth N ELEMENT
# (with the next one, if that follows at once).
without_nth() {
    awk -v n="$1" -v e="$2" '
        !inside && index($0, "<" e " ") { if (++seen == n) { inside = 1; gone = 1 } }
        !inside { print }
        inside && (index($0, "</" e ">") || (index($0, "<" e " ") && index($0, "/>"))) { inside = 0 }'
}
with_nth_twice() {
    awk -v n="$1" -v e="$2" '
        index($0, "<" e " ") { ++seen; text = "" }
        { print; text = text $0 "\n" }
        seen == n && (index($0, "</" e ">") || (index($0, "<" e " ") && index($0, "/>"))) { printf "%s", text; seen = 1e9 }'
}
swap_nth() {
    awk -v n="$1" -v e="$2" '
        index($0, "<" e " ") { ++seen; inside = seen == n || seen == n + 1 }
        !inside { print; next }
        { text[seen] = text[seen] $0 "\n" }
        index($0, "</" e ">") || (index($0, "<" e " ") && index($0, "/>")) {
            inside = 0
            if (seen == n + 1) printf "%s%s", text[n + 1], text[n]
        }'
}

# ── every model: what is generated replays, and what is taken away or added is found
find "$SOURCE_DIR/models" -name '*.scm' | sort >all
while IFS= read -r model; do
    name=$(basename "$model" .scm)
    timeout 300 "$ESPALIER" generate "$model" --depth 2 --step-limit 300000 --quiet -o "$name.xml" >out 2>err </dev/null
    status=$?
    [[ $status -le 1 ]]
    judge "generate $name: exit status $status" $? out err
    valid "$name.xml"
    replay 0 "$model" "$name.xml"
    shows 'covered ('
    replay 0 "$model" "$name.xml" --quiet
    [[ ! -s out && ! -s err ]]
    judge "$name: --quiet prints nothing" $? out err
    for element in output covers; do
        for n in 1 7; do
            without_nth $n $element <"$name.xml" >changed.xml
            cmp -s "$name.xml" changed.xml && continue # it has not so many
            changed "$model" "$name.xml" 1
        done
    done
    with_nth_twice 1 output <"$name.xml" >changed.xml
    cmp -s "$name.xml" changed.xml || changed "$model" "$name.xml" 1
    sed '0,/status="covered" test="[^"]*"/s//status="unreached"/' "$name.xml" >changed.xml
    changed "$model" "$name.xml" 1
done <all

# ── every criterion, and every schedule
cat >race.scm <<'SCM'
(define-channel c)
(spawn (send c 1) (write 1))
(spawn (send c 2) (write 2))
(define a (receive c))
(define n (read (int 0 20)))
(define (classify n)
  (cond ((and (> n 5) (not (= n 7))) 'many)
        ((= a 2) (assert (< n 4)) 'second)
        (else 'few)))
(write (classify n))
(receive c)
SCM
timeout 60 "$ESPALIER" generate race.scm --cover all --schedules all -o race.xml >out 2>err </dev/null
[[ $? -eq 1 ]]
judge "generate race.scm finds the assertion that fails" $? out err
valid race.xml
replay 0 race.scm race.xml
for criterion in procedures branches conditions mcdc boundaries errors; do shows "$criterion"; done
grep -q '<schedule turn="1" of="1 2"/>' race.xml
judge "race.xml: a schedule" $? race.xml
sed '0,/<schedule turn="1" of="1 2"/s//<schedule turn="0" of="1 2"/' race.xml >changed.xml
changed race.scm race.xml 1
sed '0,/<schedule .*/s///' race.xml >changed.xml
changed race.scm race.xml 1
for prefix in proc branch cond mcdc bound error; do
    sed "0,/<covers target=\"$prefix:[^>]*>/s///" race.xml >changed.xml
    changed race.scm race.xml 1
    shows "+ covers $prefix:"
done

# ── one suite, each kind of change
door=$SOURCE_DIR/tests/golden/replay/door.scm
timeout 60 "$ESPALIER" generate "$door" --depth 3 --search dfs -o door.xml >out 2>err </dev/null
[[ $? -eq 1 ]]
judge "generate door.scm finds its model error" $? out err
valid door.xml
replay 0 "$door" door.xml
grep -c '<test ' door.xml | grep -qx 1
judge "a test that shows an error is there once" $? door.xml
sed '0,/>green</s//>red</' door.xml >changed.xml
changed "$door" door.xml 1
shows 'colour: expected red, found green'
sed '0,/>1234</s//>4321</' door.xml >changed.xml
changed "$door" door.xml 1
shows '- output panel (Lamp green 0)'
sed 's/units="30"/units="31"/' door.xml >changed.xml
changed "$door" door.xml 0 # the timer fires on the way
sed 's/units="30"/units="3"/' door.xml >changed.xml
changed "$door" door.xml 1
without_nth 2 output <door.xml >changed.xml
changed "$door" door.xml 1
shows '+ output printer (Log "open" (fresh-1))'
swap_nth 1 output <door.xml >changed.xml
changed "$door" door.xml 0 # between ports
swap_nth 3 output <door.xml >changed.xml
changed "$door" door.xml 1 # on one port
sed '0,/<covers/s//<covers target="cp:forgotten"\/>\n<covers/' door.xml | without_nth 7 covers | sed '0,/<wait /s//<wait units="1"\/><wait /;s/units="30"/units="28"/' >changed.xml
changed "$door" door.xml 1
shows '- covers cp:forgotten'
without_nth 2 covers <door.xml >changed.xml
changed "$door" door.xml 1
shows '+ covers req:DOOR-1'
sed 's/ error="[^"]*"//' door.xml >changed.xml
changed "$door" door.xml 1
shows '+ error too many wrong codes 2'
sed 's/error="too many wrong codes 2"/error="too many wrong codes 3"/' door.xml >changed.xml
changed "$door" door.xml 1
shows '- error too many wrong codes 3'
sed '0,/ref="x1"/s//bind="x2"/' door.xml >changed.xml
changed "$door" door.xml 1
shows 'expected x2, found x1'
sed 's/="x1"/="visit"/' door.xml >changed.xml
changed "$door" door.xml 0 # a name is a name
sed 's/taken="0"/taken="1"/' door.xml >changed.xml
changed "$door" door.xml 1
shows 'text: expected "wrong", found "not right"'
sed 's/<choice .*//' door.xml >changed.xml
changed "$door" door.xml 1
shows '+ choice 0 of 2'

# ── values that the system chooses, and inputs that differ from them
cat >fresh.scm <<'SCM'
(define-message Tag (id int))
(define-message Ask (id int) (tag Tag) (tags (list-of Tag 2)))
(define-message Give (id int))
(define-port p (in Ask) (out Give))
(define x (fresh int))
(write p (Give x))
(define m (read p))
(if (equal? (Ask-id m) x) (checkpoint same) (checkpoint other))
(if (equal? (Tag-id (Ask-tag m)) x) (checkpoint tag-same) (checkpoint tag-other))
(when (pair? (Ask-tags m))
  (if (equal? (Tag-id (car (Ask-tags m))) x) (checkpoint list-same) (checkpoint list-other)))
SCM
timeout 60 "$ESPALIER" generate fresh.scm -o fresh.xml >out 2>err </dev/null
judge "generate fresh.scm" $? out err
valid fresh.xml
replay 0 fresh.scm fresh.xml
# At the top of the message, inside a message, and inside a list of them.
for path in input/field 'input/field/message/field' 'input/field/item/message/field'; do
    found=$(sed 's/ xmlns="[^"]*"//' fresh.xml | xmllint --xpath "count(//${path}[@not='x1'])" - 2>&1)
    [[ $found -ge 1 ]]
    judge "fresh.xml: not=\"x1\" at $path" $? fresh.xml
done
sed '0,/ not="x1">0</s// ref="x1"></' fresh.xml >changed.xml
changed fresh.scm fresh.xml 1

# ── exit status 2: what cannot be read
replay 2 missing.scm door.xml
replay 2 "$door" missing.xml
shows "cannot read \`missing.xml\`"
replay 2 "$door" .
printf '(define' >broken.scm
replay 2 broken.scm door.xml
: >empty.xml
replay 2 "$door" empty.xml
shows 'empty.xml:1:1: error: '
head -c 300 door.xml >cut.xml
replay 2 "$door" cut.xml
head -c 100000 /dev/urandom >random.xml
replay 2 "$door" random.xml
{
    printf '<suite>%.0s' {1..1000}
    head -c 1000000 /dev/zero | tr '\0' '<'
} >deep.xml
replay 2 "$door" deep.xml
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<a>"; for (i = 0; i < 100000; i++) printf "</a>" }' >deep.xml
replay 2 "$door" deep.xml
cat >laughs.xml <<'XML'
<!DOCTYPE suite [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<suite xmlns="urn:espalier:suite:1" model="&c;"/>
XML
replay 2 "$door" laughs.xml
replay 2 "$SOURCE_DIR/models/examples/turnstile.scm" door.xml
shows 'the model has no target'
replay 2 door.xml "$door"
shows 'is a suite, and the model comes first'
replay 2 "$door"
replay 2 "$door" door.xml --no-such-option

conclude 101
