;; case with => in a clause and in else
(define (f x)
  (case x
    ((1 2 3) => (lambda (n) (list 'small n)))
    ((a) 'letter)
    (else => (lambda (n) (list 'other n)))))
(display (map f '(1 3 a b 7))) (newline)
(display (case (car '(c d)) ((a e i o u) 'vowel) ((w y) 'semivowel) (else => (lambda (x) x))))
(newline)
(define (g x) (case x ((0) 'zero) (else => -)))
(display (map g '(0 1 -5))) (newline)
(define count 0)
(define (next) (set! count (+ count 1)) count)
(display (list (case (next) ((1) => (lambda (n) (* n 100))) (else 'x)) count)) (newline)
