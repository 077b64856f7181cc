;; Levenshtein distance with two rows of a table
(define (distance a b)
  (let* ((n (string-length b)) (row (make-vector (+ n 1) 0)))
    (do ((j 0 (+ j 1))) ((> j n)) (vector-set! row j j))
    (do ((i 1 (+ i 1))) ((> i (string-length a)) (vector-ref row n))
      (let ((diagonal (vector-ref row 0)))
        (vector-set! row 0 i)
        (do ((j 1 (+ j 1))) ((> j n))
          (let ((above (vector-ref row j)))
            (vector-set! row j
                         (if (char=? (string-ref a (- i 1)) (string-ref b (- j 1)))
                             diagonal
                             (+ 1 (min diagonal above (vector-ref row (- j 1))))))
            (set! diagonal above)))))))
(display (map distance '("kitten" "flaw" "" "abc" "intention" "same") '("sitting" "lawn" "abc" "" "execution" "same"))) (newline)
