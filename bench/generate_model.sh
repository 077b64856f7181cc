#!/usr/bin/env bash
# Prints a model of LINES lines: a network node with many protocol units, each with types,
# messages, ports, channels, timers, helper procedures, a macro, a session machine with
# nested states, and a server thread. All names are unique, and everything defined is used.
#
#   bench/generate_model.sh LINES
#
# The same LINES give the same text. A unit is a little over a hundred lines; what is left
# over at the end is comments.
set -u
export LC_ALL=C

lines=${1:-}
case $lines in
  '' | *[!0-9]*) echo "usage: bench/generate_model.sh LINES" >&2; exit 2 ;;
esac

awk -v lines="$lines" '
# A line of the model; "@" stands for the number of the unit.
function put(text) {
  gsub(/@/, unit, text)
  buffer[++buffered] = text
}

function declarations() {
  put(";; ----------------------------------------------------------------------------")
  put(";; Unit @: sessions, their store, and acknowledged data")
  put(";; ----------------------------------------------------------------------------")
  put("")
  put("(define-type sequence-@ (int 0 65535))")
  put("(define-type status-@ (enum ok busy denied gone))")
  put("")
  put("(define-message Open-@ (session int) (user string) (window (int 1 64)))")
  put("(define-message Data-@ (session int) (number sequence-@) (urgent bool))")
  put("(define-message Close-@ (session int))")
  put("(define-message Reply-@ (session int) (status status-@))")
  put("(define-message Ack-@ (session int) (number sequence-@))")
  put("(define-message Lookup-@ (session int) (user string))")
  put("(define-message Found-@ (session int) (allowed bool))")
  put("")
  put("(define-port user-@ in Open-@ Data-@ Close-@)")
  put("(define-port network-@ out Reply-@ Ack-@)")
  put("(define-channel requests-@)")
  put("(define-channel answers-@)")
  put("(define-timer retry-@)")
  put("")
}

function helpers() {
  put("(define sessions-@ (make-hash-table))")
  put("(define served-@ 0)")
  put("(define limit-@ (+ 4 (modulo @ 5)))")
  put("")
  put("(define-syntax increment-@!")
  put("  (syntax-rules ()")
  put("    ((_ place) (set! place (+ place 1)))))")
  put("")
  put("(define (known-@? session)")
  put("  (hash-table-contains? sessions-@ session))")
  put("")
  put("(define (open-session-@! session window)")
  put("  (unless (known-@? session)")
  put("    (increment-@! served-@))")
  put("  (hash-table-set! sessions-@ session (list window 0)))")
  put("")
  put("(define (close-session-@! session)")
  put("  (hash-table-delete! sessions-@ session)")
  put("  (checkpoint \"unit @: session closed\"))")
  put("")
  put("(define (next-number-@ number)")
  put("  (if (= number 65535)")
  put("      0")
  put("      (+ number 1)))")
  put("")
  put("(define (room-@ window sent)")
  put("  (let* ((left (- window sent))")
  put("         (usable (if (< left 0) 0 left)))")
  put("    (cond ((= usable 0) \047none)")
  put("          ((< usable limit-@) \047little)")
  put("          (else \047plenty))))")
  put("")
  if (unit % 3 == 0) {
    put("(define (total-windows-@)")
    put("  (let loop ((windows (map car (hash-table-values sessions-@))) (total 0))")
    put("    (if (null? windows)")
    put("        total")
    put("        (loop (cdr windows) (+ total (car windows))))))")
  } else if (unit % 3 == 1) {
    put("(define (total-windows-@)")
    put("  (do ((windows (hash-table-values sessions-@) (cdr windows))")
    put("       (total 0 (+ total (car (car windows)))))")
    put("      ((null? windows) total)))")
  } else {
    put("(define (total-windows-@)")
    put("  (fold-left (lambda (total entry) (+ total (car entry)))")
    put("             0")
    put("             (hash-table-values sessions-@)))")
  }
  put("")
  put("(define (admitted-@? user window)")
  put("  (and (not (string=? user \"\"))")
  put("       (or (string=? user \"admin\")")
  put("           (< (+ window (total-windows-@)) (* 16 limit-@)))))")
  put("")
}

function server() {
  put("(define (serve-@ answered)")
  put("  (select")
  put("    ((requests-@ (Lookup-@ s u)) (where (string=? u \"admin\"))")
  put("     (send answers-@ (Found-@ s #t))")
  put("     (serve-@ (+ answered 1)))")
  put("    ((requests-@ (Lookup-@ s u))")
  put("     (checkpoint \"unit @: ordinary user\")")
  put("     (send answers-@ (Found-@ s (< answered limit-@)))")
  put("     (serve-@ (+ answered 1)))))")
  put("")
}

function machine() {
  put("(define-machine (session-@ id window sent)")
  put("  (state idle")
  put("    (on (user-@ (Open-@ s u w)) (where (admitted-@? u w))")
  put("      (requirement \"REQ-@\" \"a session is opened for an admitted user\")")
  put("      (open-session-@! s w)")
  put("      (send requests-@ (Lookup-@ s u))")
  put("      -> (waiting s w 0))")
  put("    (on (user-@ (Open-@ s _ _))")
  put("      (write network-@ (Reply-@ s \047denied)))")
  put("    (ignores user-@))")
  put("  (state waiting")
  put("    (locals (tries 0))")
  put("    (entry (start retry-@ 30))")
  put("    (on (answers-@ (Found-@ s allowed)) (where allowed)")
  put("      (write network-@ (Reply-@ s \047ok))")
  put("      -> open)")
  put("    (on (answers-@ (Found-@ s _))")
  put("      (close-session-@! s)")
  put("      (write network-@ (Reply-@ s \047gone))")
  put("      -> idle (with (sent 0)))")
  put("    (on (timeout retry-@) (where (< tries 3))")
  put("      (increment-@! tries)")
  put("      (start retry-@ 30)")
  put("      (send requests-@ (Lookup-@ id \"again\")))")
  put("    (on (timeout retry-@)")
  put("      (write network-@ (Reply-@ id \047busy))")
  put("      -> idle)")
  put("    (exit (stop retry-@)))")
  put("  (state open")
  put("    (initial quiet)")
  put("    (state quiet")
  put("      (on (user-@ (Data-@ s n _)) (where (= s id))")
  put("        (write network-@ (Ack-@ s n))")
  put("        -> active (with (sent (+ sent 1)))))")
  put("    (state active")
  put("      (on (user-@ (Data-@ s n urgent)) (where (= s id))")
  put("        (case (room-@ window sent)")
  put("          ((none)")
  put("           (write network-@ (Reply-@ s \047busy))")
  put("           (-> quiet))")
  put("          ((little)")
  put("           (checkpoint \"unit @: nearly full\")")
  put("           (when urgent")
  put("             (write network-@ (Ack-@ s (next-number-@ n))))")
  put("           (-> active (with (sent (+ sent 1)))))")
  put("          (else")
  put("           (write network-@ (Ack-@ s (next-number-@ n)))")
  put("           (-> active (with (sent (+ sent 1)))))))")
  put("      (after 10 -> quiet))")
  put("    (on (user-@ (Close-@ s)) (where (= s id))")
  put("      (close-session-@! s)")
  put("      (write network-@ (Reply-@ s \047ok))")
  put("      -> done)")
  put("    (ignores user-@))")
  put("  (state done (final sent)))")
  put("")
}

function threads() {
  put("(spawn (session-@ 0 1 0))")
  put("(spawn-service (serve-@ 0))")
  put("")
}

BEGIN {
  unit = 0
  printed = 0
  for (;;) {
    unit++
    buffered = 0
    declarations(); helpers(); server(); machine(); threads()
    if (printed + buffered > lines) break
    for (i = 1; i <= buffered; i++) print buffer[i]
    printed += buffered
  }
  if (unit == 1) {
    printf "one unit alone has %d lines\n", buffered > "/dev/stderr"
    exit 2
  }
  while (printed++ < lines) print ";; the end"
}'
