;; each datum satisfies exactly one of the disjoint type predicates
(define predicates (list boolean? bytevector? char? null? number? pair? procedure? string? symbol? vector?))
(define samples (list #t #f #u8(1) #\a '() 5 1/2 '(1) '(1 . 2) car (lambda (x) x) "s" "" 'sym (vector) (vector 1)))
(for-each (lambda (x) (display (map (lambda (p) (if (p x) 1 0)) predicates)) (newline)) samples)
(display (map (lambda (x) (apply + (map (lambda (p) (if (p x) 1 0)) predicates))) samples)) (newline)
