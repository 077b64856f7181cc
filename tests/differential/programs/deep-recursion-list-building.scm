;; deep non-tail recursion: lists built by consing on the way back
(define (count-up i n) (if (= i n) '() (cons i (count-up (+ i 1) n))))
(define big (count-up 0 200000))
(display (length big)) (newline)
(display (list-ref big 199999)) (newline)
(define (my-append a b) (if (null? a) b (cons (car a) (my-append (cdr a) b))))
(display (length (my-append big big))) (newline)
(define (my-map f l) (if (null? l) '() (let ((v (f (car l)))) (cons v (my-map f (cdr l))))))
(display (apply + (list-tail (my-map (lambda (x) (* x 2)) big) 199990))) (newline)
