;; conditionals as operators, operands, keys, indices and bindings
(define (pick n) (cond ((= n 0) +) ((= n 1) -) (else list)))
(display (map (lambda (n) ((pick n) 10 3)) '(0 1 2))) (newline)
(display (vector-ref #(a b c) (if (> 2 1) (case 'x ((x) 2) (else 0)) 1))) (newline)
(display (let ((x (and 1 2)) (y (or #f 'y)) (z (when #t 'z)) (w (unless #f 'w))) (list x y z w))) (newline)
(display (+ (if #t 1 2) (cond (#f 1) (else 10)) (case 3 ((1 2) 0) ((3) 100) (else 0)) (let ((x 1000)) x) (begin 10000) (do ((i 0 (+ i 1))) ((= i 3) 100000)))) (newline)
(display (if (and (or #f #t) (not (and #t #f))) (or (and #f 1) (and 2 3)) 'no)) (newline)
(display ((if (even? 3) (lambda (x) (list 'even x)) (lambda (x) (list 'odd x))) 3)) (newline)
(display (cond ((assv 2 '((1 . one) (2 . two))) => (lambda (p) (cond ((cdr p) => symbol->string) (else "none")))) (else "missing"))) (newline)
