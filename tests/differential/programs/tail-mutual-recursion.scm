;; tail calls: mutual recursion of two and three procedures, a million steps
(define (ping n) (if (= n 0) 'ping (pong (- n 1))))
(define (pong n) (if (= n 0) 'pong (ping (- n 1))))
(display (list (ping 1000000) (ping 1000001))) (newline)
(define (a n k) (if (= n 0) (k 'a) (b (- n 1) k)))
(define (b n k) (if (= n 0) (k 'b) (c (- n 1) k)))
(define (c n k) (if (= n 0) (k 'c) (a (- n 1) k)))
(display (list (a 300000 list) (b 300001 list) (c 300002 list))) (newline)
(define states
  (letrec ((s0 (lambda (n) (if (= n 0) 's0 (s1 (- n 1)))))
           (s1 (lambda (n) (if (= n 0) 's1 (s0 (- n 1))))))
    (list s0 s1)))
(display ((car states) 999999)) (newline)
