(define-syntax outer
  (syntax-rules () ((_ x) (inner x))))
(define-syntax inner
  (syntax-rules () ((_ x) (+ x missing-name))))
(write (outer 1))
