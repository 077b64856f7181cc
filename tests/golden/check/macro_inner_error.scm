(define-syntax log-twice
  (syntax-rules ()
    ((_ e) (begin (write e) (undefined-logger e)))))
(define (f x)
  (log-twice (+ x 1)))
(f 1)
(write (let ((y 1)) (log-twice y) y))
