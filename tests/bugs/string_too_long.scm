; No test is made with so long a string: that is said, and is no reason to lose the rest.
(define s (read string))
(if (> (string-length s) 100000) (checkpoint long) (checkpoint short))
