;; for-each and vector-for-each visit from the first element to the last
(define seen '())
(define (see x) (set! seen (cons x seen)))
(for-each see '(1 2 3))
(vector-for-each see #(4 5 6))
(string-for-each see "789")
(display (reverse seen)) (newline)
(define next
  (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define a (next))
(define b (next))
(define c (list (next) (next)))
(display (list a b c)) (newline)
(display (let* ((p (next)) (q (next))) (- q p))) (newline)
