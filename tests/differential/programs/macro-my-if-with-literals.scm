;; syntax-rules: an if with then and else words
(define-syntax my-if
  (syntax-rules (then else)
    ((_ test then a else b) (if test a b))
    ((_ test then a) (if test a #f))))
(display (my-if (> 2 1) then 'yes else 'no)) (newline)
(display (my-if (< 2 1) then 'yes else 'no)) (newline)
(display (my-if (< 2 1) then 'yes)) (newline)
(define-syntax infix
  (syntax-rules (plus times)
    ((_ a plus b) (+ (infix a) (infix b)))
    ((_ a times b) (* (infix a) (infix b)))
    ((_ (x ...)) (infix x ...))
    ((_ x) x)))
(display (infix 2 plus (3 times 4))) (newline)
(display (infix (1 plus 2) times (3 plus 4))) (newline)
