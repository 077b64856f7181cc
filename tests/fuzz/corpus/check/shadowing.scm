(define (list . x) 'mine) (let ((if list) (else #f)) (if 1 2 3)) (define-syntax t (syntax-rules () ((_ x) (cond (else x))))) (t 5)
