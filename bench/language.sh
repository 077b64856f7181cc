#!/usr/bin/env bash
# How fast is the language? Each program of bench/language runs in Espalier, in Guile
# (compiled to a file first, JIT on) and in Gambit's interpreter, in turns.
#
#   bench/language.sh [RUNS]        the best of RUNS turns (default 3) counts
#
# Times are user seconds; what the same system needs for a program that prints one number
# is measured too, shown, and subtracted. Compiling for Guile is not counted.
#
# ESPALIER   the binary (default: build/espalier)
# GUILE, GSI the other two (default: guile, gsi); one that is missing is left out
# PROGRAMS   which programs, by name (default: all)
#
# Exit status: 0, unless outputs disagree or a program fails (1) or the usage is wrong (2).
set -u
export LC_ALL=C

runs=${1:-3}
case $runs in
  '' | *[!0-9]* | 0) echo "usage: bench/language.sh [RUNS]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../build/espalier}
guile=${GUILE:-guile}
gsi=${GSI:-gsi}

if ! command -v "$espalier" >/dev/null 2>&1; then
  echo "no binary at $espalier (set ESPALIER)" >&2
  exit 2
fi

systems=(espalier)
command -v "$guile" >/dev/null 2>&1 && systems+=(guile)
command -v "$gsi" >/dev/null 2>&1 && systems+=(gsi)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# shellcheck source=bench/language/programs.sh
source "$here/language/programs.sh"

# Guile and Gambit have hash tables under other names: a shim goes before the program.
has() { [[ " ${systems[*]} " == *" $1 "* ]]; }
for name in "${programs[@]}"; do
  if has guile; then
    cat "$here/shims/guile.scm" "${source[$name]}" >"$scratch/$name.guile.scm"
    if ! "$guile" --no-auto-compile -c "
        (use-modules (system base compile))
        (compile-file \"$scratch/$name.guile.scm\" #:output-file \"$scratch/$name.go\"
                      #:optimization-level 2)" >/dev/null; then
      echo "$guile cannot compile $name" >&2
      exit 1
    fi
  fi
  if has gsi; then
    cat "$here/shims/gambit.scm" "${source[$name]}" >"$scratch/$name.gsi.scm"
  fi
done

run() { # SYSTEM NAME
  case $1 in
    espalier) "$espalier" run "${source[$2]}" ;;
    guile) "$guile" --no-auto-compile -c "(load-compiled \"$scratch/$2.go\")" ;;
    gsi) "$gsi" -f "$scratch/$2.gsi.scm" ;;
  esac
}

declare -A best
failed=0
measure() { # SYSTEM NAME
  local key=$1.$2 seconds TIMEFORMAT=%U
  seconds=$({ time run "$1" "$2" >"$scratch/$key.out" 2>"$scratch/$key.err" </dev/null ||
    touch "$scratch/$key.failed"; } 2>&1)
  if [ -e "$scratch/$key.failed" ]; then
    echo "$1 fails on $2:" >&2
    head -n 5 "$scratch/$key.err" >&2
    failed=1
  fi
  if [ -z "${best[$key]:-}" ] || awk "BEGIN { exit !($seconds < ${best[$key]}) }"; then
    best[$key]=$seconds
  fi
}

for ((turn = 1; turn <= runs; turn++)); do
  for name in "${programs[@]}"; do
    for system in "${systems[@]}"; do
      [ -t 2 ] && printf '\r\033[Kturn %d of %d: %s in %s' "$turn" "$runs" "$name" "$system" >&2
      measure "$system" "$name"
    done
  done
done
[ -t 2 ] && printf '\r\033[K' >&2

for name in "${programs[@]}"; do
  for system in "${systems[@]}"; do
    if ! cmp -s "$scratch/espalier.$name.out" "$scratch/$system.$name.out"; then
      echo "$name: $system prints something else than espalier:" >&2
      diff "$scratch/espalier.$name.out" "$scratch/$system.$name.out" | head -n 6 >&2
      failed=1
    fi
  done
done

for name in "${programs[@]}"; do
  echo "$name ${best[espalier.$name]} ${best[guile.$name]:--} ${best[gsi.$name]:--}"
done | awk -v runs="$runs" '
  function shown(seconds) { return seconds == "-" ? "-" : sprintf("%.3f", seconds) }
  function ratio(a, b) { return b == "-" ? "-" : sprintf("%.2f", a / b) }
  function net(seconds, start) {
    if (seconds == "-") return "-"
    seconds -= start
    return seconds < 0.001 ? 0.001 : seconds
  }
  function verdict(holds) { return holds ? "yes" : "NO" }
  NR == 1 {
    start["espalier"] = $2; start["guile"] = $3; start["gsi"] = $4
    printf "user seconds, best of %d, start-up subtracted\n\n", runs
    printf "%-18s %10s %10s %10s %10s %10s\n",
           "program", "espalier", "guile", "gsi", "to guile", "to gsi"
    next
  }
  {
    e = net($2, start["espalier"]); u = net($3, start["guile"]); g = net($4, start["gsi"])
    printf "%-18s %10s %10s %10s %10s %10s\n",
           $1, shown(e), shown(u), shown(g), ratio(e, u), ratio(e, g)
    n++
    if (u != "-") { logs_u += log(e / u); if (e / u > worst_u) { worst_u = e / u; at_u = $1 } }
    if (g != "-") { logs_g += log(e / g); if (e / g > worst_g) { worst_g = e / g; at_g = $1 } }
    has_u = u != "-"; has_g = g != "-"
  }
  END {
    if (n == 0) exit
    mean_u = exp(logs_u / n); mean_g = exp(logs_g / n)
    printf "%-18s %10s %10s %10s %10s %10s\n", "geometric mean", "", "", "",
           has_u ? sprintf("%.2f", mean_u) : "-", has_g ? sprintf("%.2f", mean_g) : "-"
    printf "%-18s %10s %10s %10s\n\n", "start-up",
           shown(start["espalier"]), shown(start["guile"]), shown(start["gsi"])
    if (has_u) {
      printf "at most 8 times Guile on each:           %-4s (worst: %s, %.2f)\n",
             verdict(worst_u <= 8), at_u, worst_u
      printf "at most 4 times Guile in geometric mean: %-4s (%.2f)\n", verdict(mean_u <= 4), mean_u
    }
    if (has_g)
      printf "faster than gsi on each:                 %-4s (worst: %s, %.2f)\n",
             verdict(worst_g < 1), at_g, worst_g
  }'

exit "$failed"
