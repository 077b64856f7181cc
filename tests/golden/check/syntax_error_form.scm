(define-syntax positive
  (syntax-rules ()
    ((_ n) n)
    ((_ . other) (syntax-error "positive takes one number" other))))
(write (positive 1 2))
