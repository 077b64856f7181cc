;; Where a local variable hides `...` or `_`, a macro's patterns and templates take it as a plain name
(define (show x) (display x) (newline))

(show (let ((... 'dots))
        (let-syntax ((shape (syntax-rules ()
                              ((shape one ...) (list 'two-parts 'one '...))
                              ((shape . other) (list 'other 'other)))))
          (list (shape a b) (shape a) (shape a b c)))))

(show (let ((... 1))
        (define-syntax turn-round
          (syntax-rules () ((turn-round first ...) '(... first))))
        (turn-round left right)))

(show (let ((_ 'outside))
        (let-syntax ((keep (syntax-rules () ((keep _) (list 'kept '_ _)))))
          (keep 7))))

;; A macro that was written where they have their meaning keeps it, wherever it is used.
(define-syntax last-of
  (syntax-rules ()
    ((_ x) x)
    ((_ _ rest ...) (last-of rest ...))))
(show (let ((... 1) (_ 2))
        (last-of 'a 'b (+ ... _))))

;; An ellipsis of the macro's own choice frees `...`, also inside a scope that binds it.
(show (let ((... 5))
        (define-syntax sum-with
          (syntax-rules more () ((sum-with x more) (+ x more ...))))
        (sum-with 1 2 3)))
