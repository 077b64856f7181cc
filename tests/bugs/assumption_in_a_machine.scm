(define-message A (x int))
(define-port p in A)
(define-machine (alpha)
  (state first (on (p A) -> second))
  (state second
    (on (p (A x)) (where #t) (if (= x 0) (write 1)) (assume #f) -> second)))
(alpha)
