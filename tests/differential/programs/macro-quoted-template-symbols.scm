;; symbols in quoted templates and in user data compare equal whatever their hygiene
(define-syntax tag
  (syntax-rules () ((_ x) (list 'tag 'x))))
(display (equal? (tag y) '(tag y))) (newline)
(display (eq? (car (tag y)) 'tag)) (newline)
(define-syntax same?
  (syntax-rules () ((_ x) (eq? 'x 'hello))))
(display (list (same? hello) (same? goodbye))) (newline)
(define-syntax case-in-macro
  (syntax-rules ()
    ((_ e) (case e ((apple) 'fruit) ((carrot) 'vegetable) (else 'unknown)))))
(display (map (lambda (x) (case-in-macro x)) '(apple carrot stone))) (newline)
(define-syntax quoted-vector (syntax-rules () ((_ x ...) '#(x ... (x) ...))))
(display (quoted-vector a b)) (newline)
(display (let ((tmp 5)) (let-syntax ((m (syntax-rules () ((_ v) (let ((tmp 1)) (list 'tmp v tmp)))))) (m tmp))))
(newline)
