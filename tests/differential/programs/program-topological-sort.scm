;; topological sort with detection of cycles
(define (sort-graph graph)
  (let ((done '()) (cycle #f))
    (define (visit node path)
      (cond ((memq node path) (set! cycle (reverse (cons node path))))
            ((memq node done) 'already)
            (else
             (for-each (lambda (d) (visit d (cons node path))) (cond ((assq node graph) => cdr) (else '())))
             (set! done (cons node done)))))
    (for-each (lambda (entry) (visit (car entry) '())) graph)
    (if cycle (list 'cycle cycle) (reverse done))))
(display (sort-graph '((shirt tie belt) (tie jacket) (trousers shoes belt) (belt jacket) (socks shoes)))) (newline)
(display (sort-graph '((a b) (b c) (c a)))) (newline)
(display (sort-graph '((a) (b) (c)))) (newline)
