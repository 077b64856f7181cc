;; comments: line, nested block, datum, in every position
(display 1) ; a comment
; a whole line
(newline)
#| block comment |#
#| nested #| block |# comment
   over lines |#
(display (list 1 #| inside |# 2 #;3 4 #;(5 6) #;"seven" 8))
(newline)
(display '(a #;b c #;(d #;e f) g . #;h i))
(newline)
#;(display "never")
#; (display "never, with a blank")
#;#;(display "two") (display "data")
(display (+ 1 #;2 #;3 4))
(newline)
(display "; not a comment #| nor this |# #;nor this")
(newline)
(display '#(1 #;2 3))
(newline)
(display (list #;1))
(newline)
;; a comment at the very end
