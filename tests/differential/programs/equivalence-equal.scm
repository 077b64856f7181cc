;; equal? on every kind of datum
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (equal? 1 1) (equal? 1 2) (equal? 1/2 2/4) (equal? (expt 2 80) (expt 2 80)) (equal? 1 #\1) (equal? 1 "1"))
(show (equal? "abc" "abc") (equal? "abc" "abC") (equal? "" "") (equal? "abc" 'abc) (equal? #\a #\a) (equal? 'a 'a) (equal? 'a "a"))
(show (equal? '() '()) (equal? '(1 2 (3 #(4 "5"))) (list 1 2 (list 3 (vector 4 "5")))) (equal? '(1 2) '(1 2 3)) (equal? '(1 . 2) '(1 2)) (equal? '(a . b) (cons 'a 'b)))
(show (equal? #(1 2) #(1 2)) (equal? #(1 2) '(1 2)) (equal? #() #()) (equal? #(#(1)) (vector (vector 1))) (equal? #u8(1) #u8(1)) (equal? #u8() #()))
(show (equal? #t #t) (equal? #t 'true) (equal? car car) (equal? car cdr) (equal? (make-vector 5 'a) (make-vector 5 'a)))
(show (equal? "λ" (string #\x3bb)) (equal? '|a b| (string->symbol "a b")))
