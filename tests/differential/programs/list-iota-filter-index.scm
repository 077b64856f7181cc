;; iota, filter and list-index
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (iota 0) (iota 5) (iota 5 1) (iota 5 0 -2) (iota 3 1/2) (iota 4 10 5))
(show (filter even? (iota 10)) (filter (lambda (x) #f) '(1 2)) (filter pair? '(1 (2) () (3 4))) (filter odd? '()))
(show (list-index even? '(1 3 5 6)) (list-index even? '(1 3)) (list-index (lambda (x) (eq? x 'c)) '(a b c d)) (list-index even? '()) (list-index char-numeric? (string->list "ab1")))
(show (list-index = '(1 2 3) '(3 2 1)))
(show (let ((v (map (lambda (x) (* x x)) (iota 6)))) (filter (lambda (x) (> x 5)) v)))
