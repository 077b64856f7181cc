;; strings: comparisons of two and more, prefixes, case-insensitive ones
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show (string=? "abc" "abc") (string=? "abc" "abd") (string=? "abc" "ab") (string=? "" ""))
(show (string<? "abc" "abd") (string<? "ab" "abc") (string<? "abc" "ab") (string<? "" "a") (string<? "a" "a") (string<? "Z" "a"))
(show (string>? "b" "a") (string>? "abc" "ab") (string<=? "a" "a") (string>=? "a" "b") (string>=? "b" "b"))
(show (string=? "a" "a" "a") (string=? "a" "a" "b") (string<? "a" "b" "c") (string<? "a" "c" "b") (string<=? "a" "a" "b") (string>? "c" "b" "a") (string>=? "c" "c" "d"))
(show (string-ci=? "Hello" "hELLO") (string-ci<? "abc" "ABD") (string-ci>? "B" "a") (string-ci<=? "a" "A") (string-ci>=? "a" "B"))
