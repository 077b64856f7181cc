;; Takeuchi's function: calls with three arguments, no allocation.
(define repetitions 90)

(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z)
           (tak (- y 1) z x)
           (tak (- z 1) x y))))

(define (run n total)
  (if (= n 0)
      total
      (run (- n 1) (+ total (tak 24 16 8)))))

(display (run repetitions 0))
(newline)
