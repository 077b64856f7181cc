#!/usr/bin/env bash
# Do runs scale with the number of threads? Runs models with very many of them, and prints processor time and peak memory.
#
#   bench/threads.sh
#
# ESPALIER   the binary (default: build/espalier)
# COUNTS     how many threads (default: "10000 20000 40000 80000")
# SHAPES     which models (default: all). wait: services that wait for one channel; serve: as many messages for them;
#            ring: a message goes from each to the next; end: threads that end; delay: each waits for its own time
#
# Exit status: 0, unless a run fails (1) or the usage is wrong (2).
set -u
export LC_ALL=C

[ $# -eq 0 ] || { echo "usage: bench/threads.sh" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
espalier=${ESPALIER:-$here/../build/espalier}
counts=${COUNTS:-10000 20000 40000 80000}
shapes=${SHAPES:-wait serve ring end delay}
command -v "$espalier" >/dev/null 2>&1 || { echo "no binary at $espalier (set ESPALIER)" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

model() { # SHAPE COUNT
  echo '(define-channel c) (define (many n make) (if (> n 0) (begin (make n) (many (- n 1) make))))'
  case $1 in
    wait) echo "(many $2 (lambda (i) (spawn-service (receive c))))" ;;
    serve) echo "(many $2 (lambda (i) (spawn-service (receive c)))) (spawn (many $2 (lambda (i) (send c i))))" ;;
    ring)
      echo '(define (ring n in) (if (= n 0) in (let ((out (make-channel))) (spawn (send out (receive in))) (ring (- n 1) out))))'
      echo "(define last (ring $2 c)) (spawn (send c 1)) (receive last)"
      ;;
    end) echo "(many $2 (lambda (i) (spawn i)))" ;;
    delay) echo "(many $2 (lambda (i) (spawn (select ((after i) i)))))" ;;
    *) echo "no shape $1" >&2; exit 2 ;;
  esac
}

printf '%-8s %9s %9s %9s\n' shape threads seconds 'peak MB'
for shape in $shapes; do
  for count in $counts; do
    model "$shape" "$count" >"$scratch/model.scm" || exit 2
    echo "(wait $count)" >"$scratch/inputs"
    [ "$shape" = delay ] || : >"$scratch/inputs"
    # GNU time tells the peak memory.
    /usr/bin/time -o "$scratch/time" -f '%U %M' "$espalier" run "$scratch/model.scm" --inputs "$scratch/inputs" \
      >"$scratch/out" 2>&1 </dev/null || { cat "$scratch/out" >&2; exit 1; }
    awk -v shape="$shape" -v count="$count" '{ printf "%-8s %9d %9.2f %9.1f\n", shape, count, $1, $2 / 1024 }' "$scratch/time"
  done
done
