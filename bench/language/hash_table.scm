;; Updates and lookups in hash tables, with integer keys and with string keys.
(define rounds 80)
(define integer-keys 100000)
(define string-keys 20000)

(define (count! table key)
  (hash-table-set! table key (+ 1 (hash-table-ref/default table key 0))))

;; Keys in a scattered order: 7919 is prime to both numbers of keys.
(define (count-integers! table)
  (do ((i 0 (+ i 1)))
      ((= i integer-keys))
    (count! table (modulo (* i 7919) integer-keys))))

(define names
  (let ((v (make-vector string-keys "")))
    (do ((i 0 (+ i 1)))
        ((= i string-keys) v)
      (vector-set! v i (string-append "key-" (number->string i))))))

(define (count-strings! table)
  (do ((i 0 (+ i 1)))
      ((= i string-keys))
    (count! table (vector-ref names (modulo (* i 7919) string-keys)))))

(define (run table count-all! n)
  (do ((i 0 (+ i 1)))
      ((= i n))
    (count-all! table)))

(define (sum-integers table)
  (do ((i 0 (+ i 1))
       (sum 0 (+ sum (hash-table-ref/default table i 0))))
      ((= i integer-keys) sum)))

(define (sum-strings table)
  (do ((i 0 (+ i 1))
       (sum 0 (+ sum (hash-table-ref/default table (vector-ref names i) 0))))
      ((= i string-keys) sum)))

(define integers (make-hash-table))
(run integers count-integers! rounds)
(display (sum-integers integers))
(newline)

(define strings (make-hash-table))
(run strings count-strings! rounds)
(display (sum-strings strings))
(newline)
