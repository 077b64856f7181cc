;; bytevectors: construction, access, mutation, literals, display
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (bytevector) (bytevector 1 2 255) #u8(0 10 5) (make-bytevector 3 7) (make-bytevector 0 1))
(define b (bytevector 1 2 3))
(bytevector-u8-set! b 1 200)
(show b (bytevector-u8-ref b 1) (bytevector-length b) (bytevector-length #u8()))
(show (bytevector? b) (bytevector? #(1 2)) (bytevector? '(1)) (bytevector? "ab") (vector? b))
(show (equal? #u8(1 2) (bytevector 1 2)) (equal? #u8(1 2) #u8(1 3)) (equal? #u8(1) #u8(1 2)) (equal? #u8(1 2) #(1 2)))
(show (list #u8(1) (vector #u8(2))))
