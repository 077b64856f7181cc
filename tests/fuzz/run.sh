#!/usr/bin/env bash
# run.sh SECONDS [NAME...]: builds the fuzz targets and runs each, or those named, for so long. A finding is saved in
# build-sanitize/fuzzing/findings/ and fails the run. New inputs stay in build-sanitize/fuzzing/corpus/; the corpus of the
# project is only read.
set -euo pipefail
seconds=${1:?usage: run.sh SECONDS [NAME...]}
shift
here=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
program=fuzz
# shellcheck source=cmake/setup.sh
source "$here/cmake/setup.sh"
cd -- "$here"
build=$here/build-sanitize
found=$build/fuzzing

names=("$@")
if ((${#names[@]} == 0)); then
    for source in tests/fuzz/*_fuzz.cpp; do
        [[ -e $source ]] && names+=("$(basename "$source" _fuzz.cpp)")
    done
fi
if ((${#names[@]} == 0)); then
    echo "there is nothing to fuzz"
    exit 1
fi

configure sanitize build-sanitize OFF
build build-sanitize fuzz
mkdir -p "$found/findings"

# fuzz NAME: says what came of it, and leaves a mark where nothing was found.
fuzz() {
    local name=$1 own=$found/corpus/$1 given=tests/fuzz/corpus/$1 dictionary=tests/fuzz/$1.dict log=$found/$1.log
    local arguments=("$own")
    mkdir -p "$own"
    [[ ! -d $given ]] || arguments+=("$given")
    [[ ! -e $dictionary ]] || arguments+=("-dict=$dictionary")
    rm -f "$found/$name.passed"
    if "$build/tests/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found/findings/$name-" "${arguments[@]}" >"$log" 2>&1; then
        touch "$found/$name.passed"
        echo "fuzz $name: no finding in $seconds s, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        tail -n 60 "$log"
        echo "fuzz $name: FOUND something; all of it is in $log"
    fi
}

# As many at a time as there are cores.
for name in "${names[@]}"; do
    while (($(jobs -pr | wc -l) >= $(nproc))); do wait -n; done
    fuzz "$name" &
done
wait
passed=0
for name in "${names[@]}"; do
    [[ ! -e $found/$name.passed ]] || passed=$((passed + 1))
done
failed=$((${#names[@]} - passed))
echo "$passed passed, $failed failed"
((failed == 0))
