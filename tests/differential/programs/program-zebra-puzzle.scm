;; a small logic puzzle by generating and filtering permutations
(define (remove-one x l) (filter (lambda (y) (not (eq? x y))) l))
(define (permutations l) (if (null? l) '(()) (apply append (map (lambda (x) (map (lambda (p) (cons x p)) (permutations (remove-one x l)))) l))))
(define (position x l) (list-index (lambda (y) (eq? x y)) l))
(define houses (permutations '(red green blue white)))
(define pets (permutations '(cat dog fish bird)))
(define drinks (permutations '(tea milk water juice)))
(define solutions '())
(for-each
 (lambda (h)
   (when (= (+ 1 (position 'red h)) (position 'blue h))
     (for-each
      (lambda (p)
        (when (and (= (position 'dog p) (position 'green h)) (not (= (position 'cat p) 0)) (= 1 (abs (- (position 'fish p) (position 'blue h)))))
          (for-each
           (lambda (d)
             (when (and (= (position 'tea d) (position 'red h)) (= (position 'milk d) (position 'cat p)) (= 3 (position 'water d)) (= (position 'juice d) (position 'bird p)))
               (set! solutions (cons (list h p d) solutions))))
           drinks)))
      pets)))
 houses)
(for-each (lambda (s) (display s) (newline)) (reverse solutions))
(display (length solutions)) (newline)
