;; tail calls: a million iterations through if, cond, cond with => and else
(define (by-if n) (if (= n 0) 'if-done (by-if (- n 1))))
(display (by-if 1000000)) (newline)
(define (by-cond n) (cond ((= n 0) 'cond-done) ((even? n) (by-cond (- n 1))) (else (by-cond (- n 1)))))
(display (by-cond 1000000)) (newline)
(define (by-arrow n) (cond ((= n 0) 'arrow-done) ((- n 1) => by-arrow)))
(display (by-arrow 1000000)) (newline)
