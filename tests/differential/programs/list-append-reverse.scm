;; append: none, one, many, improper tail, shared tail; reverse
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (append) (append '(1)) (append '(1) '(2)) (append '(1 2) '(3) '() '(4 5)) (append '() '()))
(show (append '(1) 2) (append '() 'a) (append '(1 2) '(3 . 4)) (append 'x) (append '() '() 5))
(define tail '(3 4))
(show (eq? (cddr (append '(1 2) tail)) tail) (eq? (append '() tail) tail))
(show (reverse '(1 2 3)) (reverse '()) (reverse '((1 2) 3)) (reverse (reverse '(a b))))
(show (apply append '((1) (2 3) ())) (apply append (map list '(1 2 3))))
