(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
(define p (make-point 1))
(set-point-x! p)
(write (point-y p 2))
