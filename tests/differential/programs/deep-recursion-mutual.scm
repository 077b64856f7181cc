;; deep non-tail recursion through mutually recursive procedures and closures
(define (f n) (if (= n 0) 0 (+ 1 (g (- n 1)))))
(define (g n) (if (= n 0) 0 (+ 2 (f (- n 1)))))
(display (f 100000)) (newline)
(define (nest n) (if (= n 0) '() (list (nest (- n 1)))))
(define (depth x) (if (null? x) 0 (+ 1 (depth (car x)))))
(display (depth (nest 100000))) (newline)
(define (wrap n k) (if (= n 0) k (wrap (- n 1) (lambda (x) (+ 1 (k x))))))
(display ((wrap 100000 (lambda (x) x)) 5)) (newline)
