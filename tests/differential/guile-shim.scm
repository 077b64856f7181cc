;; What Guile needs to run the programs as R7RS programs of Espalier's subset.
;;
;; By hand:  guile --no-auto-compile -l guile-shim.scm programs/NAME.scm
;; run.sh loads it once, into a module of its own, and gives each program a
;; fresh module with these bindings (see guile-driver.scm).
;;
;; It defines only what Guile lacks, or does otherwise than R7RS or the language:
;;   * R7RS reader syntax (|symbols|, \x41; escapes);
;;   * display as R7RS 6.13.3 has it: symbols are not escaped, bytevectors are #u8(...);
;;   * fold-left and fold-right (R6RS), reduce (SRFI 1), list-index (SRFI 1),
;;     bitwise-... and arithmetic-shift;
;;   * string-for-each with several strings (Guile 3.0.8 takes only one);
;;   * hash tables under their SRFI 69 names: keys compare with equal?, entries
;;     keep the order of insertion, replacing a value keeps its key's place;
;;   * write and read, hidden: in the language they are a model's output and input.

(default-duplicate-binding-handler '(replace last))

;; (scheme base) without what is not in the language, so that a program that leaves
;; the subset fails here too.
(import (except (scheme base)
                call-with-current-continuation call/cc dynamic-wind
                guard raise raise-continuable with-exception-handler
                error-object? error-object-message error-object-irritants
                read-error? file-error?
                inexact
                make-parameter parameterize
                set-car! set-cdr! list-set!
                string-set! string-fill! string-copy! string-for-each
                read-char peek-char read-line read-string read-u8 peek-u8 read-bytevector
                write-char write-string write-u8 write-bytevector
                current-input-port current-output-port current-error-port
                open-input-string open-output-string get-output-string
                open-input-bytevector open-output-bytevector get-output-bytevector)
        (scheme case-lambda) (scheme char) (scheme cxr)
        (only (srfi srfi-1) filter fold-right iota list-index reduce)
        (prefix (only (guile) display make-hash-table) guile:))

(read-enable 'r7rs-symbols)
(read-enable 'r6rs-hex-escapes)
(read-enable 'hungry-eol-escapes)

;;; Output

(define (display datum)
  (define (show-elements get size)
    (let loop ((i 0))
      (when (< i size)
        (unless (= i 0) (guile:display " "))
        (display (get i))
        (loop (+ i 1)))))
  (define (show-tail tail)
    (cond ((pair? tail)
           (guile:display " ")
           (display (car tail))
           (show-tail (cdr tail)))
          ((not (null? tail))
           (guile:display " . ")
           (display tail))))
  (cond ((symbol? datum) (guile:display (symbol->string datum)))
        ((pair? datum)
         (guile:display "(")
         (display (car datum))
         (show-tail (cdr datum))
         (guile:display ")"))
        ((vector? datum)
         (guile:display "#(")
         (show-elements (lambda (i) (vector-ref datum i)) (vector-length datum))
         (guile:display ")"))
        ((bytevector? datum)
         (guile:display "#u8(")
         (show-elements (lambda (i) (bytevector-u8-ref datum i)) (bytevector-length datum))
         (guile:display ")"))
        (else (guile:display datum))))

(define (newline) (guile:display "\n"))

(define (write . ignored) (error "write is a model's output; use display"))
(define (read . ignored) (error "read is a model's input"))

;;; Lists

(define (fold-left f initial first . rest)
  (if (null? rest)
      (let loop ((result initial) (items first))
        (if (null? items)
            result
            (loop (f result (car items)) (cdr items))))
      (let loop ((result initial) (lists (cons first rest)))
        (if (null? (car lists))
            result
            (loop (apply f result (map car lists)) (map cdr lists))))))

;;; Strings

(define (string-for-each f . strings)
  (apply for-each f (map string->list strings)))

;;; Bits

(define bitwise-and logand)
(define bitwise-or logior)
(define bitwise-xor logxor)
(define bitwise-not lognot)
(define arithmetic-shift ash)

;;; Hash tables: Guile's own, from keys to entries, and the entries in a doubly linked ring.

(define-record-type <entry>
  (make-entry key value before after)
  entry?
  (key entry-key)
  (value entry-value set-entry-value!)
  (before entry-before set-entry-before!)
  (after entry-after set-entry-after!))

(define-record-type <hash-table>
  (make-table index ring count)
  hash-table?
  (index table-index)
  (ring table-ring)
  (count hash-table-count set-table-count!))

;; Guile 3.0.8 does not find a bytevector again by its content.
(define bytes-tag (make-symbol "bytes"))
(define (index-key key)
  (if (bytevector? key)
      (let loop ((i (- (bytevector-length key) 1)) (bytes '()))
        (if (< i 0)
            (cons bytes-tag bytes)
            (loop (- i 1) (cons (bytevector-u8-ref key i) bytes))))
      key))

(define (make-hash-table)
  (let ((ring (make-entry #f #f #f #f)))
    (set-entry-before! ring ring)
    (set-entry-after! ring ring)
    (make-table (guile:make-hash-table) ring 0)))

(define (hash-table-ref/default table key default)
  (let ((entry (hash-ref (table-index table) (index-key key) #f)))
    (if entry (entry-value entry) default)))

(define (hash-table-contains? table key)
  (if (hash-ref (table-index table) (index-key key) #f) #t #f))

(define (hash-table-set! table key value)
  (let ((entry (hash-ref (table-index table) (index-key key) #f)))
    (if entry
        (set-entry-value! entry value)
        (let* ((ring (table-ring table))
               (last (entry-before ring))
               (entry (make-entry key value last ring)))
          (set-entry-after! last entry)
          (set-entry-before! ring entry)
          (hash-set! (table-index table) (index-key key) entry)
          (set-table-count! table (+ (hash-table-count table) 1))))))

(define (hash-table-delete! table key)
  (let ((entry (hash-ref (table-index table) (index-key key) #f)))
    (when entry
      (set-entry-after! (entry-before entry) (entry-after entry))
      (set-entry-before! (entry-after entry) (entry-before entry))
      (hash-remove! (table-index table) (index-key key))
      (set-table-count! table (- (hash-table-count table) 1)))))

(define (hash-table-clear! table)
  (let ((ring (table-ring table)))
    (set-entry-before! ring ring)
    (set-entry-after! ring ring)
    (hash-clear! (table-index table))
    (set-table-count! table 0)))

(define (collect table part)
  (let ((ring (table-ring table)))
    (let loop ((entry (entry-before ring)) (result '()))
      (if (eq? entry ring)
          result
          (loop (entry-before entry) (cons (part entry) result))))))

(define (hash-table-keys table) (collect table entry-key))
(define (hash-table-values table) (collect table entry-value))
(define (hash-table->alist table)
  (collect table (lambda (entry) (cons (entry-key entry) (entry-value entry)))))
