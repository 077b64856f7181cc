; A window of two frames, numbered modulo two, which is too few: an old frame is taken for a new one.
(define window 2)
(define sequence 2)
(define room 2)
(include "../rules/window.scm")
