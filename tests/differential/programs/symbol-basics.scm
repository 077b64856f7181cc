;; symbols: conversion, comparison, case
(define (show . xs) (for-each (lambda (x) (display x) (display " ")) xs) (newline))
(show 'abc 'ABC 'with-dashes 'a.b 'a->b '<=? '!x '$y '%z '&w '*v* '/u ':t '~s '^r '_q)
(show (symbol->string 'hello) (string->symbol "hello") (string-length (symbol->string 'hello)))
(show (eq? 'abc 'abc) (eq? 'abc 'ABC) (eq? 'abc (string->symbol "abc")) (eqv? 'a 'b) (equal? 'a 'a))
(show (symbol? 'a) (symbol? "a") (symbol? #\a) (symbol? '()) (symbol? #t) (symbol? (car '(a b))))
(show (symbol=? 'a 'a) (symbol=? 'a 'b) (symbol=? 'a 'a 'a) (symbol=? 'a 'a 'b))
(show (string->symbol (string-append "a" "b")) (eq? (string->symbol "ab") 'ab))
(show (map symbol->string '(x y z)) (map string->symbol '("p" "q")))
