(define-syntax def
  (syntax-rules () ((_ name value) (define name value))))
(def a 1)
(def a 2)
(def 5 1)
(write a)
