#!/usr/bin/env bash
# The suite of models/mqtt_broker.scm against a real broker, Debian's mosquitto, through testgen/adapters/mqtt.py: verdicts are
# as written down in tests/models/mqtt_broker/deviations.txt, and faults that a proxy adds are found.
set -uo pipefail
: "${ESPALIER:?}" "${SOURCE_DIR:?}"
for unit_test in "$SOURCE_DIR"/tests/testgen/adapters/*_test.py; do
    python3 -B "$unit_test" || exit 1
done
PATH=$PATH:/usr/sbin
command -v mosquitto >/dev/null || { echo "mosquitto is not installed" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Three suites, of three orders of search: no test of much use is lost where a deviation comes before it.
suites=()
for seed in 10 1 2; do
    suites+=("$folder/seed-$seed.xml")
    "$ESPALIER" generate "$SOURCE_DIR/models/mqtt_broker.scm" --depth 2 --search distance --seed "$seed" \
        --step-limit 5000000 -o "$folder/seed-$seed.xml" --quiet || exit 1
done
export PYTHONDONTWRITEBYTECODE=1
python3 "$SOURCE_DIR/tests/parts/mqtt_run.py" "$ESPALIER" "$SOURCE_DIR" "$folder" "${suites[@]}"
