;; case-lambda: clauses that call each other, clauses with rest arguments first, local case-lambda
(define sum
  (case-lambda
    (() 0)
    ((x) x)
    ((x y) (+ x y))
    ((x y . rest) (apply sum (+ x y) rest))))
(display (list (sum) (sum 1) (sum 1 2) (sum 1 2 3 4 5) (apply sum (iota 100)))) (newline)
(define f (case-lambda ((a . rest) (list 'rest-first a rest)) (() 'none)))
(display (list (f) (f 1) (f 1 2))) (newline)
(define (make) (let ((n 0)) (case-lambda (() n) ((k) (set! n (+ n k))) ((k l) (set! n (* k l))))))
(define m (make))
(m 5)
(m 6)
(display (m)) (m 3 4) (display (list (m))) (newline)
(display ((case-lambda ((a b) (list 'two a b)) (all all)) 1 2 3)) (newline)
