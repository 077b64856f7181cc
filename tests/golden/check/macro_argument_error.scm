(define-syntax unless-zero
  (syntax-rules ()
    ((_ n body ...) (if (= n 0) 0 (begin body ...)))))
(define (f x)
  (unless-zero x (wriet x) (car x 1)))
(f 1)
