;; reduce: the procedure's first argument is the element, the second what came before
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (reduce - 0 '(1 2 3 4)) (reduce list 'none '(1 2 3 4)) (reduce cons 'none '(1 2)) (reduce list 'none '()) (reduce list 'none '(1)))
(show (reduce (lambda (x acc) (string-append acc x)) "" '("a" "b" "c")))
