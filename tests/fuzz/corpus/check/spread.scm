(define (f . xs) (if (null? xs) 0 (+ 1 (apply f (cdr xs))))) (apply f 1 2 '(3 4)) (apply apply (list + (list 1 2)))
