#!/usr/bin/env bash
# Do waits scale with their clauses? Checks, runs and searches models with very many clauses, and prints processor time
# and how much more twice the clauses take. A run gets as many messages as there are clauses.
#
#   bench/waits.sh                          the figures
#   bench/waits.sh model|inputs SHAPE COUNT one of the models, or what its run is given
#
# ESPALIER   the binary (default: build/espalier)
# COUNTS     how many clauses (default: "500 1000 2000 4000")
# SHAPES     which models (default: all). messages: a state with a clause for each type of message; literals: clauses for
#            one type, each with another number in its pattern; symbols: the same with symbols of an enum; channel:
#            the same with numbers that another thread sends; guards: clauses for two types, each with a `where` that
#            compares a variable with another number; states: a machine with half as many states, of two clauses each
# COMMANDS   what is measured (default: "check run generate")
# LIMIT      seconds of processor time after which a command is given up (default: 120)
#
# Exit status: 0, unless a command fails (1) or the usage is wrong (2).
set -u
export LC_ALL=C

usage() { echo "usage: bench/waits.sh [model|inputs messages|literals|symbols|channel|guards|states COUNT]" >&2; exit 2; }

model() { # SHAPE COUNT
  awk -v shape="$1" -v n="$2" '
    # %d, as often as it stands there, is the number; %l and %r are the two to which it leads, so that all are near 0.
    function each(format,   i) {
      for (i = 0; i < n; i++) {
        line = format; gsub(/%d/, i, line); gsub(/%l/, (2 * i + 1) % n, line); gsub(/%r/, (2 * i + 2) % n, line); print line
      }
    }
    function machine(clause) { print "(define-machine (m s) (state idle"; each(clause); print "))\n(m 0)" }
    BEGIN {
      if (shape != "guards" && shape != "states") print "(define-message Done (k int)) (define-port q out Done)"
      two = "(define-message Left) (define-message Right) (define-port p in Left Right)"
      step = "(define-message Step (k (int 0 " n - 1 ")))"
      if (shape == "messages") {
        each("(define-message M%d (a int))"); print "(define-port p in"; each("M%d"); print ")"
        machine("(on (p (M%d a)) (write q (Done a)))")
      }
      if (shape == "literals") {
        print step "(define-port p in Step)"; machine("(on (p (Step %d)) (write q (Done %d)))")
      }
      if (shape == "symbols") {
        print "(define-message Step (k (enum"; each("s%d"); print ")))\n(define-port p in Step)"
        machine("(on (p (Step (quote s%d))) (write q (Done %d)))")
      }
      if (shape == "channel") {
        print two step "(define-channel c)\n(define (pass k) (send c (Step k))"
        print "(select ((p Left) (pass (modulo (+ k k 1) " n "))) ((p Right) (pass (modulo (+ k k 2) " n ")))))\n(spawn (pass 0))"
        machine("(on (c (Step %d)) (write q (Done %d)))")
      }
      if (shape == "guards") {
        n = int(n / 2); print two
        machine("(on (p Left) (where (= s %d)) -> (idle %l)) (on (p Right) (where (= s %d)) -> (idle %r))")
      }
      if (shape == "states") {
        n = int(n / 2); print two "(define-machine (m)"; each("(state s%d (on (p Left) -> s%l) (on (p Right) -> s%r))")
        print ")\n(m)"
      }
    }'
}

inputs() { # SHAPE COUNT
  awk -v shape="$1" -v n="$2" 'BEGIN {
    for (i = 0; i < n; i++)
      if (shape == "messages") printf "(p (M%d 1))\n", i
      else if (shape == "literals") printf "(p (Step %d))\n", i
      else if (shape == "symbols") printf "(p (Step s%d))\n", i
      else print i % 3 ? "(p (Left))" : "(p (Right))"
  }'
}

case ${1:-} in
  model | inputs)
    case ${2:-} in messages | literals | symbols | channel | guards | states) ;; *) usage ;; esac
    case ${3:-} in '' | *[!0-9]* | 0) usage ;; esac
    "$1" "$2" "$3"
    exit ;;
  '') ;;
  *) usage ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../build/espalier}
counts=${COUNTS:-500 1000 2000 4000}
shapes=${SHAPES:-messages literals symbols channel guards states}
commands=${COMMANDS:-check run generate}
command -v "$espalier" >/dev/null 2>&1 || { echo "no binary at $espalier (set ESPALIER)" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the seconds, or a dash where they are more than the limit.
seconds() { # COMMAND ARGUMENT…
  (
    ulimit -t "${LIMIT:-120}"
    # GNU time tells the processor time, whatever else the machine does.
    /usr/bin/time -o "$scratch/time" -f '%U %S' "$espalier" "$@" >"$scratch/out" 2>&1 </dev/null
  )
  status=$?
  case $status in
    0 | 1) awk 'END { printf "%.2f", $1 + $2 }' "$scratch/time" ;;
    137 | 152) printf '-' ;;
    *) cat "$scratch/out" >&2; return 1 ;;
  esac
}

printf '%-9s %-9s' shape command
for count in $counts; do printf ' %8s' "$count"; done
printf '  %s\n' 'times more, for each'
for shape in $shapes; do
  for command in $commands; do
    figures=
    for count in $counts; do
      model "$shape" "$count" >"$scratch/model.scm"
      inputs "$shape" "$count" >"$scratch/inputs"
      case $command in
        check) more=() ;;
        run) more=(--inputs "$scratch/inputs") ;;
        generate) more=(-o "$scratch/suite.xml" --quiet) ;;
        *) echo "no command $command" >&2; exit 2 ;;
      esac
      # What takes too long with fewer clauses takes too long with more.
      case $figures in *-) figure=- ;; *) figure=$(seconds "$command" "$scratch/model.scm" "${more[@]}") || exit 1 ;; esac
      figures="$figures $figure"
    done
    echo "$shape $command$figures" | awk '{
      printf "%-9s %-9s", $1, $2
      for (i = 3; i <= NF; i++) printf " %8s", $i
      printf " "
      for (i = 4; i <= NF; i++) printf " %s", $i == "-" || $(i - 1) == "-" || $(i - 1) < 0.02 ? "-" : sprintf("%.1f", $i / $(i - 1))
      print ""
    }'
  done
done
