;; + - * with no, one and many arguments
(display (list (+) (*) (+ 5) (* 5) (- 5) (+ 1 2 3 4 5) (* 1 2 3 4 5) (- 10 1 2 3))) (newline)
(display (list (+ -1 1) (- 0) (* -1 -1) (* 0 5) (- -5) (+ 1/2 1/2) (- 1/2) (* 2 1/2))) (newline)
(display (apply + (iota 101))) (newline)
(display (apply * (iota 10 1))) (newline)
(display (apply - '(100 1 2 3 4))) (newline)
(display (+ 1 (* 2 (- 3 4) (+ 5 6)) (- 7))) (newline)
