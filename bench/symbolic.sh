#!/usr/bin/env bash
# How fast is the symbolic executor where nothing is symbolic? Each program of bench/language runs in the concrete
# interpreter (`espalier run`) and in the symbolic executor (bench_explore), in turns. What the program displays is
# compared: in the symbolic executor each display becomes an assertion, and the end of the program a checkpoint.
# Then, what forking a state costs.
#
#   bench/symbolic.sh [RUNS]        the best of RUNS turns (default 3) counts
#
# Times are user seconds; what each engine needs for a program that shows one number is measured too, shown, and
# subtracted.
#
# BUILD      the folder with the release build (default: build), which is brought up to date
# PROGRAMS   which programs, by name (default: all)
#
# Exit status: 0, unless the engines disagree or a program fails (1) or the usage is wrong (2).
set -u
export LC_ALL=C

runs=${1:-3}
case $runs in
  '' | *[!0-9]* | 0) echo "usage: bench/symbolic.sh [RUNS]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${BUILD:-$here/../build}
if [ ! -e "$build/CMakeCache.txt" ]; then
  (cd "$here/.." && cmake --preset release -B "$build" >/dev/null) || exit 2
fi
cmake --build "$build" --target espalier bench_explore bench_fork >/dev/null || exit 2
espalier=$build/espalier
explore=$build/bench/bench_explore

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# shellcheck source=bench/language/programs.sh
source "$here/language/programs.sh"

# The model for the symbolic executor: what `run` printed must come out again.
for name in "${programs[@]}"; do
  {
    echo "(define shown '($("$espalier" run "${source[$name]}" </dev/null)))"
    echo '(define (show x) (assert (equal? x (car shown))) (set! shown (cdr shown)))'
    sed -e 's/(display /(show /' -e 's/(newline)//' "${source[$name]}"
    echo '(assert (null? shown)) (checkpoint done)'
  } >"$scratch/$name.model.scm"
done

run() { # ENGINE NAME
  case $1 in
    concrete) "$espalier" run "${source[$2]}" ;;
    symbolic) "$explore" "$scratch/$2.model.scm" ;;
  esac
}

declare -A best
failed=0
measure() { # ENGINE NAME
  local key=$1.$2 seconds TIMEFORMAT=%3U
  seconds=$({ time run "$1" "$2" >"$scratch/$key.out" 2>"$scratch/$key.err" </dev/null ||
    touch "$scratch/$key.failed"; } 2>&1)
  if [ -e "$scratch/$key.failed" ]; then
    echo "the $1 engine fails on $2:" >&2
    head -n 5 "$scratch/$key.err" "$scratch/$key.out" >&2
    failed=1
  fi
  if [ -z "${best[$key]:-}" ] || awk "BEGIN { exit !($seconds < ${best[$key]}) }"; then
    best[$key]=$seconds
  fi
}

for ((turn = 1; turn <= runs; turn++)); do
  for name in "${programs[@]}"; do
    for engine in concrete symbolic; do
      [ -t 2 ] && printf '\r\033[Kturn %d of %d: %s, %s' "$turn" "$runs" "$name" "$engine" >&2
      measure "$engine" "$name"
    done
  done
done
[ -t 2 ] && printf '\r\033[K' >&2

for name in "${programs[@]}"; do
  echo "$name ${best[concrete.$name]} ${best[symbolic.$name]} $(cut -d' ' -f2,8 "$scratch/symbolic.$name.out")"
done | awk -v runs="$runs" '
  function net(seconds, start) { seconds -= start; return seconds < 0.001 ? 0.001 : seconds }
  function verdict(holds) { return holds ? "yes" : "NO" }
  NR == 1 {
    start_c = $2; start_s = $3
    printf "user seconds, best of %d, start-up subtracted\n\n", runs
    printf "%-18s %10s %10s %8s %14s %10s\n", "program", "concrete", "symbolic", "ratio", "vm steps", "peak MB"
    next
  }
  {
    c = net($2, start_c); s = net($3, start_s)
    printf "%-18s %10.3f %10.3f %8.2f %14d %10.1f\n", $1, c, s, s / c, $4, $5 / 1e6
    n++; logs += log(s / c)
    if (s / c > worst) { worst = s / c; at = $1 }
  }
  END {
    if (n == 0) exit
    printf "%-18s %10s %10s %8.2f\n", "geometric mean", "", "", exp(logs / n)
    printf "%-18s %10.3f %10.3f\n\n", "start-up", start_c, start_s
    printf "at most 3 times in the geometric mean: %-4s (%.2f)\n", verdict(exp(logs / n) <= 3), exp(logs / n)
    printf "at most 5 times on each:               %-4s (worst: %s, %.2f)\n\n", verdict(worst <= 5), at, worst
  }'

"$build/bench/bench_fork" || failed=1
exit "$failed"
