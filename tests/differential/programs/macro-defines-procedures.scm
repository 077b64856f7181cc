;; syntax-rules: macros that define procedures with names given by the user
(define-syntax define-adder
  (syntax-rules ()
    ((_ name n) (define (name x) (+ x n)))))
(define-adder add1 1)
(define-adder add10 10)
(display (add1 (add10 5))) (newline)
(define-syntax define-many
  (syntax-rules ()
    ((_ (name value) ...) (begin (define name value) ...))))
(define-many (a 1) (b 2) (c 3))
(display (list a b c)) (newline)
(define-syntax define-memo
  (syntax-rules ()
    ((_ (name arg) body ...)
     (define name
       (let ((table (make-hash-table)))
         (lambda (arg)
           (if (hash-table-contains? table arg)
               (hash-table-ref/default table arg #f)
               (let ((value (let () body ...)))
                 (hash-table-set! table arg value)
                 value))))))))
(define-memo (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(display (fib 80)) (newline)
