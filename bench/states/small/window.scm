; A window of two frames, numbered modulo three, over links that hold two messages.
(define window 2)
(define sequence 3)
(define room 2)
(include "../rules/window.scm")
