;; vector->list and list->vector, with ranges
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (vector->list #(1 2 3)) (vector->list #(1 2 3) 1) (vector->list #(1 2 3) 1 2) (vector->list #()) (vector->list #(1 2 3) 3) (vector->list #(1 2 3) 2 2))
(show (list->vector '(1 2 3)) (list->vector '()) (list->vector '((1) #(2))))
(show (list->vector (map (lambda (x) (* x x)) (vector->list #(1 2 3)))))
