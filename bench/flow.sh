#!/usr/bin/env bash
# Does the flow analysis scale? Analyses generated models of 1,000 to 120,000 lines, with the targets of the usual
# criteria, and prints processor time, the growth exponent, and bytes for each node of the automaton. Then models with
# very many of one thing in one place (bench/generate_shape.sh), each with its own exponent. Then the higher-order
# programs of tests/flowanalysis/programs: how many blocks are evaluated until the fixpoint.
#
#   bench/flow.sh [RUNS]            the best of RUNS (default 3) counts
#
# BUILD      the folder with the release build (default: build), which is brought up to date
# SIZES      the lines of the models (default: "1000 3000 10000 30000 60000 120000")
# COUNTS     how many of one thing in one place (default: "1000 4000 16000 64000")
# SHAPES     which things (default: all but `list` and `table`)
#
# The exponent is the slope of log(seconds) over log(lines), by least squares. The aims: at most 1.3, and at most ten
# seconds for the largest model.
# Exit status: 0, unless a model cannot be analysed (1) or the usage is wrong (2).
set -u
export LC_ALL=C

runs=${1:-3}
case $runs in
  '' | *[!0-9]* | 0) echo "usage: bench/flow.sh [RUNS]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${BUILD:-$here/../build}
sizes=${SIZES:-1000 3000 10000 30000 60000 120000}
counts=${COUNTS:-1000 4000 16000 64000}
shapes=${SHAPES:-branches cond select where dispatch closures recursive symbols states}
if [ ! -e "$build/CMakeCache.txt" ]; then
  (cd "$here/.." && cmake --preset release -B "$build" >/dev/null) || exit 2
fi
cmake --build "$build" --target bench_flow >/dev/null || exit 2
analyse=$build/bench/bench_flow

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for size in $sizes; do
  "$here/generate_model.sh" "$size" >"$scratch/model.scm" || exit 2
  # A process for each, so that the peak memory is its own.
  figures=$("$analyse" "$runs" "$scratch/model.scm") || exit 1
  echo "$size $figures"
done >"$scratch/results"

awk -v runs="$runs" '
  function verdict(holds) { return holds ? "yes" : "NO" }
  NR == 1 {
    printf "flow analysis of generated models, best of %d\n\n", runs
    printf "%8s %10s %9s %9s %10s %9s %12s %12s %9s\n", "lines", "procedures", "nodes", "edges", "blocks",
           "seconds", "bytes/node", "and oracle", "peak MB"
  }
  {
    seconds = $7 < 0.0001 ? 0.0001 : $7
    printf "%8d %10d %9d %9d %10d %9.4f %12.1f %12.1f %9.1f\n", $1, $3, $4, $5, $6, seconds, $8, $8 + $9, $10 / 1024
    x = log($1); y = log(seconds)
    n++; sx += x; sy += y; sxx += x * x; sxy += x * y
    if ($8 > most) most = $8
    if (least == 0 || $8 < least) least = $8
    last = seconds; lines = $1
  }
  END {
    if (n < 2) exit
    exponent = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    printf "\ngrowth exponent at most 1.3:             %-4s (%.2f)\n", verdict(exponent <= 1.3), exponent
    printf "%d lines take at most 10 s:          %-4s (%.2f)\n", lines, verdict(last <= 10), last
    printf "bytes for each node differ by:           %.2f times\n", most / least
  }' "$scratch/results"

printf '\nmany of one thing in one place: seconds\n\n%-10s' shape
for count in $counts; do printf ' %9s' "$count"; done
printf ' %9s %9s %9s\n' 'peak MB' exponent 'by 1.3?'
for shape in $shapes; do
  for count in $counts; do
    "$here/generate_shape.sh" "$shape" "$count" >"$scratch/model.scm" || exit 2
    figures=$("$analyse" "$runs" "$scratch/model.scm") || exit 1
    echo "$count $figures"
  done >"$scratch/shape"
  awk -v shape="$shape" '
    NR == 1 { printf "%-10s", shape }
    {
      seconds = $7 < 0.0001 ? 0.0001 : $7
      printf " %9.4f", seconds
      x = log($1); y = log(seconds)
      n++; sx += x; sy += y; sxx += x * x; sxy += x * y
      peak = $10 / 1024
    }
    END {
      exponent = n < 2 ? 0 : (n * sxy - sx * sy) / (n * sxx - sx * sx)
      printf " %9.1f %9.2f %9s\n", peak, exponent, exponent <= 1.3 ? "yes" : "NO"
    }' "$scratch/shape"
done

printf '\nhigher-order programs\n\n%-24s %8s %10s %8s %8s %8s %14s %9s\n' program lambdas procedures nodes blocks \
  evaluated 'evaluated each' seconds
for program in "$here"/../tests/flowanalysis/programs/*.scm; do
  [ -e "$program" ] || continue
  figures=$("$analyse" "$runs" "$program") || exit 1
  echo "$(basename "$program" .scm) $figures"
done | awk '{ printf "%-24s %8d %10d %8d %8d %8d %14.1f %9.4f\n", $1, $2, $3, $4, $11, $6, $6 / $11, $7 }'
