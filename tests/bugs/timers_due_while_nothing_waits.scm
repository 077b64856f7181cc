; Sent late enough, A finds both timers due, and the first clause is taken.
(define-message A)
(define-port p in A)
(define-timer five)
(define-timer three)
(start five 5)
(start three 3)
(read p)
(select
  ((timeout five) (checkpoint "five"))
  ((timeout three) (checkpoint "three")))
