(define-syntax forever
  (syntax-rules ()
    ((_ x) (forever (x x)))))
(forever 1)
