// What a path determines is a constant, and what has few values on it is each of them.
#include "tests/symexec/finding.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

Names covered(const std::string& text) { return find_validated(text).covered; }

// Why paths were not followed.
Names reasons(const std::string& text) {
    Names all;
    for (const auto& [why, times] : find(text).exploration.unsupported) all.insert(why);
    return all;
}

} // namespace

TEST_CASE("an integer that the path determines is a constant") {
    CHECK(covered(R"(
(define n (read int))
(when (= n 42)
  (if (string=? (number->string n) "42") (checkpoint text) (checkpoint never))
  (if (= (arithmetic-shift 1 (- n 40)) 4) (checkpoint shift) (checkpoint never-2))
  (if (= (vector-length (make-vector n 0)) 42) (checkpoint vector) (checkpoint never-3))
  (if (char=? (integer->char n) #\*) (checkpoint character) (checkpoint never-4))))") ==
          Names{"text", "shift", "vector", "character"});
}

TEST_CASE("so is one that its neighbours leave, or that only the solver knows") {
    CHECK(covered(R"(
(define n (read int))
(when (and (> n 41) (< n 43)) (if (string=? (number->string n) "42") (checkpoint between) (checkpoint never))))") ==
          Names{"between"});
    CHECK(covered(R"(
(define x (read int))
(define y (read int))
(when (and (= (+ x y) 10) (= (- x y) 4))
  (if (string=? (number->string x) "7") (checkpoint both) (checkpoint never))))") == Names{"both"});
    CHECK(covered(R"(
(define x (read (int 0 1000)))
(when (= (* x x) 144) (if (string=? (number->string x) "12") (checkpoint root) (checkpoint never))))") ==
          Names{"root"});
}

TEST_CASE("a string that is equal to a known one is known") {
    CHECK(covered(R"(
(define s (read string))
(define t (read string))
(when (and (string=? s t) (string=? t "ab"))
  (if (string=? (string-append s "c") "abc") (checkpoint whole) (checkpoint never))))") == Names{"whole"});
    CHECK(covered(R"(
(define s (read string))
(define t (read (enum "ab" "c")))
(when (string=? s t)
  (let ((u (string-append s t)))
    (cond ((string=? u "abab") (checkpoint ab)) ((string=? u "cc") (checkpoint c)) (else (checkpoint never))))))") ==
          Names{"ab", "c"});
}

TEST_CASE("few values on a path are each followed") {
    CHECK(covered(R"(
(define n (read int))
(assume (<= 3 n 5))
(let ((text (number->string n)))
  (cond ((string=? text "3") (checkpoint three))
        ((string=? text "4") (checkpoint four))
        ((string=? text "5") (checkpoint five))
        (else (checkpoint never)))))") == Names{"three", "four", "five"});
    CHECK(covered(R"(
(define s (read string))
(assume (<= 2 (string-length s) 3))
(let ((v (make-vector (string-length s) 0)))
  (cond ((= (vector-length v) 2) (checkpoint two))
        ((= (vector-length v) 3) (checkpoint three))
        (else (checkpoint never)))))") == Names{"two", "three"});
}

TEST_CASE("many are not, and are named") {
    CHECK(reasons("(write (number->string (read int))) (checkpoint c)") == Names{"number->string of a symbolic value"});
    CHECK(reasons("(define n (read int)) (assume (<= 0 n 256)) (write (number->string n)) (checkpoint c)") ==
          Names{"number->string of a symbolic value"});
    CHECK(reasons("(write (bitwise-xor (read int) (read (int 0 65535)))) (checkpoint c)") ==
          Names{"a bit operation on two symbolic integers, one without bounds and both of more than 256 values"});
    CHECK(reasons("(define-type wide (int 0 65535)) (write (bitwise-xor (read wide) (read wide))) (checkpoint c)") ==
          Names{});
}

TEST_CASE("bits of two bytes, one of which the path knows by then") {
    CHECK(covered(R"(
(define a (read (int 0 255)))
(define b (read (int 0 255)))
(let ((c (bitwise-xor (bitwise-xor a b) b)))
  (cond ((not (= c a)) (checkpoint never)) ((= c 77) (checkpoint some)))))") == Names{"some"});
}

TEST_CASE("a fraction of two inputs in lowest terms") {
    CHECK(covered(R"(
(define x (read int))
(define y (read (int 1 12)))
(let ((q (/ x y)))
  (if (and (= (numerator q) 5) (= (denominator q) 4) (= y 12)) (checkpoint fifteen))
  (if (and (= (denominator q) 5) (= y 12)) (checkpoint never))))") == Names{"fifteen"});
}

TEST_CASE("bytes that the path knows are text") {
    CHECK(covered(R"(
(define b (read (bytes 2)))
(assume (= (bytevector-length b) 2))
(assume (= (bytevector-u8-ref b 0) 65))
(assume (<= 66 (bytevector-u8-ref b 1) 67))
(let ((s (utf8->string b)))
  (cond ((string=? s "AB") (checkpoint ab)) ((string=? s "AC") (checkpoint ac)) (else (checkpoint never)))))") ==
          Names{"ab", "ac"});
}

TEST_CASE("a mistake about an input's kind is one mistake, whatever its value") {
    const Found f = find("(define n (read (int 0 9))) (write (string-length n)) (checkpoint c)");
    REQUIRE(f.exploration.errors.size() == 1);
    CHECK(f.exploration.errors[0].text == "string-length: an input value is not a string");
    CHECK(f.exploration.unsupported.empty());
}

TEST_CASE("an operation on two inputs asks for the value of each, also where the path knows the first by then") {
    const std::string two = "(define s (read (enum \"ab\" \"c\"))) (define t (read (enum \"ab\" \"c\")))";
    CHECK(covered(two + "(if (string<? s t) (checkpoint less) (checkpoint not-less))") == Names{"less", "not-less"});
    CHECK(covered(two + R"(
(let ((u (string-append s t)))
  (cond ((string=? u "abab") (checkpoint abab)) ((string=? u "abc") (checkpoint abc))
        ((string=? u "cab") (checkpoint cab)) ((string=? u "cc") (checkpoint cc)) (else (checkpoint never)))))") ==
          Names{"abab", "abc", "cab", "cc"});
    CHECK(covered(two + R"(
(let ((n (length (string->list s))))
  (cond ((= n 1) (checkpoint one)) ((= n 2) (checkpoint two)) (else (checkpoint never)))))") == Names{"one", "two"});
}
