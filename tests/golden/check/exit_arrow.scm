(define-message Go)
(define-port p in Go)
(define-machine (m)
  (state a
    (on (p Go) -> b)
    (exit (write 1) -> b))
  (state b (final)))
(m)
