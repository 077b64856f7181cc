(foo) (define x (bar 1 . 2)) (let ((a 1) (a 2)) b) (if) (lambda) (set! y 1) (1 2) (car) (define-message) (select) (define-machine (m)) (call/cc f) 1.5 #0=(a)
