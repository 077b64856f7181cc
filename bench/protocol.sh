#!/usr/bin/env bash
# How soon is a protocol loop covered? Five states and three, twenty checkpoints, messages of three integers
# (bench/protocol/loop.scm), where 5, 10 or 20 messages can be received. The steps must not grow with the messages.
#
#   bench/protocol.sh [RUNS]        the best of RUNS (default 5) counts
#
# BUILD   the folder with the release build (default: build)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(readlink -f "${BUILD:-$here/../build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '%-8s %9s %10s %10s %12s %10s\n' search messages covered 'vm steps' 'z3 queries' seconds
for search in dfs bfs random; do
    for messages in 5 10 20; do
        sed "s/(define most 5)/(define most $messages)/" "$here/protocol/loop.scm" >loop.scm
        best=
        for ((run = 0; run < ${1:-5}; run++)); do
            "$build/espalier" generate loop.scm --cover checkpoints --search "$search" --stats stats.json --quiet
            seconds=$(sed -n 's/.*"total_seconds": \([0-9.]*\).*/\1/p' stats.json)
            [[ -n $best ]] && [[ $(awk "BEGIN { print ($best <= $seconds) }") == 1 ]] || best=$seconds
        done
        figure() { sed -n "s/^  \"$1\": \([0-9]*\).*/\1/p" stats.json; }
        printf '%-8s %9s %10s %10s %12s %10s\n' "$search" "$messages" "$(figure covered)/$(figure targets)" \
            "$(figure vm_steps)" "$(figure z3_queries)" "$best"
    done
done
