; Peterson's filter lock (Peterson, 1981): mutual exclusion of n processes by n - 1 levels, of which each holds one back.
;
; Each process is a thread; the tester says whose step it is, on the port of that process. So a stable state is where every
; process stands, and the shared variables. In a step a process writes one variable, or looks at one other process, which
; it may do in vain as often as the tester likes.
;
; Whoever includes this file defines `ports`, a list with a port for each process.

(define processes (length ports))
(define levels (make-vector processes 0))               ; where each process is; 0: it wants nothing
(define latest (make-vector processes 0))               ; who came last to each level; the first is not used
(define inside 0)                                       ; how many are in the critical section

; In front of a level, after a look at the processes before `other`.
(define (wait me port level other)
  (cond ((= other processes) (checkpoint "passed: all others are below"))
        ((= other me) (wait me port level (+ other 1)))
        (else
         (read port)
         (cond ((not (= (vector-ref latest level) me)) (checkpoint "passed: another one came later"))
               ((< (vector-ref levels other) level) (wait me port level (+ other 1)))
               (else (wait me port level other))))))

(define (climb me port level)
  (when (< level processes)
    (vector-set! levels me level)
    (read port)
    (vector-set! latest level me)
    (wait me port level 0)
    (climb me port (+ level 1))))

(define (process me port)
  (read port)
  (climb me port 1)
  (set! inside (+ inside 1))
  (when (> inside 1) (checkpoint "two in the critical section"))
  (when (= (vector-ref latest (- processes 1)) me) (checkpoint "in, and nobody came later"))
  (read port)
  (set! inside (- inside 1))
  (when (< inside 0) (checkpoint "left by one who was not inside"))
  (vector-set! levels me 0)
  (process me port))

; Each process starts the next one before it first waits, so that never two are ready to run: the order of threads is no choice.
(define (start me ports)
  (unless (null? ports)
    (spawn (start (+ me 1) (cdr ports)))
    (process me (car ports))))
(start 0 ports)
