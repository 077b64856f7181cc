;; #!fold-case and #!no-fold-case
(define abc 1)
(define ABC 2)
(display (list abc ABC))
(newline)
#!fold-case
(DISPLAY (LIST ABC 'Hello "Hello" #\A))
(Newline)
#!no-fold-case
(display (list ABC 'Hello))
(newline)
