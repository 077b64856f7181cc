;; deep non-tail recursion: a million pending additions
(define (sum n) (if (= n 0) 0 (+ n (sum (- n 1)))))
(display (sum 1000000)) (newline)
