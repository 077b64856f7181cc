;; syntax-rules: dotted patterns and templates
(define-syntax head-tail
  (syntax-rules ()
    ((_ a . b) '(a b))))
(display (head-tail 1 2 3)) (newline)
(display (head-tail 1)) (newline)
(display (head-tail 1 . 2)) (newline)
(define-syntax call
  (syntax-rules ()
    ((_ f . args) (f . args))))
(display (call + 1 2 3)) (newline)
(display (call list)) (newline)
(define-syntax lambda*
  (syntax-rules ()
    ((_ formals . body) (lambda formals . body))))
(display ((lambda* (a . rest) (list a rest)) 1 2 3)) (newline)
(display ((lambda* all all) 1 2 3)) (newline)
(define-syntax pairs
  (syntax-rules ()
    ((_ (a . b) ...) '((b . a) ...))))
(display (pairs (1 . 2) (3 4) (5))) (newline)
