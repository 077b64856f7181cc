;; tail calls: through call-with-values
(define (by-values n total)
  (if (= n 0)
      total
      (call-with-values (lambda () (values (- n 1) (+ total 1))) by-values)))
(display (by-values 300000 0)) (newline)
(define (loop n)
  (call-with-values
   (lambda () (floor/ n 10))
   (lambda (q r) (if (= n 0) 'done (loop (- n 1))))))
(display (loop 200000)) (newline)
