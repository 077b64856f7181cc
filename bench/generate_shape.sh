#!/usr/bin/env bash
# Prints a model with COUNT of one thing in one place. For bench/flow.sh and the end-to-end tests.
#
#   bench/generate_shape.sh SHAPE COUNT
#
# Shapes: branches (in one procedure), cond (clauses of one), select (types of message, each with a `where`), where
# (clauses for one type of message), dispatch (types of message, in one cond), closures (in one variable), recursive
# (closures that meet in one recursive procedure), symbols (in one variable, and a case on it), states (of a machine by
# hand, in a variable), list (of symbols, in one call), table (procedures that call each other through one table).
set -u
usage() {
  echo "usage: bench/generate_shape.sh branches|cond|select|where|dispatch|closures|recursive|symbols|states|list|table COUNT" >&2
  exit 2
}
[ $# -eq 2 ] || usage
case $2 in
  '' | *[!0-9]* | 0) usage ;;
esac
case $1 in
  branches | cond | select | where | dispatch | closures | recursive | symbols | states | list | table) ;;
  *) usage ;;
esac

awk -v shape="$1" -v n="$2" '
  function each(format,   i) { # %d, as often as it stands there, is the number
    for (i = 0; i < n; i++) { line = format; gsub(/%d/, i, line); gsub(/%n/, (i + 1) % n, line); print line }
  }
  function messages() {
    each("(define-message M%d (a int))")
    print "(define-port p in"; each("M%d"); print ")"
  }
  BEGIN {
    x = "(define x (read int))"
    if (shape == "branches") { print x; each("(if (= x %d) (write %d))") }
    if (shape == "cond") { print x "(cond"; each("((= x %d) (write %d))"); print ")" }
    if (shape == "select") {
      messages(); print "(let loop () (select"; each("((p (M%d a)) (where (> a %d)) (write a))"); print ") (loop))"
    }
    if (shape == "where") {
      print "(define-message M (a int)) (define-port p in M)\n(let loop () (select"
      each("((p (M a)) (where (= a %d)) (write a))"); print ") (loop))"
    }
    if (shape == "dispatch") {
      messages(); print "(let loop () (let ((m (read p))) (cond"; each("((M%d? m) (write (M%d-a m)))")
      print ")) (loop))"
    }
    if (shape == "closures") {
      print x "(define f #f)"; each("(if (= x %d) (set! f (lambda (y) (+ y %d))))"); print "(if f (write (f 1)))"
    }
    if (shape == "recursive") {
      print "(define (walk f k) (if (> k 0) (walk f (- k 1)) (f k)))"
      each("(write (walk (lambda (y) (+ y %d)) 3))")
    }
    if (shape == "symbols") {
      print x "(define s (cond"; each("((= x %d) (quote s%d))"); print "(else (quote none))))"
      print "(case s"; each("((s%d) (write %d))"); print ")"
    }
    if (shape == "states") {
      print "(define s (quote s0))\n(define (run) (case s"
      each("((s%d) (if (> (read int) 0) (set! s (quote s%n))))"); print ") (run))\n(run)"
    }
    if (shape == "list") {
      print "(define l (list"; each("(quote s%d)"); print "))"
      print "(if (memq (quote s" n - 1 ") l) (checkpoint last) (checkpoint none))"
    }
    if (shape == "table") {
      each("(define (h%d y) (if (> y %d) ((vector-ref table (modulo y " n ")) (- y 1)) (write y)))")
      print "(define table (vector"; each("h%d"); print "))"
      print x "((vector-ref table (modulo x " n ")) x)"
    }
  }'
