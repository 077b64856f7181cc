;; Building strings: string-append, number->string, list->string and their inverses.
(define rounds 400)
(define fields 1000)

(define (record i)
  (string-append "id=" (number->string i) ";name=" (list->string (reverse (string->list (number->string (* i 7919))))) "\n"))

(define (join strings)
  (cond ((null? strings) "")
        ((null? (cdr strings)) (car strings))
        (else (join (pairs strings)))))

(define (pairs strings)
  (cond ((null? strings) '())
        ((null? (cdr strings)) strings)
        (else (cons (string-append (car strings) (cadr strings)) (pairs (cddr strings))))))

(define (records from to)
  (if (= from to)
      '()
      (cons (record from) (records (+ from 1) to))))

(define (checksum s)
  (let ((n (string-length s)))
    (let loop ((i 0) (sum 0))
      (if (= i n)
          sum
          (loop (+ i 1) (modulo (+ (* sum 31) (char->integer (string-ref s i))) 1000003))))))

(define (run round total)
  (if (= round rounds)
      total
      (run (+ round 1)
           (modulo (+ total (checksum (join (records (* round fields) (* (+ round 1) fields))))) 1000003))))

(display (run 0 0))
(newline)
