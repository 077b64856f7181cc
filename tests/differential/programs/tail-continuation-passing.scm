;; tail calls: continuation-passing style keeps closures, not stack
(define (fact-cps n k) (if (= n 0) (k 1) (fact-cps (- n 1) (lambda (v) (k (* n v))))))
(display (fact-cps 20 (lambda (v) v))) (newline)
(define (sum-cps n k) (if (= n 0) (k 0) (sum-cps (- n 1) (lambda (v) (k (+ n v))))))
(display (sum-cps 200000 (lambda (v) v))) (newline)
(define (trampoline thunk) (if (procedure? thunk) (trampoline (thunk)) thunk))
(define (bounce n) (if (= n 0) 'landed (lambda () (bounce (- n 1)))))
(display (trampoline (bounce 300000))) (newline)
