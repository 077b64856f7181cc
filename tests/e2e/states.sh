#!/usr/bin/env bash
# Small models of bench/states, whose stable states and reachable targets are counted without Espalier: the search covers
# exactly those targets, proves all others infeasible, and explores as many stable states as there are.
#
# OPTIONS  of generate (default: none, which is --depth auto)
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v python3 >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
export PYTHONDONTWRITEBYTECODE=1
read -ra options <<<"${OPTIONS-}"
states=$SOURCE_DIR/bench/states

# same WHAT: of the last model, by count.json and stats.json.
same() {
    python3 - "$1" <<'PY'
import json
import sys

count = json.load(open("count.json"))
stats = json.load(open("stats.json"))
status = {target["id"]: target["status"] for target in stats["targets_detail"]}
reachable = set(count["targets"])
covered = {target for target in status if status[target] == "covered"}
infeasible = {target for target in status if status[target] == "infeasible"}
wrong = {
    "covered": covered ^ reachable,
    "infeasible": infeasible ^ (set(status) - reachable),
}
if sys.argv[1] in wrong:
    print(*sorted(wrong[sys.argv[1]]), sep="\n")
    sys.exit(1 if wrong[sys.argv[1]] else 0)
explored = stats.get("stable_states", "no number of")
print(f"{explored} stable states are explored, there are {count['states']}")
sys.exit(0 if explored == count["states"] else 1)
PY
}

python3 "$states/machine.py" small >machine.scm
for model in sokoban machine election window mutex broken/window; do
    size=$(dirname "$model")
    [[ $size != . ]] || size=small
    file=$states/$size/$(basename "$model").scm
    [[ $model != machine ]] || file=machine.scm
    python3 "$states/count.py" "$(basename "$model")" "$size" >count.json
    judge "$model: is counted" $?
    espalier 0 generate "$file" ${options[@]+"${options[@]}"} --time-limit 60 --stats stats.json -o suite.xml --quiet
    expect "$model: covered is what is reachable" same covered
    expect "$model: infeasible is everything else" same infeasible
    expect "$model: some of it by a search of all stable states" grep -q '"proof": "exhausted"' stats.json
    expect "$model: as many stable states are explored as there are" same explored
    espalier 0 replay "$file" suite.xml
done
conclude 42
