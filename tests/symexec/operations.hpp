// Expressions over inputs, for comparing the symbolic executor with the interpreter: every primitive and every
// procedure of the prelude stands in one of them (operations_test.cpp sees to that).
//
// The operands x, y, z are of these kinds, one letter each in `operands`:
//
//   n number   i integer   s string   c character   y symbol   b boolean   a anything
//   l list     v vector    w bytevector   t hash table
//
// Results are data that can be written down: what is mutable is turned into a list.
#pragma once

#include <vector>

namespace espalier::test {

struct Row {
    const char* expression;
    const char* operands;
};

inline const std::vector<Row>& rows() {
    static const std::vector<Row> all = {
        // Identity and type. Strings and numbers that are not small have an identity of their own: not with eq?.
        {"(equal? x y)", "aa"},
        {"(list (eq? x x) (eqv? x y))", "iy"},
        {"(list (eq? x y) (eqv? x 'ab))", "yy"},
        {"(eqv? x y)", "nn"},
        {"(eq? x y)", "bb"},
        {"(not x)", "a"},
        {"(list (boolean? x) (symbol? x) (char? x) (string? x) (pair? x) (null? x))", "a"},
        {"(list (vector? x) (bytevector? x) (procedure? x) (hash-table? x) (number? x) (integer? x))", "a"},
        {"(list (complex? x) (real? x) (rational? x) (exact-integer? x) (list? x))", "a"},
        {"(list (exact? x) (inexact? x) (exact x))", "n"},
        {"(boolean=? x y)", "bb"},
        {"(symbol=? x y)", "yy"},
        {"(if x (if y 1 2) 3)", "ab"},

        // Numbers
        {"(+ x y)", "nn"},
        {"(+ x y z 1)", "iii"},
        {"(- x y)", "nn"},
        {"(- (- x) y 1)", "ii"},
        {"(* x y)", "nn"},
        {"(* x y x)", "ii"},
        {"(/ x y)", "nn"},
        {"(/ x)", "n"},
        {"(list (= x y) (< x y))", "nn"},
        {"(list (> x y) (<= x y) (>= x y))", "nn"},
        {"(list (= x y z) (< x y z) (<= x y z))", "iii"},
        {"(list (zero? x) (positive? x) (negative? x))", "n"},
        {"(list (even? x) (odd? x))", "i"},
        {"(list (abs x) (square x))", "n"},
        {"(list (max x y) (min x y))", "nn"},
        {"(quotient x y)", "ii"},
        {"(remainder x y)", "ii"},
        {"(modulo x y)", "ii"},
        {"(floor-quotient x y)", "ii"},
        {"(list (truncate-quotient x y) (truncate-remainder x y) (floor-remainder x y))", "ii"},
        {"(call-with-values (lambda () (floor/ x y)) list)", "ii"},
        {"(call-with-values (lambda () (truncate/ x y)) cons)", "ii"},
        {"(list (numerator x) (denominator x))", "n"},
        {"(let ((q (/ x y))) (list (numerator q) (denominator q)))", "ii"},
        {"(list (floor x) (ceiling x) (truncate x) (round x))", "n"},
        {"(list (gcd x y) (lcm x y))", "ii"},
        {"(call-with-values (lambda () (exact-integer-sqrt x)) list)", "i"},
        {"(expt x y)", "ni"},
        {"(rationalize x 1/3)", "n"},
        {"(bitwise-and x y)", "ii"},
        {"(bitwise-or x y)", "ii"},
        {"(bitwise-xor x y)", "ii"},
        {"(bitwise-xor (bitwise-xor x y) y)", "ii"},
        {"(list (bitwise-and x y 3) (bitwise-not x))", "ii"},
        {"(bitwise-or (bitwise-and x y) (bitwise-xor (- y 1) z))", "iii"},
        {"(bitwise-and (bitwise-not (bitwise-xor x y)) (bitwise-or x (* 3 y)) 6)", "ii"},
        {"(arithmetic-shift x y)", "ii"},
        {"(number->string x)", "n"},
        {"(number->string x (+ y 2))", "ii"},
        {"(string->number x)", "s"},
        {"(string->number \"11\" x)", "i"},
        {"(string->number x (* y 5))", "si"},

        // Pairs and lists
        {"(cons x y)", "aa"},
        {"(list (car x) (cdr x))", "l"},
        {"(list (caar x) (cadr x) (cdar x) (cddr x) (caddr x) (cdddr x) (cadddr x) (cddddr x))", "l"},
        {"(let ((d (list (list (list (list x) x)) x x x x x))) (list (caaaar d) (caaadr (list 0 d)) (caaar d) (caadr "
         "(list 0 d)) (cdaar d) (cdaaar d)))",
         "i"},
        {"(let ((d (list 0 (list (list x 1) (list 2 x) 3) (list x 4) (list 5)))) (list (caadr d) (cdadr d) (cadadr d) "
         "(cddadr d) (caaddr d) (cdaddr d) (cdaadr d) (cadar (list (cadr d))) (cddar (list d)) (caadar (list d)) "
         "(cdadar (list d)) (caddar (list d)) (cdddar (list d)) (cadaar (list (list d))) (cddaar (list (list d)))))",
         "i"},
        {"(list x y)", "aa"},
        {"(length x)", "l"},
        {"(reverse x)", "l"},
        {"(append x y)", "ll"},
        {"(append x y x)", "ll"},
        {"(list-tail x y)", "li"},
        {"(list-ref x y)", "li"},
        {"(list-copy x)", "l"},
        {"(make-list x y)", "ia"},
        {"(iota x y)", "in"},
        {"(list (memq x '(a ab 1 2)) (memv x '(1 ab 0)))", "y"},
        {"(memv x (list 1 y 0))", "in"},
        {"(member x y)", "al"},
        {"(member x y (lambda (a b) (equal? a b)))", "sl"},
        {"(assq x '((ab . 1) (b . 2)))", "y"},
        {"(assv x (list (cons y 1) (cons 0 2)))", "ii"},
        {"(assoc x (list (cons y 1) (cons \"c\" 2)))", "ss"},
        {"(map (lambda (a) (cons a y)) x)", "li"},
        {"(map list x y)", "ll"},
        {"(let ((n 0)) (for-each (lambda (a) (set! n (cons a n))) x) n)", "l"},
        {"(filter (lambda (a) (equal? a y)) x)", "la"},
        {"(delete y x)", "la"},
        {"(fold-left cons y x)", "li"},
        {"(fold-right cons y x)", "li"},
        {"(reduce + y x)", "li"},
        {"(list (find string? x) (exists string? x) (for-all number? x) (list-index number? x))", "l"},
        {"(apply + x)", "l"},
        {"(apply string-append x)", "l"},
        {"(apply max 1 x)", "l"},
        {"(call-with-values (lambda () (apply values x)) list)", "l"},
        {"(let-values (((a b) (values x y))) (list b a))", "ii"},

        // Symbols and characters
        {"(symbol->string x)", "y"},
        {"(string->symbol x)", "s"},
        {"(char->integer x)", "c"},
        {"(integer->char x)", "i"},
        {"(integer->char (+ x 55295 y))", "ii"},
        {"(list (char-upcase x) (char-downcase x) (char-foldcase x))", "c"},
        {"(list (char-alphabetic? x) (char-numeric? x) (char-whitespace? x) (char-upper-case? x))", "c"},
        {"(list (char-lower-case? x) (digit-value x))", "c"},
        {"(list (char=? x y) (char<? x y) (char>? x y) (char<=? x y) (char>=? x y))", "cc"},
        {"(list (char-ci=? x y) (char-ci<? x y) (char-ci>? x y) (char-ci<=? x y) (char-ci>=? x y))", "cc"},

        // Strings
        {"(string-length x)", "s"},
        {"(string-ref x y)", "si"},
        {"(substring x y z)", "sii"},
        {"(string-copy x)", "s"},
        {"(string-copy x y)", "si"},
        {"(string-append x y)", "ss"},
        {"(string-append x y x)", "ss"},
        {"(string-length (string-append x y))", "ss"},
        {"(string x y)", "cc"},
        {"(make-string x)", "i"},
        {"(make-string x y)", "ic"},
        {"(list->string x)", "l"},
        {"(list->string (list x #\\space y))", "cc"},
        {"(string=? x y)", "ss"},
        {"(string<? x y)", "ss"},
        {"(list (string>? x y) (string<=? x y))", "ss"},
        {"(string>=? x y)", "ss"},
        {"(list (string=? x y z) (string<? x y z))", "sss"},
        {"(list (string-ci=? x y) (string-ci<? x y) (string-ci>? x y) (string-ci<=? x y) (string-ci>=? x y))", "ss"},
        {"(list (string-upcase x) (string-downcase x) (string-foldcase x))", "s"},
        {"(string->list x)", "s"},
        {"(string->list x y)", "si"},
        {"(vector->list (string->vector x))", "s"},
        {"(string-map char-upcase x)", "s"},
        {"(string-map (lambda (a b) (if (char<? a b) a b)) x y)", "ss"},
        {"(let ((n '())) (string-for-each (lambda (c) (set! n (cons c n))) x) n)", "s"},
        {"(let ((b (string->utf8 x))) (list (bytevector-length b) (utf8->string b)))", "s"},
        {"(utf8->string x y z)", "wii"},

        // Vectors and bytevectors
        {"(vector->list (vector x y x))", "aa"},
        {"(vector->list (make-vector x y))", "ia"},
        {"(vector-length (make-vector x))", "i"},
        {"(vector-length x)", "v"},
        {"(vector-ref x y)", "vi"},
        {"(vector-ref '#(10 20 30) x)", "i"},
        {"(begin (vector-set! x y z) (vector->list x))", "via"},
        {"(vector->list (list->vector x))", "l"},
        {"(vector->list x y)", "vi"},
        {"(vector->string (vector y x))", "cc"},
        {"(vector->list (vector-map list x (vector 1 y)))", "vi"},
        {"(let ((n 0)) (vector-for-each (lambda (a) (set! n (cons a n))) x) n)", "v"},
        {"(begin (vector-fill! x y z) (vector->list x))", "vai"},
        {"(vector->list (vector-copy x y))", "vi"},
        {"(let ((to (vector 1 2 3))) (vector-copy! to y x) (vector->list to))", "vi"},
        {"(vector->list (vector-append x y))", "vv"},
        {"(let ((b (make-bytevector x y))) (list (bytevector-length b) (if (> (bytevector-length b) 0) "
         "(bytevector-u8-ref b 0) 'empty)))",
         "ii"},
        {"(bytevector-length x)", "w"},
        {"(bytevector-u8-ref x y)", "wi"},
        {"(begin (bytevector-u8-set! x y z) (bytevector-u8-ref x y))", "wii"},
        {"(let ((b (bytevector x y))) (list (bytevector-u8-ref b 0) (bytevector-u8-ref b 1)))", "ii"},
        {"(bytevector-length (bytevector-append x (bytevector-copy x y)))", "wi"},
        {"(let ((to (bytevector 1 2 3))) (bytevector-copy! to y x) (bytevector-u8-ref to 1))", "wi"},

        // Hash tables
        {"(hash-table-ref/default x y z)", "tai"},
        {"(begin (hash-table-set! x y z) (hash-table->alist x))", "tai"},
        {"(begin (hash-table-delete! x y) (list (hash-table-keys x) (hash-table-values x)))", "ta"},
        {"(list (hash-table-contains? x y) (hash-table-count x))", "ta"},
        {"(begin (hash-table-clear! x) (hash-table-count x))", "t"},
        {"(hash-table-ref x y)", "ta"},
        {"(begin (hash-table-update! x y (lambda (v) (cons z v)) (lambda () 'new)) (hash-table->alist x))", "tii"},
        {"(begin (hash-table-update!/default x y (lambda (v) (cons v 1)) z) (hash-table->alist x))", "tii"},
        {"(hash-table->alist (alist->hash-table (list (cons x 1) (cons y 2))))", "ss"},
        {"(hash-table->alist (alist->hash-table (list (cons (string-append x y) 1) (cons \"abc\" 2))))", "ss"},
        {"(let ((n 0)) (hash-table-walk x (lambda (k v) (set! n (list k v n)))) n)", "t"},

        // Giving up
        {"(if (equal? x y) (error \"both are\" x) 'fine)", "sa"},
    };
    return all;
}

} // namespace espalier::test
