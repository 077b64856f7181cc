; The way out of the second `max` is cut, since no target lies there: the first one is infeasible all the same.
(define-message M (b (int 1 4)))
(define-port p in M)
(let ((b (M-b (read p))))
  (if (< (max 1 b) 1/2) (checkpoint never))
  (max 0 b))
