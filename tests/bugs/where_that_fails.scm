; Every run that comes to the `where` fails: that is found, although no target lies behind it.
(define-message M (x (int 0 9)))
(define-port p in M)
(define-machine (m)
  (state first (on (p (M x)) (where (x > 3)) -> second))
  (state second (on (p M) -> first)))
(m)
