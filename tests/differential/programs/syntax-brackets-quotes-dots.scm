;; quote, quasiquote and vectors in their abbreviated and long forms; odd but valid layouts
(display (quote a)) (newline)
(display '   spaced) (newline)
(display
 '
 (a
  b)
 )
(newline)
(display '(a.b a .b)) (newline)
(display '(a . (b))) (newline)
(display (equal? '(quote x) ''x)) (newline)
(display (equal? '(quasiquote (x (unquote y) (unquote-splicing z))) '`(x ,y ,@z))) (newline)
(display (car ''x)) (newline)
(display '#(a #(b) ())) (newline)
(display(list 1(list 2)"three"'four)) (newline)
(display '(1 . 2)) (newline)
