;; syntax-rules: vector patterns and vector templates
(define-syntax vector-parts
  (syntax-rules ()
    ((_ #(a b c)) (list 'three a b c))
    ((_ #(a ...)) (list 'any a ...))
    ((_ (a ...)) (list 'list a ...))))
(display (vector-parts #(1 2 3))) (newline)
(display (vector-parts #(1 2))) (newline)
(display (vector-parts #())) (newline)
(display (vector-parts (1 2))) (newline)
(define-syntax make-literal
  (syntax-rules ()
    ((_ a ...) '#(a ... end))))
(display (make-literal 1 2 3)) (newline)
(define-syntax matrix
  (syntax-rules ()
    ((_ #(a ...) ...) '(#(a ...) ...))))
(display (matrix #(1 2) #(3 4) #())) (newline)
(define-syntax ends
  (syntax-rules ()
    ((_ #(first middle ... last)) '(first last (middle ...)))))
(display (ends #(1 2 3 4))) (newline)
(display (ends #(1 2))) (newline)
