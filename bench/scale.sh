#!/usr/bin/env bash
# Does reading, expanding and lowering scale? Runs `espalier check` on generated models, each
# four times as long as the one before, up to the size of the largest model the method was
# ever used on, and prints processor time, peak memory and how both grow.
#
#   bench/scale.sh [RUNS]           the best of RUNS (default 3) counts
#
# ESPALIER   the binary (default: build/espalier)
# SIZES      the lines of the models (default: "1875 7500 30000 120000")
#
# The aims: four times the lines take at most five times the time and memory (for other steps
# the same rate of growth), and the largest takes at most ten seconds.
# Exit status: 0, unless `check` fails on a model (1) or the usage is wrong (2).
set -u
export LC_ALL=C

runs=${1:-3}
case $runs in
  '' | *[!0-9]* | 0) echo "usage: bench/scale.sh [RUNS]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../build/espalier}
sizes=${SIZES:-1875 7500 30000 120000}

if ! command -v "$espalier" >/dev/null 2>&1; then
  echo "no binary at $espalier (set ESPALIER)" >&2
  exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# GNU time tells the peak memory; without it that column is empty.
peak=()
[ -x /usr/bin/time ] && peak=(/usr/bin/time -o "$scratch/peak" -f %M)

# Sets seconds (processor time, so that a busy machine matters little) and kilobytes.
check() { # MODEL
  local status TIMEFORMAT='%3U %3S'
  {
    time "${peak[@]}" "$espalier" check "$1" \
      >"$scratch/out" 2>"$scratch/errors" </dev/null
  } 2>"$scratch/time"
  status=$?
  seconds=$(awk '{ print $1 + $2 }' "$scratch/time")
  kilobytes=0
  [ -e "$scratch/peak" ] && kilobytes=$(tail -n 1 "$scratch/peak")
  return "$status"
}

failed=0
for size in $sizes; do
  model=$scratch/model.scm
  "$here/generate_model.sh" "$size" >"$model" || exit 2
  best_seconds='' best_kilobytes=''
  for ((run = 1; run <= runs; run++)); do
    if ! check "$model"; then
      echo "check fails on the model of $size lines:" >&2
      head -n 10 "$scratch/errors" "$scratch/out" >&2
      failed=1
      break
    fi
    if [ -z "$best_seconds" ] || awk "BEGIN { exit !($seconds < $best_seconds) }"; then
      best_seconds=$seconds
    fi
    if [ -z "$best_kilobytes" ] || [ "$kilobytes" -lt "$best_kilobytes" ]; then
      best_kilobytes=$kilobytes
    fi
  done
  [ "$failed" -eq 0 ] || break
  echo "$size $best_seconds $best_kilobytes"
done >"$scratch/results"
[ "$failed" -eq 0 ] || exit 1

awk -v runs="$runs" '
  function verdict(holds) { return holds ? "yes" : "NO" }
  NR == 1 {
    printf "espalier check on generated models, best of %d\n\n", runs
    printf "%10s %10s %12s %10s %10s %10s\n",
           "lines", "seconds", "memory MB", "lines x", "time x", "memory x"
    time_holds = memory_holds = 1
  }
  {
    seconds = $2 < 0.001 ? 0.001 : $2
    printf "%10d %10.3f %12s", $1, seconds, $3 ? sprintf("%.1f", $3 / 1024) : "-"
    if (NR > 1) {
      lines = $1 / before_lines
      time = seconds / before_seconds
      memory = before_kilobytes ? $3 / before_kilobytes : 0
      limit = exp(log(5) * log(lines) / log(4))
      if (time > limit) time_holds = 0
      if (memory > limit) memory_holds = 0
      printf " %10.2f %10.2f %10s", lines, time, memory ? sprintf("%.2f", memory) : "-"
    }
    printf "\n"
    before_lines = $1; before_seconds = seconds; before_kilobytes = $3
  }
  END {
    if (NR == 0) exit
    printf "\nfour times the lines take at most five times the time:   %s\n", verdict(time_holds)
    printf "four times the lines take at most five times the memory: %s\n",
           before_kilobytes ? verdict(memory_holds) : "not measured"
    printf "%d lines take at most 10 s:                          %s\n",
           before_lines, verdict(before_seconds <= 10)
  }' "$scratch/results"
