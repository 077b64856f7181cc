(define v (vector 1 2 3)) (vector-set! v 0 v) (list (vector-length v) (vector->list (vector-map + #(1 2) #(3 4))) (bytevector-u8-ref (bytevector 1 2) 1) (vector-fill! (make-vector 3) 0))
