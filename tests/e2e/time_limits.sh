#!/usr/bin/env bash
# A suite is never lost to the time limit: what the search found is in it, whatever the limit is and however long the tests
# are. Nothing here depends on how fast the machine is.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
command -v xmllint >/dev/null || exit 77
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"

# chain STATES WIDTH: a machine with a long way from one state to the next, and many clauses in each. Whoever looks for what is
# nearest finds tests of hundreds of inputs, each longer than the one before.
chain() {
    awk -v states="$1" -v width="$2" 'BEGIN {
        print "(define-message Say (n (int 0 9999))) (define-message Reply (n int)) (define-port p (in Say) (out Reply))"
        print "(define-machine (m)"
        for (i = 0; i < states; i++) {
            printf "  (state s%d", i
            for (k = 0; k < width; k++)
                printf "\n    (on (p (Say n)) (where (= n %d)) (write p (Reply n)) -> s%d)", i + k, k == width - 1 ? (i + 1) % states : i
            print ")"
        }
        print ") (m)"
    }'
}

# value KEY FILE: of a number in statistics.
value() { sed -n "s/^ *\"$1\": *\([0-9]*\),*$/\1/p" "$2"; }

# found_is_written NAME: by the suite, the statistics and the timeline of that name.
found_is_written() {
    valid "$1.xml"
    hides 'left out'
    ! grep -q tests_left_out "$1.json"
    judge "$1: no test is left out" $? "$1.json"
    local covered rows
    covered=$(value covered "$1.json")
    rows=$(sed -n '2,$p' "$1.csv" | grep -c ',[^,][^,]*$')
    ((covered == rows))
    judge "$1: $covered targets are covered, and $rows were" $? "$1.csv"
    (($(grep -c 'status="covered"' "$1.xml") == covered))
    judge "$1: the suite covers them" $?
    espalier 0 replay chain.scm "$1.xml"
}

# ── Long tests: with each limit, all that the search found
chain 400 5 >chain.scm
for seconds in 0.5 1 3; do
    for search in distance random; do
        name=$search-$seconds
        espalier 0 generate chain.scm --search $search --depth 100000 --time-limit $seconds --stats "$name.json" \
            --timeline "$name.csv" -o "$name.xml"
        found_is_written "$name"
    done
done

# ── A limit that ends nothing changes nothing
espalier 0 generate chain.scm --search distance --depth 100000 --step-limit 3000 -o without.xml
espalier 0 generate chain.scm --search distance --depth 100000 --step-limit 3000 --time-limit 1000 -o with.xml
cmp -s without.xml with.xml
judge "the same suite, with and without a limit that is far away" $?

conclude 40
