((((((lambda (a) (lambda (b) (lambda (c) (lambda (d) (lambda (e) (list a b c d e)))))) 1) 2) 3) 4) 5)
