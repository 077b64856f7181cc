;; Inside a nested quasiquote, ,@ may give an inner unquote any number of operands
(define (show x) (display x) (newline))

(define one (list '+ 1 2))
(define two '(a b))
(define none '())

(define (inner template) (car (cadr (cadr template))))   ; the part in (outer (quasiquote (part)))

(show (cdr (inner `(outer `(,,@two)))))
(show (cdr (inner `(outer `(,,@none)))))
(show (cdr (inner `(outer `(,@,@two)))))
(show (cdr (inner `(outer `(,,@(list one one))))))
(show (equal? `(outer `(,,@two)) (list 'outer (list 'quasiquote (list (cons 'unquote two))))))
(show (equal? `(outer `(,@,@none)) (list 'outer (list 'quasiquote (list (list 'unquote-splicing))))))

;; Deeper: only the innermost ,@ belongs to the outermost quasiquote.
(show (equal? `(1 ```,,@,,@(list (+ 1 2)) 4)
              (list 1
                    (list 'quasiquote (list 'quasiquote (list 'quasiquote
                      (list 'unquote (list 'unquote-splicing (list 'unquote 3))))))
                    4)))

;; In vectors, and beside other parts.
(show (equal? `#(x `#(,,@two ,y)) (vector 'x (list 'quasiquote (vector (cons 'unquote two) (list 'unquote 'y))))))
(show (length (cadr (cadr `(outer `(p ,,@two q ,(r ,@two)))))))
(show (equal? `(outer `(,(r ,@two))) (list 'outer (list 'quasiquote (list (list 'unquote (cons 'r two)))))))
