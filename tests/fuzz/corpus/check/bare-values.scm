(define a (read)) (define b (read (int 1 3))) (define c (read (enum x y))) (define d (read (list-of bool 2))) (write (list a b c d)) (write (any)) (write "text")
