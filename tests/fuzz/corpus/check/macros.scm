(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(define-syntax my-let (syntax-rules () ((_ ((n v) ...) b1 b2 ...) ((lambda (n ...) b1 b2 ...) v ...))))
(define-syntax while (syntax-rules () ((_ c b ...) (let loop () (when c b ... (loop))))))
(define tmp 1) (define other 2) (swap! tmp other) (my-let ((x 1) (y 2)) (while (< x 5) (set! x (+ x y))) (list tmp other x))
