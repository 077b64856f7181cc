#!/usr/bin/env bash
# How long a suite of a thousand tests takes to be written in each format, and its report, against the time that making it
# took. All times are user time.
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

# spent COMMAND…: its user time, in milliseconds.
spent() {
    local TIMEFORMAT=%U
    { time "$@" >/dev/null; } 2>&1 | tail -n 1 | awk '{ printf "%d\n", $1 * 1000 }'
}
# row NAME MILLISECONDS WHAT
row() {
    awk -v name="$1" -v t="$2" -v all="$all" -v what="$3" \
        'BEGIN { printf "%-10s %8.2f s  %5.1f %% of generate%s\n", name, t / 1e3, 100 * t / all, what }'
}

generate=("$espalier" generate "$work/requests.scm" --cover requirements --quiet -o "$work/suite.xml")
all=$(spent "${generate[@]}")
printf '%s tests\n' "$(grep -c '<test ' "$work/suite.xml")"
row generate "$all" ''
row report "$(($(spent "${generate[@]}" --report "$work/report.html") - all))" ': what generate takes longer with it'
for format in xml json ttcn3 testcomp markdown; do
    row "$format" "$(spent "$espalier" export "$work/requests.scm" "$work/suite.xml" --format "$format" -o "$work/out")" \
        ', with reading the model and the suite'
done
