(define-channel c) (define-channel d) (define-message M (n int)) (send c 5) (send c (M 1)) (define (f) (select ((c (M n)) n) ((d any) 2) (else (f)))) (f)
