#!/usr/bin/env bash
# Which order of the search is best? Each order on each model with the same bound: what it covers, in how many tests
# and inputs, and what that takes. A search that goes on for too long ends at a number of steps, the same for all.
#
#   bench/search.sh [MODEL…]        default: all of models/
#
# BUILD   the folder with the release build (default: build)
# STEPS   at which a search ends (default: 10000000)
# DEPTH   the bound (default: 3)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(readlink -f "${BUILD:-$here/../build}")
models=("$@")
[[ $# -gt 0 ]] || models=("$here"/../models/*.scm "$here"/../models/examples/*.scm)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
figure() { sed -n "s/^  \"$1\": \"\?\([0-9.a-z]*\).*/\1/p" "$work/stats.json"; }
printf '%-20s %-9s %9s %6s %7s %10s %9s %8s %s\n' model search covered tests inputs 'vm steps' queries seconds complete
for model in "${models[@]}"; do
    for search in dfs bfs random distance; do
        status=0
        "$build/espalier" generate "$model" --search "$search" --depth "${DEPTH:-3}" --quiet \
            --step-limit "${STEPS:-10000000}" --stats "$work/stats.json" -o "$work/suite.xml" >/dev/null || status=$?
        [[ $status -le 1 ]] || exit "$status"
        printf '%-20s %-9s %9s %6s %7s %10s %9s %8.2f %s\n' "$(basename "$model" .scm)" "$search" \
            "$(figure covered)/$(figure targets)" "$(figure tests)" "$(grep -c '<input' "$work/suite.xml")" \
            "$(figure vm_steps)" "$(figure sat_queries)" "$(figure total_seconds)" "$(figure complete)"
    done
done
