#!/usr/bin/env bash
# Adapters that misbehave: children that they leave, floods, and pages that belong to another suite.
# shellcheck disable=SC2016  # backquotes are part of what it says
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

cat >desk.scm <<'SCM'
(define-message Ask (n (int 0 9)))
(define-message Tell (n int))
(define-port desk (in Ask) (out Tell))
(define (serve)
  (define n (Ask-n (read desk)))
  (cond ((> n 5) (requirement "R-1") (write desk (Tell n)))
        (else (requirement "R-2") (write desk (Tell 0))))
  (serve))
(serve)
SCM
espalier 0 generate desk.scm -o desk.xml --report page.html --quiet
test=branch-serve-1-then # that of R-1
cat >adapter.py <<'PY'
import json, subprocess, sys
# how: what to do wrong. A child in another session, with nothing of ours open, is as far away as it can get.
how = sys.argv[1]
def say(**line):
    print(json.dumps(line), flush=True)
if how in ("daemon", "crash"):
    sleeping = "import subprocess; print(subprocess.Popen(['sleep', '1000'], start_new_session=True, stdin=-3, stdout=-3, stderr=-3).pid)"
    pid = subprocess.run([sys.executable, "-c", sleeping], stdout=subprocess.PIPE, start_new_session=True).stdout
    open("pids", "ab").write(pid)
if how == "child":
    open("pids", "a").write(str(subprocess.Popen(["sleep", "1000"]).pid) + "\n")
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "reset":
        if how == "late":
            while True:
                say(type="output", port="desk", message="Tell", fields={"n": 1})
        say(type="reset")
        say(type="quiet", step=0)
        continue
    n = ask["fields"]["n"]
    if how == "crash":
        sys.exit(3)
    if how == "large":
        text = "x" * 1000000
        while True:
            say(type="output", port="desk", message="Tell", fields={"n": text})
    if how == "many":
        while True:
            say(type="output", port="desk", message="Tell", fields={"n": 1})
    if how == "dense":
        print('{"type":"output","port":"desk","message":"Tell","fields":{"n":[' + "0," * 400000 + "0]}}\n" * 100, flush=True)
    if how == "quiet":
        while True:
            say(type="quiet", step=77)
    say(type="output", port="desk", message="Tell", fields={"n": 1 if how == "wrong" and n > 5 else n if n > 5 else 0})
    say(type="quiet", step=ask["step"])
PY
espalier 0 execute desk.xml --report page.html --timeout 60 -- python3 adapter.py good

# ── what an adapter has started ends with it, however it is hidden
none_is_alive() {
    local pid
    sort -u pids | while read -r pid; do
        [[ -e /proc/$pid ]] && ! grep -q '^State:.*Z' "/proc/$pid/status" && echo "$pid is alive" && kill -9 "$pid"
    done >said
    [[ -s pids && ! -s said ]]
    judge "$1: nothing that the adapter started is alive" $? said
    rm -f pids
}
for how in child daemon; do
    espalier 0 execute desk.xml --timeout 60 -- python3 adapter.py $how
    none_is_alive "$how"
done
espalier 1 execute desk.xml --timeout 60 -- python3 adapter.py crash
none_is_alive crash
# The end of the run by a signal.
(
    exec "$ESPALIER" execute desk.xml --timeout 600 --time-unit 600 -- python3 -c '
import os, subprocess, sys, time
pid = subprocess.Popen(["sleep", "1000"], start_new_session=True).pid
with open("pids.new", "w") as file: file.write(f"{pid}\n")
os.rename("pids.new", "pids")
time.sleep(1000)'
) >out 2>err &
run=$!
until [[ -s pids ]] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
kill -TERM $run
wait $run
[[ $? -eq 143 ]]
judge "SIGTERM: exit status" $? out err
none_is_alive SIGTERM

# ── floods: so much memory is enough for all of them
flood() {
    (
        ulimit -v 2000000
        exec timeout 120 "$ESPALIER" execute desk.xml --test $test --timeout "$2" --results flood.json -- python3 adapter.py "$1"
    ) >out 2>err
    [[ $? -eq 1 ]]
    judge "flood of $1: a verdict, and no more" $? err
    [[ $(stat -c %s flood.json) -lt 10000000 ]]
    judge "flood of $1: results of bounded size" $?
}
for how in large many dense quiet; do flood $how 60; done
flood late 2

# ── a page takes the verdicts of its own suite alone
cp page.html before.html
refuses() {
    espalier 2 execute "$1" --report page.html --timeout 60 -- python3 adapter.py good
    shows "\`page.html\` is the report of another suite: $2"
    cmp -s page.html before.html
    judge "$1: the page is as it was" $?
}
sed "s/id=\"$test\"/id=\"another\"/" desk.xml >renamed.xml
refuses renamed.xml 'it has no test `another`'
sed '0,/>6</s//>7</' desk.xml >changed.xml
! cmp -s desk.xml changed.xml
judge "a value was changed" $?
refuses changed.xml "its test \`$test\` is another one"
# Layout, coverage and a test less do not make another suite.
python3 - <<'PY'
import re
text = open("desk.xml").read()
text = re.sub(r">\n *<", "><", text)
text = re.sub(r"<covers [^>]*/>", "", text)
open("same.xml", "w").write(re.sub(r' signature="[^"]*"', "", text))
PY
espalier 0 execute same.xml --report page.html --timeout 60 -- python3 adapter.py good
cmp -s page.html before.html
judge "the same verdicts, by name and content" $?
# A requirement whose test failed is not shown as covered.
espalier 1 execute desk.xml --report page.html --timeout 60 -- python3 adapter.py wrong
if command -v node >/dev/null; then
    cat >status.js <<'JS'
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const part = (id) => page.split(`id="${id}">`)[1].split("</script>")[0];
global.document = {getElementById: (id) => ({textContent: part(id)})};
const script = page.split('<script type="module">')[1];
const from = script.indexOf("const parsed"), to = script.indexOf("const testAnchor");
console.log(eval(script.slice(from, to) + "; targets.filter((t) => t.criterion === 'requirements')" +
    ".map((t) => t.id + ' ' + statusOf(t)).sort().join(', ')"));
JS
    node status.js page.html >out 2>&1
    [[ $(<out) == "req:R-1 failed, req:R-2 passed" ]]
    judge "requirements after verdicts" $? out
    espalier 0 execute desk.xml --test $test --report page.html --timeout 60 -- python3 adapter.py good
    [[ $(node status.js page.html 2>&1) == "req:R-1 passed, req:R-2 no verdict" ]]
    judge "requirements of tests that were not run" $?
fi

conclude 1
