;; Ackermann's function
(define (ackermann m n)
  (cond ((= m 0) (+ n 1))
        ((= n 0) (ackermann (- m 1) 1))
        (else (ackermann (- m 1) (ackermann m (- n 1))))))
(display (map (lambda (m) (map (lambda (n) (ackermann m n)) '(0 1 2 3))) '(0 1 2 3))) (newline)
(display (ackermann 2 50)) (newline)
(display (ackermann 3 5)) (newline)
