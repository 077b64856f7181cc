(define-type colour (enum red green red))
(write (read colour))
