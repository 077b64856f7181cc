; Literals that are compared by identity, and data of a `case` that nothing is equal to.
(define-type colour (enum red 7 "blue"))
(define name (read string))
(define kind (read colour))
(write (list (eq? name "bob") (eqv? "bob" name) (memq "a" (list name)) (assv "a" (list (cons name 1)))))
(write (list (eq? 100000000000000000000 (read int)) (eqv? 100000000000000000000 (read int)) (eq? kind 7)))
(write (list (eq? kind 'red) (equal? name "bob") (eq? '() (list)) (memq 'a (list kind)) (member "a" (list name))))
(write (case kind
         ('red 1)
         (("blue") 2)
         (('seven) 3)
         ((7 red) 4)
         ((#(1)) 5)
         (else 6)))
