(define-syntax twice
  (syntax-rules ()
    ((_ e) (begin e e))))
(twice)
(write (twice 1 2))
