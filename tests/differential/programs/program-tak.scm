;; Takeuchi's function, and its lists variant
(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))
(display (tak 12 8 4)) (newline)
(display (tak 7 5 3)) (newline)
(define (listn n) (if (= n 0) '() (cons n (listn (- n 1)))))
(define (shorter? x y) (and (not (null? y)) (or (null? x) (shorter? (cdr x) (cdr y)))))
(define (mas x y z)
  (if (not (shorter? y x))
      z
      (mas (mas (cdr x) y z) (mas (cdr y) z x) (mas (cdr z) x y))))
(display (length (mas (listn 9) (listn 6) (listn 3)))) (newline)
