; Mutual exclusion of three processes.
(define-message Step)
(define-port (a b c) in Step)
(define ports (list a b c))
(include "../rules/mutex.scm")
