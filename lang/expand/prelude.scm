;; What the language can say itself, it says here: the procedures of R7RS-small on its data that are not primitives.
;; Compiled and analysed like a model; what a model does not use costs it nothing.
;;
;; Rules of the house
;;   * top-level forms define procedures, nothing else; no global is assigned
;;   * loops are tail calls. Pairs are immutable, so a list is built backwards and turned round; depth never grows
;;     with the length of data
;;   * what would fail inside a loop with a puzzling message is checked where it enters
;;   * names that start with % are seen by this file only; (%apply f list) calls f with the elements of the list

;;; ── Control ─────────────────────────────────────────────────────────────────────────────────────────────────

(define apply
  (case-lambda
    ((f args) (%apply f args))
    ((f a args) (%apply f (cons a args)))
    ((f a b args) (%apply f (cons a (cons b args))))
    ((f a b c . more) (%apply f (cons a (cons b (cons c (%spread more))))))))

;; (1 2 (3 4)) becomes (1 2 3 4).
(define (%spread args)
  (let ((backwards (reverse args)))
    (%reverse-onto (cdr backwards) (car backwards))))

(define (values . xs) (%list->values xs))
(define (call-with-values producer consumer) (%apply consumer (%values->list (producer))))
(define (error message . irritants) (%error message irritants))
(define (newline) (display "\n"))

;;; ── Numbers ─────────────────────────────────────────────────────────────────────────────────────────────────

(define +
  (case-lambda
    ((a b) (%+ a b))
    (() 0)
    ((a) (%+ a 0))
    ((a b . more)
     (let loop ((sum (%+ a b)) (more more))
       (if (null? more) sum (loop (%+ sum (car more)) (cdr more)))))))

(define *
  (case-lambda
    ((a b) (%* a b))
    (() 1)
    ((a) (%* a 1))
    ((a b . more)
     (let loop ((product (%* a b)) (more more))
       (if (null? more) product (loop (%* product (car more)) (cdr more)))))))

(define -
  (case-lambda
    ((a b) (%- a b))
    ((a) (%- 0 a))
    ((a b . more)
     (let loop ((difference (%- a b)) (more more))
       (if (null? more) difference (loop (%- difference (car more)) (cdr more)))))))

(define /
  (case-lambda
    ((a b) (%/ a b))
    ((a) (%/ 1 a))
    ((a b . more)
     (let loop ((quotient (%/ a b)) (more more))
       (if (null? more) quotient (loop (%/ quotient (car more)) (cdr more)))))))

;; Is each of a, b, more … in the relation to the next one?
(define (%ordered? related? a b more)
  (cond ((not (related? a b)) #f)
        ((null? more) #t)
        (else (%ordered? related? b (car more) (cdr more)))))

(define =
  (case-lambda
    ((a b) (%= a b))
    ((a) (%= a a))
    ((a b . more) (%ordered? = a b more))))

(define <
  (case-lambda
    ((a b) (%< a b))
    ((a) (not (%< a a)))
    ((a b . more) (%ordered? < a b more))))

(define >
  (case-lambda
    ((a b) (%> a b))
    ((a) (not (%> a a)))
    ((a b . more) (%ordered? > a b more))))

(define <=
  (case-lambda
    ((a b) (%<= a b))
    ((a) (%<= a a))
    ((a b . more) (%ordered? <= a b more))))

(define >=
  (case-lambda
    ((a b) (%>= a b))
    ((a) (%>= a a))
    ((a b . more) (%ordered? >= a b more))))

;; All numbers are exact and rational.
(define (complex? x) (number? x))
(define (real? x) (number? x))
(define (rational? x) (number? x))
(define (exact-integer? x) (integer? x))
(define (exact? x) (%need-number x "exact?: not a number:") #t)
(define (inexact? x) (%need-number x "inexact?: not a number:") #f)
(define (exact x) (%need-number x "exact: not a number:"))

(define (%need-number x complaint) (if (number? x) x (%error complaint (list x))))

(define (zero? x) (= x 0))
(define (positive? x) (> x 0))
(define (negative? x) (< x 0))
(define (even? n) (= (remainder n 2) 0))
(define (odd? n) (not (= (remainder n 2) 0)))
(define (abs x) (if (< x 0) (- x) x))
(define (square x) (* x x))

(define max
  (case-lambda
    ((a b) (if (< a b) b a))
    ((a) (%need-number a "max: not a number:"))
    ((a b . more)
     (let loop ((most (max a b)) (more more))
       (if (null? more) most (loop (max most (car more)) (cdr more)))))))

(define min
  (case-lambda
    ((a b) (if (< b a) b a))
    ((a) (%need-number a "min: not a number:"))
    ((a b . more)
     (let loop ((least (min a b)) (more more))
       (if (null? more) least (loop (min least (car more)) (cdr more)))))))

(define gcd
  (case-lambda
    ((a b) (if (= b 0) (%magnitude a) (gcd b (remainder a b))))
    (() 0)
    ((a) (%magnitude a))
    ((a b . more)
     (let loop ((divisor (gcd a b)) (more more))
       (if (null? more) divisor (loop (gcd divisor (car more)) (cdr more)))))))

(define lcm
  (case-lambda
    ((a b)
     (let ((divisor (gcd a b)))
       (if (= divisor 0) 0 (abs (* a (quotient b divisor))))))
    (() 1)
    ((a) (%magnitude a))
    ((a b . more)
     (let loop ((multiple (lcm a b)) (more more))
       (if (null? more) multiple (loop (lcm multiple (car more)) (cdr more)))))))

;; abs, of integers only.
(define (%magnitude n) (abs (quotient n 1)))

(define (floor/ a b) (values (floor-quotient a b) (modulo a b)))
(define (truncate/ a b) (values (quotient a b) (remainder a b)))
(define (floor-remainder a b) (modulo a b))
(define (truncate-quotient a b) (quotient a b))
(define (truncate-remainder a b) (remainder a b))

(define (exact-integer-sqrt n)
  (let ((root (%isqrt n)))
    (values root (- n (* root root)))))

(define (expt base exponent)
  (cond ((not (integer? exponent)) (%error "expt: the exponent must be an integer, not" (list exponent)))
        ((< exponent 0) (/ 1 (expt base (- exponent))))
        ((= exponent 0) (+ 1 (* base 0)))
        (else
         (let loop ((base base) (n exponent) (product 1))
           (cond ((= n 1) (* product base))
                 ((even? n) (loop (* base base) (quotient n 2) product))
                 (else (loop (* base base) (quotient n 2) (* product base))))))))

;; The simplest rational within `tolerance` of x: the first one on the way down the Stern–Brocot tree.
(define (rationalize x tolerance)
  (let ((low (- x (abs tolerance))) (high (+ x (abs tolerance))))
    (cond ((> low 0) (%simplest low high))
          ((< high 0) (- (%simplest (- high) (- low))))
          (else 0))))

(define (%simplest low high)
  (let ((whole (floor low)))
    (cond ((= whole low) whole)
          ((< whole (floor high)) (+ whole 1))
          (else (+ whole (/ 1 (%simplest (/ 1 (- high whole)) (/ 1 (- low whole)))))))))

(define number->string
  (case-lambda
    ((z) (%number->string z 10))
    ((z radix) (%number->string z radix))))

(define string->number
  (case-lambda
    ((s) (%string->number s 10))
    ((s radix) (%string->number s radix))))

(define bitwise-and
  (case-lambda
    ((a b) (%bitwise-and a b))
    (() -1)
    ((a) (%bitwise-and a -1))
    ((a b . more)
     (let loop ((bits (%bitwise-and a b)) (more more))
       (if (null? more) bits (loop (%bitwise-and bits (car more)) (cdr more)))))))

(define bitwise-or
  (case-lambda
    ((a b) (%bitwise-or a b))
    (() 0)
    ((a) (%bitwise-or a 0))
    ((a b . more)
     (let loop ((bits (%bitwise-or a b)) (more more))
       (if (null? more) bits (loop (%bitwise-or bits (car more)) (cdr more)))))))

(define bitwise-xor
  (case-lambda
    ((a b) (%bitwise-xor a b))
    (() 0)
    ((a) (%bitwise-xor a 0))
    ((a b . more)
     (let loop ((bits (%bitwise-xor a b)) (more more))
       (if (null? more) bits (loop (%bitwise-xor bits (car more)) (cdr more)))))))

;;; ── Booleans and symbols ────────────────────────────────────────────────────────────────────────────────────

(define (boolean=? a b . more)
  (%all-are boolean? (cons a (cons b more)) "boolean=?: not a boolean:")
  (%ordered? eq? a b more))

(define (symbol=? a b . more)
  (%all-are symbol? (cons a (cons b more)) "symbol=?: not a symbol:")
  (%ordered? eq? a b more))

(define (%all-are is? xs complaint)
  (cond ((null? xs) #t)
        ((is? (car xs)) (%all-are is? (cdr xs) complaint))
        (else (%error complaint (list (car xs))))))

;;; ── Lists ───────────────────────────────────────────────────────────────────────────────────────────────────

(define (caar x) (car (car x)))
(define (cadr x) (car (cdr x)))
(define (cdar x) (cdr (car x)))
(define (cddr x) (cdr (cdr x)))
(define (caaar x) (car (car (car x))))
(define (caadr x) (car (car (cdr x))))
(define (cadar x) (car (cdr (car x))))
(define (caddr x) (car (cdr (cdr x))))
(define (cdaar x) (cdr (car (car x))))
(define (cdadr x) (cdr (car (cdr x))))
(define (cddar x) (cdr (cdr (car x))))
(define (cdddr x) (cdr (cdr (cdr x))))
(define (caaaar x) (car (car (car (car x)))))
(define (caaadr x) (car (car (car (cdr x)))))
(define (caadar x) (car (car (cdr (car x)))))
(define (caaddr x) (car (car (cdr (cdr x)))))
(define (cadaar x) (car (cdr (car (car x)))))
(define (cadadr x) (car (cdr (car (cdr x)))))
(define (caddar x) (car (cdr (cdr (car x)))))
(define (cadddr x) (car (cdr (cdr (cdr x)))))
(define (cdaaar x) (cdr (car (car (car x)))))
(define (cdaadr x) (cdr (car (car (cdr x)))))
(define (cdadar x) (cdr (car (cdr (car x)))))
(define (cdaddr x) (cdr (car (cdr (cdr x)))))
(define (cddaar x) (cdr (cdr (car (car x)))))
(define (cddadr x) (cdr (cdr (car (cdr x)))))
(define (cdddar x) (cdr (cdr (cdr (car x)))))
(define (cddddr x) (cdr (cdr (cdr (cdr x)))))

(define (list . xs) xs)

(define (list? x)
  (if (pair? x) (list? (cdr x)) (null? x)))

(define (length xs)
  (let loop ((rest xs) (n 0))
    (cond ((pair? rest) (loop (cdr rest) (+ n 1)))
          ((null? rest) n)
          (else (%error "length: not a proper list:" (list xs))))))

;; The elements in reverse, before `tail`. Of a list that is known to be proper.
(define (%reverse-onto xs tail)
  (if (pair? xs) (%reverse-onto (cdr xs) (cons (car xs) tail)) tail))

;; The same, of what may not be a proper list.
(define (%checked-reverse-onto xs tail complaint)
  (let loop ((rest xs) (tail tail))
    (cond ((pair? rest) (loop (cdr rest) (cons (car rest) tail)))
          ((null? rest) tail)
          (else (%error complaint (list xs))))))

(define (reverse xs) (%checked-reverse-onto xs '() "reverse: not a proper list:"))

(define append
  (case-lambda
    ((a b) (%append a b))
    (() '())
    ((a) a)
    (lists
     (let ((backwards (reverse lists)))
       (let loop ((rest (cdr backwards)) (result (car backwards)))
         (if (null? rest) result (loop (cdr rest) (%append (car rest) result))))))))

(define (%append a b)
  (if (null? a)
      b
      (%reverse-onto (%checked-reverse-onto a '() "append: not a proper list:") b)))

(define (list-tail xs k)
  (let loop ((rest xs) (n k))
    (cond ((= n 0) rest)
          ((and (pair? rest) (> n 0)) (loop (cdr rest) (- n 1)))
          (else (%error "list-tail: no such position in the list:" (list k xs))))))

(define (list-ref xs k)
  (let loop ((rest xs) (n k))
    (cond ((or (not (pair? rest)) (< n 0)) (%error "list-ref: no such position in the list:" (list k xs)))
          ((= n 0) (car rest))
          (else (loop (cdr rest) (- n 1))))))

(define (list-copy xs)
  (let loop ((rest xs) (backwards '()))
    (if (pair? rest)
        (loop (cdr rest) (cons (car rest) backwards))
        (%reverse-onto backwards rest))))

(define make-list
  (case-lambda
    ((k) (make-list k (if #f #f)))
    ((k fill)
     (if (or (not (integer? k)) (< k 0)) (%error "make-list: not a length:" (list k)))
     (let loop ((n k) (xs '()))
       (if (= n 0) xs (loop (- n 1) (cons fill xs)))))))

(define iota
  (case-lambda
    ((count) (iota count 0 1))
    ((count start) (iota count start 1))
    ((count start step)
     (if (or (not (integer? count)) (< count 0)) (%error "iota: not a length:" (list count)))
     (let loop ((n (- count 1)) (xs '()))
       (if (< n 0) xs (loop (- n 1) (cons (+ start (* n step)) xs)))))))

(define (memq x xs)
  (let loop ((rest xs))
    (cond ((pair? rest) (if (eq? x (car rest)) rest (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "memq: not a proper list:" (list xs))))))

(define (memv x xs)
  (let loop ((rest xs))
    (cond ((pair? rest) (if (eqv? x (car rest)) rest (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "memv: not a proper list:" (list xs))))))

(define member
  (case-lambda
    ((x xs)
     (let loop ((rest xs))
       (cond ((pair? rest) (if (equal? x (car rest)) rest (loop (cdr rest))))
             ((null? rest) #f)
             (else (%error "member: not a proper list:" (list xs))))))
    ((x xs same?)
     (let loop ((rest xs))
       (cond ((pair? rest) (if (same? x (car rest)) rest (loop (cdr rest))))
             ((null? rest) #f)
             (else (%error "member: not a proper list:" (list xs))))))))

(define (assq x entries)
  (let loop ((rest entries))
    (cond ((pair? rest) (if (eq? x (car (car rest))) (car rest) (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "assq: not a proper list:" (list entries))))))

(define (assv x entries)
  (let loop ((rest entries))
    (cond ((pair? rest) (if (eqv? x (car (car rest))) (car rest) (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "assv: not a proper list:" (list entries))))))

(define assoc
  (case-lambda
    ((x entries)
     (let loop ((rest entries))
       (cond ((pair? rest) (if (equal? x (car (car rest))) (car rest) (loop (cdr rest))))
             ((null? rest) #f)
             (else (%error "assoc: not a proper list:" (list entries))))))
    ((x entries same?)
     (let loop ((rest entries))
       (cond ((pair? rest) (if (same? x (car (car rest))) (car rest) (loop (cdr rest))))
             ((null? rest) #f)
             (else (%error "assoc: not a proper list:" (list entries))))))))

;; Several lists at once: the walk goes on while each of them has an element.
(define (%all-pairs? lists)
  (or (null? lists)
      (and (pair? (car lists)) (%all-pairs? (cdr lists)))))

;; The elements at the front of each, and before `tail`, which is a list.
(define (%cars lists tail)
  (let loop ((rest lists) (backwards '()))
    (if (null? rest) (%reverse-onto backwards tail) (loop (cdr rest) (cons (car (car rest)) backwards)))))

(define (%cdrs lists)
  (let loop ((rest lists) (backwards '()))
    (if (null? rest) (%reverse-onto backwards '()) (loop (cdr rest) (cons (cdr (car rest)) backwards)))))

(define map
  (case-lambda
    ((f xs)
     (let loop ((rest xs) (backwards '()))
       (cond ((pair? rest) (loop (cdr rest) (cons (f (car rest)) backwards)))
             ((null? rest) (%reverse-onto backwards '()))
             (else (%error "map: not a proper list:" (list xs))))))
    ((f xs ys)
     (let loop ((xs xs) (ys ys) (backwards '()))
       (if (and (pair? xs) (pair? ys))
           (loop (cdr xs) (cdr ys) (cons (f (car xs) (car ys)) backwards))
           (%reverse-onto backwards '()))))
    ((f xs ys . more)
     (let loop ((lists (cons xs (cons ys more))) (backwards '()))
       (if (%all-pairs? lists)
           (loop (%cdrs lists) (cons (%apply f (%cars lists '())) backwards))
           (%reverse-onto backwards '()))))))

(define for-each
  (case-lambda
    ((f xs)
     (let loop ((rest xs))
       (cond ((pair? rest) (f (car rest)) (loop (cdr rest)))
             ((not (null? rest)) (%error "for-each: not a proper list:" (list xs))))))
    ((f xs ys)
     (let loop ((xs xs) (ys ys))
       (when (and (pair? xs) (pair? ys))
         (f (car xs) (car ys))
         (loop (cdr xs) (cdr ys)))))
    ((f xs ys . more)
     (let loop ((lists (cons xs (cons ys more))))
       (when (%all-pairs? lists)
         (%apply f (%cars lists '()))
         (loop (%cdrs lists)))))))

(define (filter keep? xs)
  (let loop ((rest xs) (backwards '()))
    (cond ((pair? rest) (loop (cdr rest) (if (keep? (car rest)) (cons (car rest) backwards) backwards)))
          ((null? rest) (%reverse-onto backwards '()))
          (else (%error "filter: not a proper list:" (list xs))))))

(define delete
  (case-lambda
    ((x xs) (filter (lambda (y) (not (equal? x y))) xs))
    ((x xs same?) (filter (lambda (y) (not (same? x y))) xs))))

;; (f (f (f initial a) b) c)
(define fold-left
  (case-lambda
    ((f initial xs)
     (let loop ((result initial) (rest xs))
       (cond ((pair? rest) (loop (f result (car rest)) (cdr rest)))
             ((null? rest) result)
             (else (%error "fold-left: not a proper list:" (list xs))))))
    ((f initial xs ys)
     (let loop ((result initial) (xs xs) (ys ys))
       (if (and (pair? xs) (pair? ys))
           (loop (f result (car xs) (car ys)) (cdr xs) (cdr ys))
           result)))
    ((f initial xs ys . more)
     (let loop ((result initial) (lists (cons xs (cons ys more))))
       (if (%all-pairs? lists)
           (loop (%apply f (cons result (%cars lists '()))) (%cdrs lists))
           result)))))

;; (f a (f b (f c initial)))
(define fold-right
  (case-lambda
    ((f initial xs)
     (let loop ((rest (%checked-reverse-onto xs '() "fold-right: not a proper list:")) (result initial))
       (if (null? rest) result (loop (cdr rest) (f (car rest) result)))))
    ((f initial xs . more)
     (let collect ((lists (cons xs more)) (backwards '()))
       (if (%all-pairs? lists)
           (collect (%cdrs lists) (cons lists backwards))
           (let loop ((rest backwards) (result initial))
             (if (null? rest)
                 result
                 (loop (cdr rest) (%apply f (%cars (car rest) (list result)))))))))))

;; (f c (f b a)); `initial` only for the empty list.
(define (reduce f initial xs)
  (cond ((pair? xs)
         (let loop ((result (car xs)) (rest (cdr xs)))
           (cond ((pair? rest) (loop (f (car rest) result) (cdr rest)))
                 ((null? rest) result)
                 (else (%error "reduce: not a proper list:" (list xs))))))
        ((null? xs) initial)
        (else (%error "reduce: not a proper list:" (list xs)))))

(define (find found? xs)
  (let loop ((rest xs))
    (cond ((pair? rest) (if (found? (car rest)) (car rest) (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "find: not a proper list:" (list xs))))))

(define (exists holds? xs)
  (let loop ((rest xs))
    (cond ((pair? rest) (or (holds? (car rest)) (loop (cdr rest))))
          ((null? rest) #f)
          (else (%error "exists: not a proper list:" (list xs))))))

(define (for-all holds? xs)
  (let loop ((rest xs) (last #t))
    (cond ((pair? rest) (let ((result (holds? (car rest)))) (and result (loop (cdr rest) result))))
          ((null? rest) last)
          (else (%error "for-all: not a proper list:" (list xs))))))

(define list-index
  (case-lambda
    ((found? xs)
     (let loop ((rest xs) (i 0))
       (cond ((pair? rest) (if (found? (car rest)) i (loop (cdr rest) (+ i 1))))
             ((null? rest) #f)
             (else (%error "list-index: not a proper list:" (list xs))))))
    ((found? xs . more)
     (let loop ((lists (cons xs more)) (i 0))
       (cond ((not (%all-pairs? lists)) #f)
             ((%apply found? (%cars lists '())) i)
             (else (loop (%cdrs lists) (+ i 1))))))))

;;; ── Characters ──────────────────────────────────────────────────────────────────────────────────────────────

;; Through the upper case, so that ς and σ, which share one, fold alike; the Turkish i's are left as they are.
(define (char-foldcase c)
  (let ((n (char->integer c)))
    (if (or (= n 304) (= n 305)) c (char-downcase (char-upcase c)))))

(define (%char=? a b) (= (char->integer a) (char->integer b)))
(define (%char<? a b) (< (char->integer a) (char->integer b)))
(define (%char>? a b) (> (char->integer a) (char->integer b)))
(define (%char<=? a b) (<= (char->integer a) (char->integer b)))
(define (%char>=? a b) (>= (char->integer a) (char->integer b)))

(define char=?
  (case-lambda
    ((a b) (%char=? a b))
    ((a) (%char=? a a))
    ((a b . more) (%ordered? %char=? a b more))))

(define char<?
  (case-lambda
    ((a b) (%char<? a b))
    ((a) (%char=? a a))
    ((a b . more) (%ordered? %char<? a b more))))

(define char>?
  (case-lambda
    ((a b) (%char>? a b))
    ((a) (%char=? a a))
    ((a b . more) (%ordered? %char>? a b more))))

(define char<=?
  (case-lambda
    ((a b) (%char<=? a b))
    ((a) (%char=? a a))
    ((a b . more) (%ordered? %char<=? a b more))))

(define char>=?
  (case-lambda
    ((a b) (%char>=? a b))
    ((a) (%char=? a a))
    ((a b . more) (%ordered? %char>=? a b more))))

(define (char-ci=? . cs) (%apply char=? (map char-foldcase cs)))
(define (char-ci<? . cs) (%apply char<? (map char-foldcase cs)))
(define (char-ci>? . cs) (%apply char>? (map char-foldcase cs)))
(define (char-ci<=? . cs) (%apply char<=? (map char-foldcase cs)))
(define (char-ci>=? . cs) (%apply char>=? (map char-foldcase cs)))

;;; ── Strings, which are immutable ────────────────────────────────────────────────────────────────────────────

(define (string . cs) (list->string cs))

(define make-string
  (case-lambda
    ((k) (%make-string k #\space))
    ((k c) (%make-string k c))))

(define (substring s start end) (%substring s start end))

(define string-copy
  (case-lambda
    ((s) (%substring s 0 (string-length s)))
    ((s start) (%substring s start (string-length s)))
    ((s start end) (%substring s start end))))

(define string-append
  (case-lambda
    ((a b) (%string-append a b))
    (parts (%string-concatenate parts))))

(define (%string>? a b) (%string<? b a))
(define (%string<=? a b) (not (%string<? b a)))
(define (%string>=? a b) (not (%string<? a b)))

(define string=?
  (case-lambda
    ((a b) (%string=? a b))
    ((a) (%string=? a a))
    ((a b . more) (%ordered? string=? a b more))))

(define string<?
  (case-lambda
    ((a b) (%string<? a b))
    ((a) (%string=? a a))
    ((a b . more) (%ordered? string<? a b more))))

(define string>?
  (case-lambda
    ((a b) (%string>? a b))
    ((a) (%string=? a a))
    ((a b . more) (%ordered? %string>? a b more))))

(define string<=?
  (case-lambda
    ((a b) (%string<=? a b))
    ((a) (%string=? a a))
    ((a b . more) (%ordered? %string<=? a b more))))

(define string>=?
  (case-lambda
    ((a b) (%string>=? a b))
    ((a) (%string=? a a))
    ((a b . more) (%ordered? %string>=? a b more))))

(define (string-ci=? . ss) (%apply string=? (map string-foldcase ss)))
(define (string-ci<? . ss) (%apply string<? (map string-foldcase ss)))
(define (string-ci>? . ss) (%apply string>? (map string-foldcase ss)))
(define (string-ci<=? . ss) (%apply string<=? (map string-foldcase ss)))
(define (string-ci>=? . ss) (%apply string>=? (map string-foldcase ss)))

;; Is [start, end) a range within 0 … length? The complaint says whose.
(define (%check-range start end length complaint)
  (if (not (and (integer? start) (integer? end) (<= 0 start) (<= start end) (<= end length)))
      (%error complaint (list start end))))

(define string->list
  (case-lambda
    ((s) (string->list s 0 (string-length s)))
    ((s start) (string->list s start (string-length s)))
    ((s start end)
     (%check-range start end (string-length s) "string->list: no such range in the string:")
     (let loop ((i (- end 1)) (cs '()))
       (if (< i start) cs (loop (- i 1) (cons (string-ref s i) cs)))))))

(define string->vector
  (case-lambda
    ((s) (string->vector s 0 (string-length s)))
    ((s start) (string->vector s start (string-length s)))
    ((s start end)
     (%check-range start end (string-length s) "string->vector: no such range in the string:")
     (let ((v (%make-vector (- end start) #\space)))
       (let loop ((i start))
         (cond ((< i end) (vector-set! v (- i start) (string-ref s i)) (loop (+ i 1)))
               (else v)))))))

(define vector->string
  (case-lambda
    ((v) (list->string (vector->list v)))
    ((v start) (list->string (vector->list v start)))
    ((v start end) (list->string (vector->list v start end)))))

(define string-map
  (case-lambda
    ((f s)
     (let ((end (string-length s)))
       (let loop ((i 0) (backwards '()))
         (if (< i end)
             (loop (+ i 1) (cons (f (string-ref s i)) backwards))
             (list->string (%reverse-onto backwards '()))))))
    ((f s . more) (list->string (%apply map (cons f (map string->list (cons s more))))))))

(define string-for-each
  (case-lambda
    ((f s)
     (let ((end (string-length s)))
       (let loop ((i 0))
         (when (< i end)
           (f (string-ref s i))
           (loop (+ i 1))))))
    ((f s . more) (%apply for-each (cons f (map string->list (cons s more)))))))

(define string->utf8
  (case-lambda
    ((s) (%string->utf8 s))
    ((s start) (%string->utf8 (%substring s start (string-length s))))
    ((s start end) (%string->utf8 (%substring s start end)))))

(define utf8->string
  (case-lambda
    ((b) (%utf8->string b 0 (bytevector-length b)))
    ((b start) (%utf8->string b start (bytevector-length b)))
    ((b start end) (%utf8->string b start end))))

;;; ── Vectors ─────────────────────────────────────────────────────────────────────────────────────────────────

(define (vector . xs) (list->vector xs))

(define make-vector
  (case-lambda
    ((k) (%make-vector k (if #f #f)))
    ((k fill) (%make-vector k fill))))

(define (list->vector xs)
  (let ((v (%make-vector (length xs) #f)))
    (let loop ((rest xs) (i 0))
      (cond ((pair? rest) (vector-set! v i (car rest)) (loop (cdr rest) (+ i 1)))
            (else v)))))

(define vector->list
  (case-lambda
    ((v) (vector->list v 0 (vector-length v)))
    ((v start) (vector->list v start (vector-length v)))
    ((v start end)
     (%check-range start end (vector-length v) "vector->list: no such range in the vector:")
     (let loop ((i (- end 1)) (xs '()))
       (if (< i start) xs (loop (- i 1) (cons (vector-ref v i) xs)))))))

(define (%shortest vectors)
  (let loop ((least (vector-length (car vectors))) (rest (cdr vectors)))
    (if (null? rest) least (loop (min least (vector-length (car rest))) (cdr rest)))))

;; The elements at i of each.
(define (%row vectors i)
  (let loop ((rest vectors) (backwards '()))
    (if (null? rest) (%reverse-onto backwards '()) (loop (cdr rest) (cons (vector-ref (car rest) i) backwards)))))

(define vector-map
  (case-lambda
    ((f v)
     (let* ((end (vector-length v)) (result (%make-vector end #f)))
       (let loop ((i 0))
         (cond ((< i end) (vector-set! result i (f (vector-ref v i))) (loop (+ i 1)))
               (else result)))))
    ((f v . more)
     (let* ((vectors (cons v more)) (end (%shortest vectors)) (result (%make-vector end #f)))
       (let loop ((i 0))
         (cond ((< i end) (vector-set! result i (%apply f (%row vectors i))) (loop (+ i 1)))
               (else result)))))))

(define vector-for-each
  (case-lambda
    ((f v)
     (let ((end (vector-length v)))
       (let loop ((i 0))
         (when (< i end)
           (f (vector-ref v i))
           (loop (+ i 1))))))
    ((f v . more)
     (let* ((vectors (cons v more)) (end (%shortest vectors)))
       (let loop ((i 0))
         (when (< i end)
           (%apply f (%row vectors i))
           (loop (+ i 1))))))))

(define vector-fill!
  (case-lambda
    ((v x) (vector-fill! v x 0 (vector-length v)))
    ((v x start) (vector-fill! v x start (vector-length v)))
    ((v x start end)
     (%check-range start end (vector-length v) "vector-fill!: no such range in the vector:")
     (let loop ((i start))
       (when (< i end)
         (vector-set! v i x)
         (loop (+ i 1)))))))

(define vector-copy
  (case-lambda
    ((v) (vector-copy v 0 (vector-length v)))
    ((v start) (vector-copy v start (vector-length v)))
    ((v start end)
     (%check-range start end (vector-length v) "vector-copy: no such range in the vector:")
     (let ((copy (%make-vector (- end start) #f)))
       (%vector-move! copy 0 v start end)
       copy))))

(define vector-copy!
  (case-lambda
    ((to at from) (vector-copy! to at from 0 (vector-length from)))
    ((to at from start) (vector-copy! to at from start (vector-length from)))
    ((to at from start end)
     (%check-range start end (vector-length from) "vector-copy!: no such range in the source:")
     (%check-range at (+ at (- end start)) (vector-length to) "vector-copy!: no such range in the target:")
     (%vector-move! to at from start end))))

;; Copies [start, end) of `from`. Upwards or downwards, so that within one vector nothing is overwritten before it moved.
(define (%vector-move! to at from start end)
  (if (<= at start)
      (let loop ((i start) (j at))
        (when (< i end)
          (vector-set! to j (vector-ref from i))
          (loop (+ i 1) (+ j 1))))
      (let loop ((i (- end 1)) (j (+ at (- end start 1))))
        (when (>= i start)
          (vector-set! to j (vector-ref from i))
          (loop (- i 1) (- j 1))))))

(define (vector-append . vectors)
  (let ((result (%make-vector (%sum-of vector-length vectors) #f)))
    (let loop ((rest vectors) (at 0))
      (cond ((null? rest) result)
            (else
             (%vector-move! result at (car rest) 0 (vector-length (car rest)))
             (loop (cdr rest) (+ at (vector-length (car rest)))))))))

(define (%sum-of f xs)
  (let loop ((rest xs) (sum 0))
    (if (null? rest) sum (loop (cdr rest) (+ sum (f (car rest)))))))

;;; ── Bytevectors ─────────────────────────────────────────────────────────────────────────────────────────────

(define make-bytevector
  (case-lambda
    ((k) (%make-bytevector k 0))
    ((k byte) (%make-bytevector k byte))))

(define (bytevector . bytes)
  (let ((b (%make-bytevector (length bytes) 0)))
    (let loop ((rest bytes) (i 0))
      (cond ((pair? rest) (bytevector-u8-set! b i (car rest)) (loop (cdr rest) (+ i 1)))
            (else b)))))

(define bytevector-copy
  (case-lambda
    ((b) (bytevector-copy b 0 (bytevector-length b)))
    ((b start) (bytevector-copy b start (bytevector-length b)))
    ((b start end)
     (%check-range start end (bytevector-length b) "bytevector-copy: no such range in the bytevector:")
     (let ((copy (%make-bytevector (- end start) 0)))
       (%bytevector-move! copy 0 b start end)
       copy))))

(define bytevector-copy!
  (case-lambda
    ((to at from) (bytevector-copy! to at from 0 (bytevector-length from)))
    ((to at from start) (bytevector-copy! to at from start (bytevector-length from)))
    ((to at from start end)
     (%check-range start end (bytevector-length from) "bytevector-copy!: no such range in the source:")
     (%check-range at (+ at (- end start)) (bytevector-length to) "bytevector-copy!: no such range in the target:")
     (%bytevector-move! to at from start end))))

(define (%bytevector-move! to at from start end)
  (if (<= at start)
      (let loop ((i start) (j at))
        (when (< i end)
          (bytevector-u8-set! to j (bytevector-u8-ref from i))
          (loop (+ i 1) (+ j 1))))
      (let loop ((i (- end 1)) (j (+ at (- end start 1))))
        (when (>= i start)
          (bytevector-u8-set! to j (bytevector-u8-ref from i))
          (loop (- i 1) (- j 1))))))

(define (bytevector-append . parts)
  (let ((result (%make-bytevector (%sum-of bytevector-length parts) 0)))
    (let loop ((rest parts) (at 0))
      (cond ((null? rest) result)
            (else
             (%bytevector-move! result at (car rest) 0 (bytevector-length (car rest)))
             (loop (cdr rest) (+ at (bytevector-length (car rest)))))))))

;;; ── Hash tables ─────────────────────────────────────────────────────────────────────────────────────────────

(define hash-table-ref
  (case-lambda
    ((table key) (hash-table-ref table key (lambda () (%error "hash-table-ref: no such key:" (list key)))))
    ((table key absent)
     (if (hash-table-contains? table key) (hash-table-ref/default table key #f) (absent)))
    ((table key absent present)
     (if (hash-table-contains? table key) (present (hash-table-ref/default table key #f)) (absent)))))

(define hash-table-update!
  (case-lambda
    ((table key change) (hash-table-set! table key (change (hash-table-ref table key))))
    ((table key change absent) (hash-table-set! table key (change (hash-table-ref table key absent))))))

(define (hash-table-update!/default table key change default)
  (hash-table-set! table key (change (hash-table-ref/default table key default))))

(define (hash-table->alist table)
  (map cons (hash-table-keys table) (hash-table-values table)))

;; The first entry of a key counts, as with assoc.
(define (alist->hash-table entries)
  (let ((table (make-hash-table)))
    (for-each (lambda (entry)
                (if (not (hash-table-contains? table (car entry)))
                    (hash-table-set! table (car entry) (cdr entry))))
              entries)
    table))

;; Over the entries as they are now; `f` may change the table.
(define (hash-table-walk table f)
  (for-each f (hash-table-keys table) (hash-table-values table)))
