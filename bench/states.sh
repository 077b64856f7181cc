#!/usr/bin/env bash
# Is every stable state of a model explored, and how fast? Models as the collections of explicit-state model checkers have
# them (bench/states): a puzzle, a protocol state machine, an election on a ring, a sliding window, a mutual exclusion. In
# each, the tester decides every step, and no input survives it; so there are finitely many stable states, and some targets
# are infeasible, which only a search of all of them shows.
#
#   bench/states.sh [MODEL…]        default: sokoban machine election window mutex
#
# BUILD    the folder with the release build (default: build)
# SIZE     large (default) or small
# OPTIONS  of generate (default: none)
# LIMIT    at which a search ends, in seconds (default: 600)
# MEMORY   at which a search ends (default: 4G)
#
# What is in the columns states and reachable is counted without Espalier (bench/states/count.py). Explored are the stable
# states that the search went on from, and their number a minute is printed where --stats has it. Exit status: 0; 1, where a
# search that ended by itself has not covered what is reachable, or not proved the rest infeasible.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(readlink -f "${BUILD:-$here/../build}")
size=${SIZE:-large}
read -ra options <<<"${OPTIONS-}"
models=("$@")
[[ $# -gt 0 ]] || models=(sokoban machine election window mutex)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
figure() { sed -n "s/^ *\"$1\": \"\?\([0-9.a-z]*\).*/\1/p" "$2"; }
wrong=0
printf '%-9s %8s %9s %8s %10s %8s %11s %10s %8s %6s %9s %s\n' model states explored targets reachable covered infeasible \
    unreached seconds MB 'a minute' complete
for model in "${models[@]}"; do
    file=$here/states/$model.scm
    [[ $size == large ]] || file=$here/states/$size/$model.scm
    if [[ $model == machine ]]; then
        file=$work/machine.scm
        python3 "$here/states/machine.py" "$size" >"$file"
    fi
    python3 "$here/states/count.py" "$model" "$size" >"$work/count.json"
    status=0
    "$build/espalier" generate "$file" ${options[@]+"${options[@]}"} --time-limit "${LIMIT:-600}" \
        --memory-limit "${MEMORY:-4G}" --quiet --stats "$work/stats.json" -o "$work/suite.xml" >/dev/null || status=$?
    [[ $status -eq 0 ]] || exit "$status"
    explored=$(figure stable_states "$work/stats.json")
    seconds=$(figure total_seconds "$work/stats.json")
    rate=-
    [[ -z $explored ]] || rate=$(awk "BEGIN { printf \"%.0f\", $explored * 60 / $seconds }")
    covered=$(figure covered "$work/stats.json")
    reachable=$(figure reachable "$work/count.json")
    unreached=$(figure unreached "$work/stats.json")
    complete=$(figure complete "$work/stats.json")
    printf '%-9s %8s %9s %8s %10s %8s %11s %10s %8.2f %6.0f %9s %s\n' "$model" "$(figure states "$work/count.json")" \
        "${explored:--}" "$(figure targets "$work/stats.json")" "$reachable" "$covered" \
        "$(figure infeasible "$work/stats.json")" "$unreached" "$seconds" \
        "$(awk "BEGIN { print $(figure peak_memory_bytes "$work/stats.json") / 1048576 }")" "$rate" "$complete"
    [[ $complete == false || ($covered -eq $reachable && $unreached -eq 0) ]] || wrong=1
done
exit "$wrong"
