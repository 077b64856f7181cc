(define-record-type r (make-r x) r? (x r-x))
(define-message M (f r))
(define-port p in r)
(select ((p (r x)) x))
