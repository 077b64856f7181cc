;; memq, memv, member, assq, assv, assoc, with custom predicates
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (memq 'c '(a b c d)) (memq 'x '(a b)) (memv 101 '(100 101 102)) (memv 1/2 '(1/3 1/2)) (member "b" '("a" "b" "c")) (member '(1) '((0) (1) (2))))
(show (member 2 '(1 2 3) (lambda (a b) (= (abs (- a b)) 1))) (member 5 '(1 2 3) =) (member "B" '("a" "b") string-ci=?))
(show (assq 'b '((a 1) (b 2))) (assq 'x '((a 1))) (assv 5 '((2 3) (5 7))) (assoc "b" '(("a" . 1) ("b" . 2))) (assoc '(a) '(((a)) ((b)))))
(show (assoc 2 '((1 one) (2 two) (3 three)) =) (assoc 2 '((5 five) (3 three)) (lambda (a b) (= (abs (- a b)) 1))) (assoc 5 '((1 one)) =))
(show (memv (expt 10 30) (list 1 (expt 10 30) 2)) (assv (expt 10 30) (list (cons (expt 10 30) 'big))))
(show (memv #\b '(#\a #\b)) (memq '() '(1 () 2)) (memq #f '(#t #f)) (if (member #f '(1 #f)) 'found 'missing))
(show (cdr (assq 'b '((a . 1) (b . #f)))) (memq 'a '()))
