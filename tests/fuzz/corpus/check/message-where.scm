(define-message R (lo int) (hi int) (where (< lo hi))) (define-message W (r R) (l (list-of R 2)) (where (> (R-lo r) 0))) (define-port p in R W) (define (f) (let ((m (read p))) (write m) (f))) (f)
