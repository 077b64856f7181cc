;; letrec: closures that refer to later bindings, procedures stored and called later
(define result
  (letrec ((visit (lambda (tree) (if (pair? tree) (walk tree) (list tree))))
           (walk (lambda (forest) (if (null? forest) '() (append (visit (car forest)) (walk (cdr forest)))))))
    (visit '(1 (2 (3 4)) ((5))))))
(display result) (newline)
(define fs
  (letrec ((f (lambda (n) (if (= n 0) (list 'f) (cons 'f (g (- n 1))))))
           (g (lambda (n) (if (= n 0) (list 'g) (cons 'g (h (- n 1))))))
           (h (lambda (n) (if (= n 0) (list 'h) (cons 'h (f (- n 1)))))))
    (list f g h)))
(display (map (lambda (f) (f 4)) fs)) (newline)
(display (letrec ((x 1) (y 2)) (set! x (+ x y)) (list x y))) (newline)
(display (letrec* ((fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
                   (ten (fib 10)))
           ten))
(newline)
