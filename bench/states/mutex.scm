; Mutual exclusion of four processes.
(define-message Step)
(define-port (a b c d) in Step)
(define ports (list a b c d))
(include "rules/mutex.scm")
