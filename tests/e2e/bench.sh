#!/usr/bin/env bash
# `espalier bench`: tables, JSON and figure have their shape, the counts are those of `generate`, and misuse is told.
# No second decides anything here.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null && command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# bench STATUS ARGUMENT…
bench() { patience=600 espalier "$1" bench "${@:2}"; }
# json EXPRESSION: a Python expression over b, what --json wrote, and c(MODEL, CONFIGURATION).
json() {
    expect "$1" python3 -c "
import json
b = json.load(open('bench.json'))
def c(model, name): return next(x for m in b['models'] if m['model'] == model for x in m['configurations'] if x['name'] == name)
assert ($1)"
}

login=$SOURCE_DIR/models/examples/login.scm
cp "$SOURCE_DIR/models/examples/turnstile.scm" bgp.scm # a name that the thesis has figures for
bench 0 "$login" bgp.scm --depth 3 --runs 2 --json bench.json
expect "nothing on standard error" test ! -s err
expect "the tables have their shape" python3 - <<'PY'
import re
text = open("out").read()
for table in ("6.4", "6.5", "6.6", "6.7"):
    assert text.count(f"Table {table}: ") == 1, table
blocks = dict(re.findall(r"^Conf\. (\S+) (.*?)\n\n", text, re.M | re.S))
counts, oracle, times = ["vm steps", "sat queries"], ["sp queries", "cut %"], ["avg time", "max dev"]
rows = {"1": counts + times, "3a": counts + times + ["% of BA"]}
for name in ("2a", "2b", "v3", "v3+", "v3i", "v3+i", "3b", "3c"): rows[name] = counts + oracle + times + ["% of BA"]
for name in ("4a", "4b", "4c", "4d", "4-v3"): rows[name] = times + ["% of BA"]
for name, wanted in rows.items():
    lines = blocks[name].split("\n")
    assert lines[0].split()[:3] == ["login", "bgp", "thesis"], lines[0]
    found = [re.match(r"(.*?)  +", line).group(1) for line in lines[1:]]
    assert found == wanted, (name, found)
    for line in lines[1:]:
        assert re.fullmatch(r"\S.*?( +[\d.]+){2} +(-|\(\S+\))", line), line
assert re.search(r"^vm steps +\d+ +\d+ +\(5\.5·10⁷\)$", text, re.M)
assert len(re.findall(r"^(login|bgp): depth 3\. .*cover", text, re.M | re.I)) == 2
PY
json "[m['model'] for m in b['models']] == ['login', 'bgp'] and b['runs'] == 2"
json "all(x['runs'] == 2 and len(x['user_seconds']) == 2 and x['complete'] for m in b['models'] for x in m['configurations'])"
# Another order may cover other targets, in other steps; all others search in the same one.
json "all(len({x['covered'] for x in m['configurations'] if not x['name'].startswith('v3+')}) == 1 for m in b['models'])"
json "all(x['vm_steps'] <= m['configurations'][0]['vm_steps'] and x['sat_queries'] <= m['configurations'][0]['sat_queries'] for m in b['models'] for x in m['configurations'] if x['name'] not in ('v3+', 'v3i', 'v3+i'))"
json "all(c('login', n)['vm_steps'] == c('login', '1')['vm_steps'] and c('login', n)['cuts'] == 0 for n in ('4a', '4b', '4c', '4d', '4-v3'))"
json "len({(c('login', n)['vm_steps'], c('login', n)['cuts']) for n in ('2a', '2b', 'v3')}) == 1 and c('login', 'v3')['cuts'] > 0"
json "c('login', '4b')['sp_queries'] == 0 and c('login', '4d')['sp_queries'] > 0 and c('login', '1')['oracle_seconds'] == [0, 0]"

# The same search, whoever starts it.
compare() { # CONFIGURATION OPTION…
    local name=$1
    shift
    "$ESPALIER" generate "$login" --depth 3 "$@" --quiet -o suite.xml --stats stats.json >out 2>err
    for key in vm_steps sat_queries sp_queries cuts; do
        json "c('login', '$name')['$key'] == json.load(open('stats.json'))['$key']"
    done
}
compare 1 --search dfs --memo off --cut off
compare 2a --search dfs --memo off --cut v1
compare 2b --search dfs --memo off --cut v2
compare v3 --search dfs --memo off
compare v3+ --search distance --memo on
compare v3i --search dfs --memo off --interpolants on
compare v3+i --search distance --memo on --interpolants on
compare 3a --search dfs --memo off --cut flow
compare 3b --search dfs --memo off --cut v2 --no-target-info
compare 3c --search dfs --memo off --cut v2 --no-bound-info

# Runs that a limit ends.
bench 0 "$SOURCE_DIR/models/examples/alternating_bit.scm" --depth 4 --runs 2 --conf v3,4b --step-limit 20000 --json bench.json
json "c('alternating_bit', '1')['complete'] is False and c('alternating_bit', '1')['ended_by'] == 'step limit' and c('alternating_bit', '1')['vm_steps'] == 20000"
json "c('alternating_bit', '4b')['percent_of_base_is'] == 'exact' and c('alternating_bit', '4b')['vm_steps'] == 20000"
expect "what a limit ended is marked" grep -qE '^vm steps +> 20000$' out
expect "and explained" grep -q '^> : a limit ended the run' out

# The depth is chosen where none is given: this model is covered at once.
bench 0 "$SOURCE_DIR/models/examples/pages.scm" --runs 1 --conf v3 --json bench.json
json "b['models'][0]['depth_because'] == 'grows no more' and b['models'][0]['depth'] == 4"
expect "and it is said why" grep -q '^pages: depth 4; at none does the base algorithm need ten seconds' out

# The figure.
bench 0 "$login" --depth 3 --timeline line.svg --json bench.json
json "[x['name'] for x in b['models'][0]['configurations']] == ['1', 'v3'] and b['runs'] == 1"
expect "the figure is well-formed" xmllint --noout line.svg
expect "with a line for each" test "$(grep -c '<path class="line ' line.svg)" -eq 4
expect "with its title and axes" grep -q 'Covered targets over time: login, depth 3' line.svg
expect "in a dark page too" grep -q 'prefers-color-scheme: dark' line.svg

# Ctrl-C: what was measured is printed.
if [[ -r /proc/self/status ]]; then
    "$ESPALIER" bench "$login" --depth 3 --runs 1000 --json bench.json >out 2>err </dev/null &
    pid=$!
    sleep 3
    kill -s TERM $pid
    wait $pid
    expect "exit status after SIGTERM" test $? -eq 143
    expect "the tables are there" grep -q '^Table 6.4' out
    json "0 < b['models'][0]['configurations'][0]['runs'] < 1000"
fi

# Misuse.
bench 2
bench 2 nowhere.scm
bench 2 "$login" --runs 0
bench 2 "$login" --depth 0
bench 2 "$login" --conf 2a,5
expect "the configurations are listed" grep -q 'there is no configuration .5.; there are 1, 2a, 2b' err
bench 2 "$login" --cover nothing
bench 2 "$login" bgp.scm --timeline line.svg
expect "a figure is of one model" grep -q 'draws one model' err
bench 2 "$login" --json no/such/folder/file
bench 2 bgp.scm --json bgp.scm
bench 2 "$login" --json same --timeline same

conclude 1
