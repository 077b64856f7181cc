#!/usr/bin/env bash
# Tests after which the model does not say what comes (tests/bugs/open_end.scm): from `generate` through `replay`, every
# format and `--keep` to verdicts on systems that say more than the model does, or less.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null && command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
cp "$SOURCE_DIR/tests/bugs/open_end.scm" .

# ── generate marks two of three tests, and all of them replay
espalier 0 generate open_end.scm --cover checkpoints --report page.html -o suite.xml
shows '3 of 3 covered'
valid suite.xml
[[ $(grep -c '<test ' suite.xml) -eq 3 && $(grep -c '<test .* end="open">' suite.xml) -eq 2 ]]
judge "two ends are open" $? suite.xml
grep -q '<test id="cp-known" signature="[^"]*">' suite.xml
judge "that of cp-known is not" $? suite.xml
espalier 0 replay open_end.scm suite.xml
shows '3 of 3 tests passed'
for search in dfs bfs random distance mixed; do
    espalier 0 generate open_end.scm --cover all --search $search -o other.xml
    valid other.xml
    espalier 0 replay open_end.scm other.xml
done

# ── a mark that is missing, one that is wrong, one that is nonsense
sed 's/ end="open"//' suite.xml >unmarked.xml
espalier 1 replay open_end.scm unmarked.xml
shows '1 of 3 tests passed'
shows '+ end open'
shows 'the run has ended: an assumption does not hold'
sed 's/<test id="cp-known"/<test id="cp-known" end="open"/' suite.xml >wrong.xml
valid wrong.xml
espalier 1 replay open_end.scm wrong.xml
shows '2 of 3 tests passed'
shows '- end open   (wrong.xml:'
shows 'the model comes to rest here'
sed 's/end="open"/end="ajar"/' suite.xml >odd.xml
! xmllint --noout --schema "$SOURCE_DIR/testgen/suite/suite.xsd" odd.xml 2>/dev/null
judge "odd.xml is not valid" $?
espalier 2 replay open_end.scm odd.xml
espalier 2 execute odd.xml -- true
# shellcheck disable=SC2016 # that is how it is said
shows '`end` is open, or not there'

# ── --keep: nothing changes; marks are gained and lost
espalier 0 generate open_end.scm --cover checkpoints --keep suite.xml -o kept.xml
shows '3 kept, 0 changed, 0 added, 0 dropped'
cmp suite.xml kept.xml >said 2>&1
judge "kept word for word" $? said
espalier 0 generate open_end.scm --cover checkpoints --keep unmarked.xml -o gained.xml
shows '1 kept, 2 changed, 0 added, 0 dropped'
shows 'changed: cp-beyond: end open: the run has ended: an assumption does not hold'
cmp suite.xml gained.xml >said 2>&1
judge "marks are gained" $? said
sed 's/(assume #f)/(assume #t)/' open_end.scm >known.scm
espalier 0 generate known.scm --cover checkpoints --keep suite.xml -o lost.xml
shows '2 kept, 1 changed, 0 added, 0 dropped'
shows 'changed: cp-beyond: end open: the model comes to rest here'
[[ $(grep -c 'end="open"' lost.xml) -eq 1 ]]
judge "a mark is lost" $? lost.xml
espalier 0 replay known.scm lost.xml

# ── formats
for format in json markdown ttcn3 testcomp; do
    espalier 0 export open_end.scm suite.xml --format $format -o suite.$format
done
espalier 0 export open_end.scm suite.xml --format xml -o again.xml
cmp suite.xml again.xml >said 2>&1
judge "read and written again it is the same" $? said
python3 "$SOURCE_DIR/tests/e2e/compare_formats.py" suite.xml suite.json suite.testcomp suite.markdown >said 2>&1
judge "all formats say the same" $? said
[[ $(grep -c 'setverdict(pass)' suite.ttcn3) -eq 3 && $(grep -c 'left open' suite.ttcn3) -eq 2 ]]
judge "TTCN-3" $? suite.ttcn3
[[ $(grep -o '"end": "open"' page.html | wc -l) -eq 2 ]]
judge "the page has the marks" $?

# ── execute: a system that says what the model says and goes on, on both ports; one that stops; one that says less
cat >system.py <<'PY'
import json, sys, time

kind = sys.argv[1]


def say(**line):
    print(json.dumps(line), flush=True)


def send(port, message, n):
    say(type="output", port=port, message=message, fields={"n": n})


for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "reset":
        say(type="reset")
    elif ask["type"] == "input" and kind != "silent":
        n = ask["fields"]["n"]
        if kind == "talks" and n >= 5:
            send("log", "Note", 7)
        send("client", "Answer", 2 if kind == "wrong" else 1)
        if n == 5:
            send("client", "Answer", 11 if kind == "other" else 10)
        if kind == "talks" and n >= 5:
            send("client", "Answer", 99)
            send("log", "Note", 8)
        if kind == "late" and n < 5:
            send("client", "Answer", 99)
    if kind != "deaf":
        say(type="quiet", step=ask.get("step", 0))
PY
espalier 0 execute suite.xml -- python3 system.py talks
shows '3 of 3 tests passed'
espalier 0 execute suite.xml -- python3 system.py stops
shows '3 of 3 tests passed'
espalier 0 execute suite.xml --quiet-time 1 -- python3 system.py deaf
shows '3 of 3 tests passed'
espalier 1 execute unmarked.xml -- python3 system.py talks # what the mark is for
shows 'an output came that the test does not expect'
espalier 1 execute suite.xml --model open_end.scm --timeout 1 -- python3 system.py silent
shows '0 of 3 tests passed, 3 failed'
shows 'an expected output did not come'
espalier 1 execute suite.xml --model open_end.scm -- python3 system.py wrong
shows '0 of 3 tests passed, 3 failed'
espalier 1 execute suite.xml -- python3 system.py late # the end of cp-known is not open
shows '2 of 3 tests passed, 1 failed'
espalier 0 execute suite.xml --model open_end.scm -- python3 system.py other # the other alternative is open, too
shows '2 of 3 tests passed, 1 inconclusive'
shows 'the model does not say what comes there'

conclude 51
