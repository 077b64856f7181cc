; The running example of Lahola's thesis on cutting symbolic execution (2010, figure 3.2), as it is printed there.
;
; It models no protocol: foo reads a number, turns it into a count, and multiplies that many further inputs into x. The
; loop has no bound of its own, so only the search's depth ends it, and every (read) is a stable state. It writes
; nothing, so its tests have inputs only.

(define foo
  (lambda (x)
    (begin
      (checkpoint proc:foo)
      (let ((n (read)))
        (begin
          (if (> n 0)
              (begin (checkpoint b:id=1,true)  (set! n (+ n 1)))
              (begin (checkpoint b:id=1,false) (set! n (* n -1))))
          (letrec ((loop (lambda (i)
                           (if (< i n)
                               (begin (set! x (* x (read)))
                                      (loop (+ i 1)))))))
            (loop 0)))))))

(foo 1)
