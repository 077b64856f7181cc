; A window of three frames, numbered modulo four, over links that hold four messages.
(define window 3)
(define sequence 4)
(define room 4)
(include "rules/window.scm")
