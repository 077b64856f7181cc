(define-record-type 5 (make x) p? (x x-of))
(define-record-type r (make-r y) r? (x r-x))
(define-record-type s (make-s x) s? (x s-x) (x s-x2))
