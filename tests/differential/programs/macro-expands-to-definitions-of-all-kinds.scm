;; macros that expand to define-record-type, define-values and several defines
(define-syntax define-point-type
  (syntax-rules ()
    ((_ type make predicate get-x get-y)
     (define-record-type type (make x y) predicate (x get-x) (y get-y)))))
(define-point-type point make-point point? point-x point-y)
(display (let ((p (make-point 1 2))) (list (point? p) (point-x p) (point-y p)))) (newline)
(define-syntax define-pair
  (syntax-rules () ((_ a b e) (define-values (a b) e))))
(define-pair q r (floor/ 17 5))
(display (list q r)) (newline)
(define (f)
  (define-pair s t (values 3 4))
  (define-point-type p mk p? px py)
  (+ (px (mk s t)) (py (mk s t))))
(display (f)) (newline)
