(include "parts/broken.scm")
(define (broken y) y)
(write (broken 1))
