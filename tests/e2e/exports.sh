#!/usr/bin/env bash
# Every format of a suite, checked by the tool that reads it (TTCN-3: titan.sh): every shipped model's suite, and one whose
# names and texts try to be more than data. The template in docs/formats.md makes tests that run. JUnit XML of replays.
# shellcheck disable=SC2016 # backticks are what messages have
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v xmllint >/dev/null && command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# all_formats MODEL NAME: NAME.xml in every format, each looked at by its reader.
all_formats() {
    espalier 0 export "$1" "$2.xml" --format xml -o again.xml
    sed -E '/<test /s/ at="[^"]*"//' "$2.xml" >without-places.xml # of model errors
    cmp without-places.xml again.xml >said 2>&1
    judge "$2: read and written again it is the same" $? said
    for format in json testcomp markdown; do
        espalier 0 export "$1" "$2.xml" --format $format -o "$2.$format"
    done
    python3 -m json.tool "$2.json" >/dev/null 2>said
    judge "$2: JSON" $? said
    python3 "$SOURCE_DIR/tests/e2e/compare_formats.py" "$2.xml" "$2.json" "$2.testcomp" "$2.markdown" >said 2>&1
    judge "$2: all formats say the same" $? said
    rm -rf unpacked && mkdir unpacked && python3 -m zipfile -e "$2.testcomp" unpacked
    xmllint --noout --nonet --dtdvalid "$SOURCE_DIR/tests/testcomp/test-metadata.dtd" unpacked/metadata.xml >said 2>&1
    judge "$2: metadata for Test-Comp" $? said
    find unpacked -name 'testcase-*.xml' -print0 |
        xargs -0 -r -n 500 xmllint --noout --nonet --dtdvalid "$SOURCE_DIR/tests/testcomp/testcase.dtd" >said 2>&1
    judge "$2: tests for Test-Comp" $? said
    grep -qF "<programhash>$(sha256sum "$1" | cut -d' ' -f1)</programhash>" unpacked/metadata.xml
    judge "$2: the model's SHA-256" $? unpacked/metadata.xml
}

# ── every model
find "$SOURCE_DIR/models" -name '*.scm' | sort >all
while IFS= read -r model; do
    name=$(basename "$model" .scm)
    timeout 300 "$ESPALIER" generate "$model" --depth 2 --step-limit 300000 --quiet -o "$name.xml" >out 2>err </dev/null
    judge "generate $name" "$(($? > 1))" out err
    all_formats "$model" "$name"
done <all

# ── names, texts and values that try to be more than data
cp "$SOURCE_DIR/tests/ttcn3/hostile.scm" .
espalier 0 generate hostile.scm -o hostile.xml
all_formats hostile.scm hostile
grep -q '"value": "123456789012345678901234567890"' hostile.json && grep -q '"value": "1/3"' hostile.json &&
    grep -q '"value": -7' hostile.json
judge "numbers are exact" $? hostile.json
for file in hostile.json hostile.markdown unpacked/*.xml; do
    LC_ALL=C grep -q $'[\001-\010\013-\037\177]' "$file"
    judge "$file has no control characters" "$((!$?))"
done
# Model errors, schedules and choices
printf '(define n (read (int 0 9)))\n(choose (write 1) (write 2))\n(assert (< n 9))' >errs.scm
espalier 1 generate errs.scm --cover all -o errs.xml
all_formats errs.scm errs
cat >race.scm <<'SCM'
(define-channel c)
(spawn (send c 1) (write 1))
(spawn (send c 2) (write 2))
(define a (receive c))
(if (= a 2) (checkpoint second))
(receive c)
SCM
espalier 0 generate race.scm --schedules all -o race.xml
all_formats race.scm race
grep -q '"kind": "schedule"' race.json
judge "a schedule" $? race.json

# ── by hand: no table of targets, names of one's own, one that nothing binds
cat >desk.scm <<'SCM'
(define-message Login (name string))
(define-message Use (ticket int))
(define-message Ticket (id int))
(define-port client (in Login Use) (out Ticket))
(read client)
(write client (Ticket (fresh int)))
(read client)
SCM
cat >hand.xml <<'XML'
<suite xmlns="urn:espalier:suite:1" model="desk.scm">
  <test id="a">
    <input port="client" message="Login"><field name="name" type="string">ada</field></input>
    <output port="client" message="Ticket"><field name="id" type="int" bind="ticket"/></output>
    <input port="client" message="Use"><field name="ticket" type="int" ref="other"/></input>
  </test>
</suite>
XML
for format in json testcomp markdown ttcn3; do espalier 0 export desk.scm hand.xml --format $format -o hand.$format; done
espalier 0 export desk.scm hand.xml --format xml
! grep -q '<target ' out
judge "an export lists no targets that the suite does not list" $? out
python3 -c 'import json; s = json.load(open("hand.json")); assert s["targets"] == [] and s["tests"][0]["steps"][1]["fields"][0]["bind"] == "ticket"' 2>said
judge "a suite by hand as JSON" $? said
espalier 0 export desk.scm hand.xml --format json
cmp -s out hand.json
judge "to standard output" $? out
espalier 2 export hand.xml desk.scm --format json
shows 'the model comes first'

printf '<!DOCTYPE a [<!ENTITY b "c">]><suite xmlns="urn:espalier:suite:1" model="desk.scm">&b;</suite>' >entity.xml
espalier 2 export desk.scm entity.xml --format json

# ── generate writes them at once, the same
espalier 1 generate errs.scm --cover all --quiet -o with-places.xml
for format in json:json testcomp:zip markdown:md ttcn3:ttcn xml:xml; do
    espalier 1 generate errs.scm --cover all --format "${format%%:*}" --quiet
    [[ -s errs-suite.${format##*:} ]]
    judge "errs-suite.${format##*:}" $?
done
cmp -s errs-suite.zip errs.testcomp && cmp -s errs-suite.xml with-places.xml
judge "generate --format and export write the same" $?
grep -q '"at": "errs.scm:3:1"' errs-suite.json
judge "the place of a model error" $? errs-suite.json
SOURCE_DATE_EPOCH=86400 "$ESPALIER" export errs.scm errs.xml --format testcomp -o dated.zip
python3 -c 'import zipfile; assert b"<creationtime>1970-01-02T00:00:00Z<" in zipfile.ZipFile("dated.zip").read("metadata.xml")' 2>said
judge "SOURCE_DATE_EPOCH" $? said

# ── whole or not at all, and nothing that is read is lost
espalier 2 generate errs.scm --format jsonl
shows 'jsonl'
espalier 2 export errs.scm errs.xml
espalier 2 export errs.scm errs.xml --format json --template errs.scm
espalier 2 export errs.scm errs.xml --format json -o no/such/folder.json
cp errs.xml before.xml
espalier 2 export errs.scm errs.xml --format json -o errs.xml
cmp -s errs.xml before.xml
judge "the suite that is read is not written over" $?
espalier 2 export errs.scm errs.xml --format json -o /dev/full
shows 'No space left'
timeout 60 "$ESPALIER" export errs.scm errs.xml --format json >/dev/full 2>err
[[ $? -eq 2 ]]
judge "standard output that is full" $? err

# ── templates
awk '/^```text file=python.tpl/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_DIR/docs/formats.md" >python.tpl
awk '/^```scheme file=desk.scm/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_DIR/docs/formats.md" >tickets.scm
espalier 0 generate tickets.scm --template python.tpl -o test_desk.py
cat >system.py <<'PY'
import os


class System:
    def __init__(self):
        self.waiting, self.ticket = [], 41

    def send(self, port, message, fields):
        if message == "Login":
            self.ticket += 1
            self.waiting.append(("Ticket", {"id": str(self.ticket)}))
        else:
            good = fields == [str(self.ticket)] or "FAULT" in os.environ
            self.waiting.append(("Answer", {"verdict": "yes" if good else "no"}))

    def receive(self, port, message):
        came, fields = self.waiting.pop(0)
        assert came == message, came
        return fields

    def wait(self, units):
        pass
PY
python3 -m unittest test_desk >out 2>err
judge "the documented template makes tests that pass" $? err
shows 'OK'
FAULT=1 python3 -m unittest test_desk >out 2>err
judge "and fail where the system is wrong" "$((!$?))" err
shows 'FAILED (failures=1)'
# A template that puts every text into strings of Python, JSON, XML, C and CSV, each read back by its reader.
cat >strings.tpl <<'TPL'
from check import check
{{#each tests}}{{#each steps}}{{#each fields}}
{{#if type = "string"}}
check("{{text|python}}", r'''{"s": "{{text|json}}"}''', r'''<s a="{{text|xml}}"/>''', r'''"{{text|c}}"''', "{{text|csv|python}}")
{{/if}}
{{/each}}{{/each}}{{/each}}
TPL
cat >check.py <<'PY'
import ast, csv, io, json, xml.etree.ElementTree as ET
seen = set()


def check(text, in_json, in_xml, in_c, in_csv):
    carried = "".join(ch if ch in "\t\n\r" or ord(ch) >= 32 else "\\x%x;" % ord(ch) for ch in text)
    assert json.loads(in_json)["s"] == text
    assert ET.fromstring(in_xml).get("a") == carried
    assert ast.literal_eval("b" + in_c).decode() == text
    if "\0" not in text:
        assert next(csv.reader(io.StringIO('"' + in_csv + '"', newline=""))) == [text]
    seen.update(text)
PY
espalier 0 export hostile.scm hostile.xml --template strings.tpl -o strings.py
echo 'from check import seen; assert {chr(34), chr(92), chr(10), chr(27), chr(0x1F600), chr(0)} <= seen, seen' >>strings.py
python3 strings.py >said 2>&1
judge "strings in other languages are the strings that they were" $? said
# mistake TEXT PLACE WORDS
mistake() {
    printf '%b' "$1" >wrong.tpl
    rm -f wrong.out
    espalier 2 export errs.scm errs.xml --template wrong.tpl -o wrong.out
    shows "wrong.tpl:$2: error: "
    shows "$3"
    [[ ! -e wrong.out ]]
    judge "no file after: $1" $?
}
mistake 'a\n  {{modell}}' 2:5 'there is no field `modell`'
mistake '{{model|html}}' 1:9 'there is no filter `html`'
mistake '{{model|xml|xml|xml}}' 1:1 'two filters are enough'
mistake '{{model' 1:1 'has no `}}`'
mistake '{{#each tests}}\nx' 1:1 'this is not closed'
mistake 'x{{/each}}' 1:2 'nothing is open here'
mistake '{{#each tests}}{{/if}}' 1:16 '{{#each}} is open here'
mistake '{{#each tests}}{{#each tests}}{{/each}}{{/each}}' 1:24 'a test has no list `tests`'
mistake '{{#each steps}}{{/each}}' 1:9 'a suite has no list `steps`'
mistake '{{else}}' 1:1 'there is no {{#if}}'
mistake '{{#if model}}{{else}}{{else}}{{/if}}' 1:22 'there is no {{#if}}'
mistake '{{#while x}}' 1:1 'a section begins with'
mistake '{{#if model = 5}}{{/if}}' 1:1 'a condition is'
mistake '{{}}' 1:1 'this is empty'
mistake 'a\xff' 1:2 'no UTF-8'
mistake "$(printf '{{#if model}}%.0s' {1..200})" 1:1301 'nested too deeply'
espalier 2 generate errs.scm --template python.tpl -o python.tpl
shows 'is read from, and would be lost'
espalier 2 generate errs.scm --template no-such.tpl
shows 'cannot read `no-such.tpl`'

# ── JUnit XML
junit() { xmllint --noout --schema "$SOURCE_DIR/tests/junit/junit.xsd" "$1" >said 2>&1; }
espalier 0 replay hostile.scm hostile.xml --junit hostile.junit
junit hostile.junit
judge "results of a replay that passes" $? said
grep -q "<testsuite name=\"hostile.xml\" tests=\"$(grep -c '<test ' hostile.xml)\" failures=\"0\" errors=\"0\" skipped=\"0\"" hostile.junit
judge "their number" $? hostile.junit
sed 's/>-7</>-8</; 0,/status="covered" test="[^"]*"/s//status="unreached"/' hostile.xml >changed.xml
espalier 1 replay hostile.scm changed.xml --junit changed.junit
junit changed.junit
judge "results of a replay that fails" $? said
n=$(grep -c '<test ' hostile.xml)
grep -q "<testsuite name=\"changed.xml\" tests=\"$((n + 1))\" failures=\"$((n + 1))\"" changed.junit && grep -q 'message="not as the suite says: output out -8"' changed.junit
judge "what failed, and the table" $? changed.junit
espalier 2 replay hostile.scm hostile.xml --junit hostile.xml
espalier 2 replay hostile.scm hostile.xml --junit no/such/folder
espalier 2 replay hostile.scm hostile.xml --junit /dev/full

conclude 1
