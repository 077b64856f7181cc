; No target lies ahead of the division: it is not tried, and the summary says so.
(define-message M (a (int 0 3)))
(define-port p in M)
(let ((a (M-a (read p))))
  (if (= (* a a) 2) (checkpoint never))
  (if (> a 1) 'big 'small)
  (quotient 10 a))
