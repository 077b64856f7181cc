; explain cp:fermat --depth 4
; No cube is the sum of two others, which is more than the solver can know.
(define x (read)) (define y (read)) (define z (read))
(if (and (> x 0) (> y 0) (> z 0) (= (+ (* x x x) (* y y y)) (* z z z)))
    (checkpoint fermat)
    (checkpoint other))
