;; pattern variables named like keywords, and the keyword position ignored
(define-syntax m
  (syntax-rules ()
    ((anything if let) (list 'if let if))))
(display (m 1 2)) (newline)
(define-syntax n
  (syntax-rules ()
    ((_ x (y x2 ...) z ...) '(x y (x2 ...) z ...))))
(display (n 1 (2 3 4) 5 6)) (newline)
(display (n 1 (2))) (newline)
(define-syntax p (syntax-rules () ((p p2) (list p2 'p2))))
(display (p (+ 1 2))) (newline)
(define-syntax bind
  (syntax-rules (be in)
    ((_ x be v in body) (let ((x v)) body))))
(display (bind list be 5 in (+ list 1))) (newline)
