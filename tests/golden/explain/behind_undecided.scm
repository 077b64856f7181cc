; explain cp:odd --depth 4
; Behind what the solver could not decide, a condition is refuted all the same; but the doubt remains.
(define x (read)) (define y (read)) (define z (read))
(when (and (> x 0) (> y 0) (> z 0) (= (+ (* x x x) (* y y y)) (* z z z)))
  (when (> (- x 1) (+ x 1))
    (checkpoint odd)))
(checkpoint other)
