;; fold-left, fold-right and reduce
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (fold-left + 0 '(1 2 3)) (fold-right + 0 '(1 2 3)) (fold-left - 0 '(1 2 3)) (fold-right - 0 '(1 2 3)))
(show (fold-left cons '() '(1 2 3)) (fold-right cons '() '(1 2 3)) (fold-left list 'init '(a b c)) (fold-right list 'init '(a b c)))
(show (fold-left + 0 '()) (fold-right + 'empty '()))
(show (fold-left (lambda (acc x) (cons x acc)) '() '(1 2 3)) (fold-right (lambda (x acc) (append acc (list x))) '() '(1 2 3)))
(show (fold-left (lambda (acc x y) (+ acc (* x y))) 0 '(1 2 3) '(4 5 6)) (fold-right (lambda (x y acc) (cons (+ x y) acc)) '() '(1 2 3) '(4 5 6)))
(show (reduce + 0 '(1 2 3 4)) (reduce + 0 '()) (reduce + 0 '(7)) (reduce max 0 '(3 9 2)) (reduce * 1 '(1 2 3 4 5)))
(show (fold-left max 0 '(3 1 4 1 5)) (fold-left string-append "" '("a" "b" "c")))
