;; tail calls: a million iterations through case clauses, => and else
(define (by-case n)
  (case (modulo n 3)
    ((0) (if (= n 0) 'case-done (by-case (- n 1))))
    ((1) (by-case (- n 1)))
    (else (by-case (- n 1)))))
(display (by-case 1000000)) (newline)
(define (by-case-arrow n)
  (case n
    ((0) 'case-arrow-done)
    (else => (lambda (m) (by-case-arrow (- m 1))))))
(display (by-case-arrow 300000)) (newline)
