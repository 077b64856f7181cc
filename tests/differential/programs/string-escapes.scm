;; strings: escapes in literals, line continuation, characters outside ASCII
(display "tab[\t]") (newline)
(display "quote\" backslash\\ done") (newline)
(display "two\nlines") (newline)
(display "hex \x41; \x3bb; end") (newline)
(display (string-length "\t\n\r\a\b\\\"\x41;")) (newline)
(display (map char->integer (string->list "\a\b\t\n\r\"\\\x7f;"))) (newline)
(display "continued \
          on the next line") (newline)
(display "keeps a
newline") (newline)
(display (string-length "a\
   b")) (newline)
