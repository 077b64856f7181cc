;; number->string in radix 2, 8, 10 and 16
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(for-each (lambda (n) (show (number->string n) (number->string n 2) (number->string n 8)
                            (number->string n 10) (number->string n 16)))
          (list 0 1 -1 10 255 -255 4096 1/2 -10/15 255/256 (expt 2 70) (- (expt 16 20))))
(show (string-length (number->string (expt 10 100))))
(show (string-append "n=" (number->string 42)))
