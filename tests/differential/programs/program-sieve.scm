;; the sieve of Eratosthenes on a vector
(define (primes-below n)
  (let ((composite (make-vector n #f)))
    (let loop ((i 2) (primes '()))
      (cond ((>= i n) (reverse primes))
            ((vector-ref composite i) (loop (+ i 1) primes))
            (else
             (do ((j (* i i) (+ j i))) ((>= j n)) (vector-set! composite j #t))
             (loop (+ i 1) (cons i primes)))))))
(display (primes-below 100)) (newline)
(display (length (primes-below 10000))) (newline)
(display (apply + (primes-below 1000))) (newline)
