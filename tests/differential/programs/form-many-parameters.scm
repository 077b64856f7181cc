;; procedures with many parameters and many arguments; long argument lists through apply
(define (f a b c d e f2 g h i j k l m n o p q r s t)
  (list t s r q p o n m l k j i h g f2 e d c b a))
(display (f 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)) (newline)
(define (g a b c . rest) (list a b c (length rest)))
(display (apply g (iota 1000))) (newline)
(display (length (apply list (iota 5000)))) (newline)
(display (+ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30)) (newline)
(display (let ((a 1) (b 2) (c 3) (d 4) (e 5) (f 6) (g 7) (h 8) (i 9) (j 10) (k 11) (l 12)) (list (+ a b c d e f g h i j k l) (- l a)))) (newline)
