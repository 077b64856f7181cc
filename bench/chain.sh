#!/usr/bin/env bash
# What is the solver chain worth? Generates suites from the shipped models with the whole chain and with Z3 alone
# (incremental along the path, as always), in turn, and prints processor time and its ratio for each, and the
# geometric mean.
#
#   bench/chain.sh [RUNS]           the best of RUNS (default 3) counts
#
# ESPALIER   the binary (default: build/espalier)
# CHAIN      what is compared with z3 (default: all)
# STEPS      VM steps for each model (default: 20000), so that both do the same work
# DEPTH      (default: 4)
#
# The aim: at least five times as fast in the geometric mean. What every run pays alike (reading the model, replaying the
# tests) is measured with one step, and subtracted. Both must write the same suite.
# Exit status: 0, unless a run fails or the suites differ (1), or the usage is wrong (2).
set -u
export LC_ALL=C

runs=${1:-3}
case $runs in
  '' | *[!0-9]* | 0) echo "usage: bench/chain.sh [RUNS]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../build/espalier}
chain=${CHAIN:-all}
steps=${STEPS:-20000}
depth=${DEPTH:-4}

if ! command -v "$espalier" >/dev/null 2>&1; then
  echo "no binary at $espalier (set ESPALIER)" >&2
  exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Sets seconds: the best processor time of all runs.
generate() { # MODEL CHAIN STEPS SUITE
  local run status TIMEFORMAT='%3U %3S'
  seconds=
  for ((run = 1; run <= runs; run++)); do
    {
      time "$espalier" generate "$1" --solver-chain "$2" --step-limit "$3" --depth "$depth" \
        --quiet -o "$4" >"$scratch/out" 2>&1 </dev/null
    } 2>"$scratch/time"
    status=$?
    if [ "$status" -gt 1 ]; then # 1: the model has errors, which is no matter here
      echo "generate --solver-chain $2 fails on $1:" >&2
      head -n 5 "$scratch/out" >&2
      return 1
    fi
    seconds=$(awk -v best="${seconds:-1e9}" '{ s = $1 + $2; print s < best ? s : best }' "$scratch/time")
  done
}

printf '%-28s %10s %10s %8s\n' model "$chain s" "z3 s" ratio
failed=0
: >"$scratch/ratios"
for model in "$here"/../models/*.scm "$here"/../models/*/*.scm; do
  name=${model#"$here"/../models/}
  if ! generate "$model" "$chain" 1 "$scratch/start.xml"; then failed=1; continue; fi
  start=$seconds
  if ! generate "$model" "$chain" "$steps" "$scratch/chain.xml"; then failed=1; continue; fi
  with=$seconds
  if ! generate "$model" z3 "$steps" "$scratch/z3.xml"; then failed=1; continue; fi
  if ! cmp -s "$scratch/chain.xml" "$scratch/z3.xml"; then
    echo "$name: the suites differ" >&2
    failed=1
  fi
  # A search that takes less than a hundredth of a second says nothing.
  awk -v name="$name" -v a="$with" -v b="$seconds" -v start="$start" -v ratios="$scratch/ratios" 'BEGIN {
    a -= start; b -= start
    if (a < 0.001) a = 0.001
    if (b < 0.01) { printf "%-28s %10.3f %10.3f %8s\n", name, a, b, "-"; exit }
    printf "%-28s %10.3f %10.3f %8.1f\n", name, a, b, b / a
    print b / a >>ratios
  }'
done
awk '{ sum += log($1); n++ } END { if (n) printf "%-28s %10s %10s %8.1f   (the aim: 5)\n", "geometric mean", "", "", exp(sum / n) }' \
  "$scratch/ratios"
exit "$failed"
