;; display: strings and characters appear raw, without escapes
(display "back\\slash and \"quotes\"") (newline)
(display #\") (display #\\) (display #\space) (display #\x) (newline)
(display "") (newline)
(display (list "" "" "x")) (newline)
(display '("a" "b")) (display '(#\a #\b)) (newline)
(display "line one
line two") (newline)
(display (string #\a #\tab #\b)) (newline)
(display '|symbol with blanks|) (display '(|x y| z)) (newline)
