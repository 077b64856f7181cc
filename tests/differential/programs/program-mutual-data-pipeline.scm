;; a pipeline of higher-order procedures over a table of records
(define-record-type employee (make-employee name department salary) employee? (name employee-name) (department employee-department) (salary employee-salary))
(define staff (map (lambda (row) (apply make-employee row)) '(("Ann" sales 3000) ("Bob" sales 2500) ("Cid" it 4000) ("Dee" it 4200) ("Eve" hr 2800))))
(define (group-by key items)
  (let ((t (make-hash-table)))
    (for-each (lambda (x) (hash-table-set! t (key x) (append (hash-table-ref/default t (key x) '()) (list x)))) items)
    (hash-table->alist t)))
(define (average l) (/ (apply + l) (length l)))
(for-each
 (lambda (g) (display (car g)) (display " ") (display (map employee-name (cdr g))) (display " ") (display (average (map employee-salary (cdr g)))) (newline))
 (group-by employee-department staff))
(define (pipe x . fs) (fold-left (lambda (acc f) (f acc)) x fs))
(display (pipe staff
               (lambda (l) (filter (lambda (e) (> (employee-salary e) 2600)) l))
               (lambda (l) (map employee-name l))
               (lambda (l) (reduce (lambda (x acc) (string-append acc "," x)) "" l))))
(newline)
