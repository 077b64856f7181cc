;; memoisation with hash tables keyed by lists of arguments
(define (memoise f) (let ((table (make-hash-table))) (lambda args (if (hash-table-contains? table args) (hash-table-ref/default table args #f) (let ((v (apply f args))) (hash-table-set! table args v) v)))))
(define calls 0)
(define slow-fib (memoise (lambda (n) (set! calls (+ calls 1)) (if (< n 2) n (+ (slow-fib (- n 1)) (slow-fib (- n 2)))))))
(display (slow-fib 90)) (display " ") (display calls) (newline)
(define paths (memoise (lambda (r c) (if (or (= r 0) (= c 0)) 1 (+ (paths (- r 1) c) (paths r (- c 1)))))))
(display (list (paths 2 2) (paths 10 10) (paths 30 30))) (newline)
(define partitions (memoise (lambda (n k) (cond ((= n 0) 1) ((or (< n 0) (= k 0)) 0) (else (+ (partitions (- n k) k) (partitions n (- k 1))))))))
(display (map (lambda (n) (partitions n n)) '(1 5 10 50 100))) (newline)
