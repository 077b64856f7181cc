(a
 b)
; c
