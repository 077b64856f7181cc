; Freeing pages, after the example of Majumdar and Xu (2009): the use count of every page that is in use goes up by one,
; and an assertion compares it with the old count. The pages have nothing to do with one another, and yet there are 2^n
; paths for n of them; here n is 3, one message for each page.
;
;   espalier generate models/examples/pages.scm

(define n 3)
(define in-use (make-vector n 0))
(define count (make-vector n 0))
(define old (make-vector n 0))

(define-message Page (in-use bool) (count (int 0 1000)))
(define-message Freed (pages (int 0 3)))
(define-port kernel (in Page) (out Freed))

(define (for-each-page do-page)
  (do ((i 0 (+ i 1))) ((= i n)) (do-page i)))

(for-each-page
 (lambda (i)
   (select ((kernel (Page used uses))
            (vector-set! in-use i used)
            (vector-set! count i uses)
            (vector-set! old i uses)))))

(define freed 0)
(for-each-page
 (lambda (i)
   (if (vector-ref in-use i)
       (begin (checkpoint used)
              (vector-set! count i (+ (vector-ref count i) 1))
              (set! freed (+ freed 1)))
       (checkpoint unused))))
(for-each-page
 (lambda (i)
   (if (vector-ref in-use i)
       (assert (= (vector-ref count i) (+ (vector-ref old i) 1))))))
(if (= freed n) (checkpoint all-used))
(write kernel (Freed freed))
