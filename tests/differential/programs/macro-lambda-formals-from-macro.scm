;; binding forms whose binders come from a macro's use and from its template together
(define-syntax my-lambda
  (syntax-rules ()
    ((_ (a ...) body) (lambda (a ... . rest) (list body rest)))))
(display ((my-lambda (x y) (+ x y)) 1 2 3 4)) (newline)
(define-syntax bind-it
  (syntax-rules ()
    ((_ name value body) (let ((name value) (it 'hidden)) body))))
(define it 'global-it)
(display (bind-it x 1 (list x it))) (newline)
(define-syntax capture
  (syntax-rules ()
    ((_ e) (let loop ((i 0) (acc '())) (if (= i 3) (reverse acc) (loop (+ i 1) (cons e acc)))))))
(define i 'my-i)
(define acc 'my-acc)
(display (capture (list i acc))) (newline)
(define-syntax do-times
  (syntax-rules ()
    ((_ (var n) body ...) (do ((var 0 (+ var 1)) (limit n)) ((>= var limit)) body ...))))
(define limit 'untouched)
(do-times (k 3) (display k) (display limit) (display " "))
(newline)
