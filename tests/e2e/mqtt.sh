#!/usr/bin/env bash
# The suite of models/mqtt_broker.scm against a real broker, Debian's mosquitto, through testgen/adapters/mqtt.py: verdicts are
# as written down in tests/models/mqtt_broker/deviations.txt, and faults that a proxy adds are found.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/parts/judging.sh
source "$SOURCE_DIR/tests/parts/judging.sh"
for unit_test in "$SOURCE_DIR"/tests/testgen/adapters/*_test.py; do
    expect "$(basename "$unit_test")" python3 -B "$unit_test"
done
PATH=$PATH:/usr/sbin
((failed == 0)) || exit 1
command -v mosquitto >/dev/null || { echo "mosquitto is not installed" && exit 77; }
folder=$work

export PYTHONDONTWRITEBYTECODE=1
run=(python3 "$SOURCE_DIR/tests/parts/mqtt_run.py" "$ESPALIER" "$SOURCE_DIR" "$folder")

# Suites with the options that the tables of docs/mqtt.md were measured with: of the model as it is, whose tests end where mosquitto
# deviates from the standard, and of the model with all that mosquitto deviates in, so that nothing hides behind a deviation. Of the
# latter, one with another seed comes second: which targets a single one misses changes with the search.
generate() {
    "$ESPALIER" generate "$1" --depth 2 --search random --seed "$2" --step-limit 10000000 -o "$3" --quiet
}
as_it_is=$("${run[@]}" model) || exit 1
generate "$SOURCE_DIR/models/mqtt_broker.scm" 0 "$folder/suite.xml" &
generate "$as_it_is" 0 "$folder/as-it-is-0.xml" || exit 1
wait $! || exit 1
generate "$as_it_is" 1 "$folder/as-it-is-1.xml" || exit 1

"${run[@]}" deviations "$folder/suite.xml" >"$folder/deviations.out" 2>&1 &
"${run[@]}" faults "$as_it_is" "$folder/as-it-is-0.xml" "$folder/as-it-is-1.xml"
judge "faults that a proxy adds are found" $?
wait $!
judge "verdicts are as written down" $?
cat "$folder/deviations.out"
conclude 3
