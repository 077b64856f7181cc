;; characters: comparisons of two and more, case-insensitive ones
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (char=? #\a #\a) (char=? #\a #\b) (char<? #\a #\b) (char>? #\a #\b) (char<=? #\a #\a) (char>=? #\b #\a))
(show (char<? #\a #\b #\c) (char<? #\a #\c #\b) (char=? #\a #\a #\a) (char<=? #\a #\a #\b) (char>? #\c #\b #\a) (char>=? #\c #\c #\d))
(show (char<? #\A #\a) (char<? #\0 #\A) (char<? #\z #\λ) (char<? #\space #\!))
(show (char-ci=? #\a #\A) (char-ci<? #\a #\B) (char-ci>? #\B #\a) (char-ci<=? #\a #\A #\b) (char-ci>=? #\B #\a #\A))
