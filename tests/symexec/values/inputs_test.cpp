// Inputs of every type, and every primitive that can be given one: checkpoints named `never…` must stay uncovered, all
// others are reached, and the interpreter agrees.
#include <doctest/doctest.h>

#include "tests/symexec/finding.hpp"

using namespace espalier;
using test::find_validated;
using test::Found;
using test::Names;

namespace {

void check_all_reached(const Found& f) {
    for (const std::string& name : f.missed) CHECK(name.substr(0, 5) == "never");
    for (const std::string& name : f.covered) CHECK(name.substr(0, 5) != "never");
}

} // namespace

TEST_CASE("conditions of messages inside a one-of and a list") {
    check_all_reached(find_validated(R"(
(define-message Small (n int) (where (< n 10)))
(define-message Big (n int) (m int) (where (and (> n 100) (> m n))))
(define-message Both (x (one-of Small Big)) (l (list-of Small 2)))
(define-message Ping (k int))
(define-port p in Both Ping)
(let loop ()
  (select
    ((p (Both x l))
     (checkpoint both)
     (cond ((Small? x) (checkpoint small) (if (= (Small-n x) 12) (checkpoint never1)) (if (= (Small-n x) 9) (checkpoint nine)))
           (else (checkpoint big) (if (< (Big-m x) 102) (checkpoint never2)) (if (= (Big-m x) 102) (checkpoint edge))))
     (if (pair? l)
         (begin (if (> (Small-n (car l)) 9) (checkpoint never3))
                (if (pair? (cdr l)) (if (= (Small-n (cadr l)) (+ 1 (Small-n (car l)))) (checkpoint ordered)))))
     (loop))
    ((p (Ping k)) (checkpoint ping) (loop))))
)",
                                     2));
}

TEST_CASE("a message that the model ignores still satisfies its condition") {
    const Found f = find_validated(R"(
(define-message A (n int) (where (> n 41)))
(define-message B (n int) (where (= n 7)))
(define-message M (x (one-of A B)) (k int))
(define-port p in M)
(if (= (M-k (read p)) 5) (checkpoint five))
)");
    CHECK(f.covered == Names{"five"});
}

TEST_CASE("mixed enums, nested messages, bytes and lists of lists") {
    check_all_reached(find_validated(R"(
(define-message Inner (e (enum 1 two "three" #\4 #t)) (b (bytes 2)))
(define-message M (i Inner) (l (list-of (list-of (int 0 3) 2) 2)))
(define-port p in M)
(let* ((m (read p)) (e (Inner-e (M-i m))) (b (Inner-b (M-i m))) (l (M-l m)))
  (cond ((eq? e 'two) (checkpoint two)) ((equal? e "three") (checkpoint three)) ((and (number? e) (= (+ e 1) 2)) (checkpoint one))
        ((char? e) (checkpoint four)) ((eq? e #t) (checkpoint yes)) (else (checkpoint never1)))
  (if (and (= (bytevector-length b) 2) (= (+ (bytevector-u8-ref b 0) (bytevector-u8-ref b 1)) 510)) (checkpoint bytes))
  (if (equal? l '((1 2) (3))) (checkpoint lists))
  (if (equal? l '((1 4))) (checkpoint never2)))
)"));
}

TEST_CASE("symbolic indices into constants, and symbolic keys") {
    check_all_reached(find_validated(R"(
(define-message M (i (int 0 3)) (j (int 0 3)) (s (enum a b)) (t string))
(define-port p in M)
(define table (make-hash-table))
(hash-table-set! table '(a 1) 'first)
(hash-table-set! table "key" 'second)
(let* ((m (read p)) (i (M-i m)) (j (M-j m)))
  (if (char=? (string-ref "wxyz" i) #\y) (checkpoint char))
  (if (= (vector-ref #(5 6 7 8) i) 8) (checkpoint vector))
  (if (= (bytevector-u8-ref #u8(9 8 7 6) i) 9) (checkpoint byte))
  (if (and (<= i j) (string=? (substring "wxyz" i j) "xy")) (checkpoint substring))
  (if (eq? (list-ref '(q r s t) i) 's) (checkpoint list))
  (if (eq? (hash-table-ref/default table (list (M-s m) i) 'none) 'first) (checkpoint pair))
  (if (eq? (hash-table-ref/default table (M-t m) 'none) 'second) (checkpoint key))
  (let ((v (make-vector (+ 1 0) 0)) (w (make-vector i 4))) (if (= (vector-length w) 3) (checkpoint made)))
  (if (string=? (number->string i) "2") (checkpoint text))
  (if (string=? (number->string (+ 7 (* 3 i))) "16") (checkpoint computed))
  (if (= (arithmetic-shift 1 i) 8) (checkpoint shifted))
  (if (= (bitwise-and i j) 2) (checkpoint bits))
  (if (= (bitwise-xor i j) 3) (if (= (bitwise-or i j) 3) (checkpoint xor)))
  (if (string=? (symbol->string (M-s m)) "b") (checkpoint symbol)))
)"));
}

TEST_CASE("fractions are exact") {
    check_all_reached(find_validated(R"(
(let* ((x (read)) (h (/ x 2)))
  (if (integer? h) (checkpoint even) (checkpoint odd))
  (if (= h 7/2) (checkpoint seven))
  (if (= h 1/3) (checkpoint never1))
  (if (and (> h 3) (< h 4)) (checkpoint between))
  (if (not (integer? h))
      (begin (if (= (floor h) -4) (checkpoint floor)) (if (= (ceiling h) 5) (checkpoint ceiling))
             (if (= (truncate h) -3) (checkpoint truncate)) (if (= (round h) 6) (checkpoint round))
             (if (= (denominator h) 2) (checkpoint denominator) (checkpoint never2))
             (if (= (numerator h) 9) (checkpoint numerator))
             (if (integer? (+ h 1/2)) (checkpoint whole) (checkpoint never3))
             (if (= (* 2 h) x) (checkpoint twice) (checkpoint never4)))))
)"));
    check_all_reached(find_validated(R"(
(let* ((x (read (int -20 20))) (y (read (enum -4 -3 4 6))) (q (/ x y)))
  (cond ((= q 3/4) (checkpoint quarter))
        ((equal? q -5/3) (checkpoint negative))
        ((and (not (integer? q)) (< q -4)) (checkpoint less))
        ((= (+ q q) (/ (* 2 x) y)) (checkpoint sum))
        (else (checkpoint never))))
)"));
}

TEST_CASE("square roots") {
    check_all_reached(find_validated(R"(
(let ((n (read)))
  (if (>= n 0)
      (call-with-values (lambda () (exact-integer-sqrt n))
        (lambda (r rest)
          (if (= r 12) (if (= rest 5) (checkpoint hundred-forty-nine)))
          (if (> rest (* 2 r)) (checkpoint never))))))
)"));
}

TEST_CASE("a string that the path knows is a constant") {
    check_all_reached(find_validated(R"(
(define-message M (s string))
(define-port p in M)
(let ((s (M-s (read p))))
  (if (member s '("get" "put"))
      (begin
        (if (string=? (string-append s "x") "getx") (checkpoint appended))
        (if (eq? (string->symbol s) 'put) (checkpoint symbol))
        (if (char=? (string-ref s 0) #\g) (checkpoint char))
        (if (string<? s "h") (checkpoint less))
        (if (string=? (string-upcase s) "PUT") (checkpoint upper)))))
)"));
}

TEST_CASE("bit operations with constant masks, on negative numbers too") {
    check_all_reached(find_validated(R"(
(let ((n (read)))
  (if (and (< n 0) (= (bitwise-and n 12) 8)) (checkpoint and))
  (if (= (bitwise-and n -8) -16) (checkpoint negative))
  (if (= (bitwise-or n 5) -3) (checkpoint or))
  (if (= (bitwise-xor n -1) 6) (checkpoint xor))
  (if (= (bitwise-not n) 41) (checkpoint not))
  (if (= (arithmetic-shift n 3) -24) (checkpoint left))
  (if (= (arithmetic-shift n -2) -2) (checkpoint right))
  (if (= (arithmetic-shift n 1) 7) (checkpoint never)))
)"));
}
