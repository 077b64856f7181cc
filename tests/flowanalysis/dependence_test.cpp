// A block is looked at again when something grows that it saw under another name: what was learnt there once may not
// hold any more. In each model the number or the record comes to the procedure later than the first ones do.
#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;

namespace {

// Some way for a value to go before it arrives.
const std::string later = R"(
    (define (h3 x) (let ((y x)) y))
    (define (h2 x) (let ((y (h3 x))) y))
    (define (h1 x) (let ((y (h2 x))) y))
)";

} // namespace

TEST_CASE("a condition that was put into a pair tells of the variable that it asked") {
    CHECK(unreachable(later + R"(
        (define (f n other)
          (let ((q (cons (> n 3) 0)))
            (if other (write 1))
            (if (car q)
                (cond ((= n 7) (checkpoint seven)) ((= n 2) (checkpoint two)) (else (checkpoint other))))))
        (define (loop i other)
          (f i other)
          (if (< i 7) (loop (+ (h1 i) 2) other)))
        (loop 1 (= (read int) 2))
    )") == Names{"two"});
}

TEST_CASE("a record that is written under another name") {
    CHECK(unreachable(later + R"(
        (define-record-type r (make-r x) r? (x r-x set-r-x!))
        (define r1 (make-r 0))
        (define r2 (make-r 0))
        (define (f a b q)
          (set-r-x! a 1)
          (if q (set-r-x! b 2))
          (cond ((= (r-x a) 1) (checkpoint one)) ((= (r-x a) 2) (checkpoint two)) (else (checkpoint three))))
        (define (loop a b q i)
          (f a b q)
          (if (< i 1) (loop (h1 b) b q (+ i 1))))
        (loop r1 r2 (= (read int) 7) 0)
    )") == Names{}); // three as well: updates are weak
}

TEST_CASE("a value that is read again after two ways met") {
    CHECK(unreachable(later + R"(
        (define g 0)
        (define (f n q)
          (if q (set! g n) (set! g (+ n 10)))
          (if (= g 3) (checkpoint three))
          (if (= g 13) (checkpoint thirteen))
          (if (= g 23) (checkpoint more)))
        (define (loop i q)
          (f i q)
          (if (< i 3) (loop (+ (h1 i) 1) q)))
        (loop 1 (= (read int) 2))
    )") == Names{"more"});
}

TEST_CASE("clauses that refuse one after the other, more than are believed one by one") {
    std::string clauses;
    for (int i = 0; i < 100; ++i)
        clauses += "((p (Go a)) (where (= a " + std::to_string(i) + ")) (checkpoint c" + std::to_string(i) + "))\n";
    const std::string start = "(define-message Go (a (int 0 98)))\n(define-port p in Go)\n(let loop () (select\n";
    CHECK(unreachable(start + clauses + ") (loop))") == Names{"c99"});
    // What always accepts leaves nothing to those behind it, while they are few.
    const std::string always = "((p (Go a)) (where (>= a 0)) (checkpoint all))\n";
    CHECK(unreachable(start + "((p (Go a)) (where (= a 5)) (checkpoint five))\n" + always +
                      "((p (Go a)) (checkpoint behind))) (loop))") == Names{"behind"});
}
