; The greatest delay would take a string that is too long.
(define s (read string))
(define n (string-length s))
(if (<= 1 (min n 5)) (checkpoint b))
(select ((after (+ 1 n)) (checkpoint a)))
