;; free names in a template mean what they meant at the macro's definition
(define scale 10)
(define (helper x) (* x scale))
(define-syntax scaled
  (syntax-rules () ((_ e) (helper e))))
(display (let ((helper list) (scale 0)) (scaled 5))) (newline)
(define (f helper) (scaled helper))
(display (f 3)) (newline)
(set! scale 100)
(display (scaled 5)) (newline)
(define-syntax push!
  (syntax-rules () ((_ item place) (set! place (cons item place)))))
(let ((stack '()) (cons list))
  (push! 1 stack)
  (push! 2 stack)
  (display stack) (newline))
