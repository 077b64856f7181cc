;; a built-in is saved under another name, then redefined by means of it
(define original-abs abs)
(define (abs x) (list 'wrapped (original-abs x)))
(display (abs -5)) (newline)
(display (map abs '(-1 2))) (newline)
(define builtin-length length)
(define (length x) (if (string? x) (string-length x) (builtin-length x)))
(display (list (length '(1 2 3)) (length "hello"))) (newline)
