(define-record-type point (make-point x y) point? (x px set-px!) (y py) (z pz set-pz!)) (define p (make-point 1 2)) (set-px! p 5) (list p (px p) (point? 1) (pz p))
