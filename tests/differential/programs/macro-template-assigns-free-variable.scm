;; a template that assigns a variable of the macro's definition
(define hits 0)
(define-syntax count-hit!
  (syntax-rules () ((_ e) (begin (set! hits (+ hits 1)) e))))
(define (f x) (let ((hits 'local)) (count-hit! (list x hits))))
(display (f 1)) (display (f 2)) (display hits) (newline)
(define-syntax inc!
  (syntax-rules () ((_ v) (inc! v 1)) ((_ v n) (begin (set! v (+ v n)) v))))
(define a 5)
(inc! a)
(inc! a 10)
(display a) (newline)
(display (let ((b 1)) (inc! b) (inc! b (inc! a)) (list a b))) (newline)
