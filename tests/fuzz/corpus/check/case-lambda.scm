(define f (case-lambda (() 0) ((a) a) ((a b . c) (apply + a b c)))) (list (f) (f 1) (f 1 2 3 4))
