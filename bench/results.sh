#!/usr/bin/env bash
# What the search gives, as hashes: for each model and each order one line of the suite, the counts of --stats, the
# timeline in steps, and what is printed. A change that should change none of it is checked against a build from before:
#
#   BUILD=old bench/results.sh >before; BUILD=build bench/results.sh | diff before -
#
# BUILD    the folder with the release build (default: build)
# STEPS    at which a search ends (default: 200000)
# OPTIONS  further options of generate
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=$(readlink -f "${BUILD:-$here/../build}")/espalier
models=("$@")
[[ $# -gt 0 ]] || models=("$here"/../models/*.scm "$here"/../models/examples/*.scm)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hash_of() { sha256sum | cut -c 1-12; }
for model in "${models[@]}"; do
    model=$(readlink -f "$model")
    for search in dfs bfs random distance; do
        status=0
        # shellcheck disable=SC2086
        (cd "$work" && "$espalier" generate "$model" --search "$search" --step-limit "${STEPS:-200000}" ${OPTIONS:-} \
            --stats stats.json --timeline timeline.csv -o suite.xml >printed 2>&1) || status=$?
        [[ $status -le 1 ]] || { cat "$work/printed" >&2 && exit "$status"; }
        printf '%-18s %-9s suite %s  counts %s  timeline %s  printed %s\n' "$(basename "$model" .scm)" "$search" \
            "$(hash_of <"$work/suite.xml")" \
            "$(grep -vE 'seconds"|bytes"' "$work/stats.json" | sed 's/"seconds": [0-9.e-]*//' | hash_of)" \
            "$(cut -d, -f 2- "$work/timeline.csv" | hash_of)" \
            "$(sed -E 's/[0-9.]+ (ms|s)\b//g' "$work/printed" | hash_of)"
    done
done
