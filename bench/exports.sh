#!/usr/bin/env bash
# How long a suite of a thousand tests takes to be written in each format, against the time that making it took.
#   ESPALIER=build/espalier bench/exports.sh [TESTS]
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
espalier=${ESPALIER:-$here/../build/espalier}
tests=${1:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A protocol whose every request has an answer of its own: each needs a test.
{
    echo '(define-message Request (code int) (name string) (tags (list-of int 3)))'
    echo '(define-message Answer (code int) (text string))'
    echo '(define-port client (in Request) (out Answer))'
    echo '(define r (read client))'
    for ((i = 1; i <= tests; i++)); do
        echo "(when (= (Request-code r) $i) (requirement \"R-$i\" \"Request $i is answered.\") (write client (Answer $i \"answer $i\")))"
    done
} >"$work/requests.scm"

seconds() {
    local begin
    begin=$(date +%s%N)
    "$@" >/dev/null
    echo $((($(date +%s%N) - begin) / 1000)) # microseconds
}

all=$(seconds "$espalier" generate "$work/requests.scm" --cover requirements --quiet -o "$work/suite.xml")
printf '%s tests\n' "$(grep -c '<test ' "$work/suite.xml")"
awk -v t="$all" 'BEGIN { printf "%-10s %8.2f s\n", "generate", t / 1e6 }'
for format in xml json ttcn3 testcomp markdown; do
    one=$(seconds "$espalier" export "$work/requests.scm" "$work/suite.xml" --format "$format" -o "$work/out")
    awk -v f="$format" -v t="$one" -v all="$all" \
        'BEGIN { printf "%-10s %8.2f s  %5.1f %% of generate, with reading the model and the suite\n", f, t / 1e6, 100 * t / all }'
done
