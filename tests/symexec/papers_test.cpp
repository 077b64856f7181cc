// Programs of the papers that this tool follows, rewritten as models, with what the papers say of them.
#include <doctest/doctest.h>

#include "tests/symexec/finding.hpp"

using namespace espalier;
using test::find_validated;
using test::Found;
using test::Names;

namespace {

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

Names names(const char* name, int count) {
    Names all;
    for (int i = 0; i < count; ++i) all.insert(numbered(name, i));
    return all;
}

// Majumdar, Xu 2009, figure 1(a): n inputs, each made 1 where it is 0; then none of them can be 0.
std::string model_of_test(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "(define " + numbered("a", i) + " (read))\n";
    for (int i = 0; i < n; ++i)
        text += "(if (= " + numbered("a", i) + " 0) (begin (checkpoint " + numbered("was", i) + ") (set! " +
                numbered("a", i) + " 1)) (checkpoint " + numbered("was-not", i) + "))\n";
    for (int i = 0; i < n; ++i)
        text += "(if (= " + numbered("a", i) + " 0) (checkpoint " + numbered("error", i) + "))\n";
    return text;
}

// Figure 1(b): the pages that are in use are counted once more, and the count is compared with the old one.
std::string model_of_free(int n) {
    const std::string size = std::to_string(n);
    std::string text = "(define pages (make-vector " + size + " 0))\n(define count (make-vector " + size +
                       " 0))\n(define old (make-vector " + size + " 0))\n";
    text += "(do ((i 0 (+ i 1))) ((= i " + size + ")) (vector-set! pages i (read)) (vector-set! count i (read)))\n";
    text += "(do ((i 0 (+ i 1))) ((= i " + size + ")) (vector-set! old i (vector-ref count i)))\n";
    for (int i = 0; i < n; ++i) {
        const std::string at = std::to_string(i);
        text.append("(if (not (= (vector-ref pages ").append(at).append(") 0)) (begin (checkpoint ");
        text.append(numbered("used", i)).append(") (vector-set! count ").append(at);
        text.append(" (+ (vector-ref count ").append(at).append(") 1))) (checkpoint ");
        text.append(numbered("unused", i)).append("))\n");
    }
    for (int i = 0; i < n; ++i) {
        const std::string at = std::to_string(i);
        text.append("(if (not (= (vector-ref pages ").append(at).append(") 0)) (assert (= (vector-ref count ");
        text.append(at).append(") (+ (vector-ref old ").append(at).append(") 1))))\n");
    }
    return text + "(checkpoint end) (if (= 0 1) (checkpoint never))\n"; // so that the search looks at every path
}

} // namespace

TEST_CASE("Majumdar and Xu, test: 2n of the branches can be taken, no error can be reached") {
    for (int n = 2; n <= 8; ++n) {
        CAPTURE(n);
        const Found f = find_validated(model_of_test(n), static_cast<uint32_t>(n) + 1);
        Names expected = names("was", n);
        expected.merge(names("was-not", n));
        CHECK(f.covered == expected);
        CHECK(f.missed == names("error", n));
        CHECK(f.exploration.complete);
        CHECK(f.exploration.statistics.paths == uint64_t{1} << n); // all of them: none is pruned yet
        CHECK(f.exploration.statistics.sat_unknown == 0);
    }
}

TEST_CASE("Majumdar and Xu, free: the assertion holds on all 2^n paths") {
    for (int n = 2; n <= 8; ++n) {
        CAPTURE(n);
        const Found f = find_validated(model_of_free(n), 2 * static_cast<uint32_t>(n) + 1);
        Names expected = names("used", n);
        expected.merge(names("unused", n));
        expected.insert("end");
        CHECK(f.covered == expected);
        CHECK(f.exploration.errors.empty());
        CHECK(f.exploration.statistics.paths == uint64_t{1} << n);
    }
}

// Jaffar, Murali, Navas 2013, running example: two inputs each add one or two to a sum that never exceeds what the bug
// asks for.
TEST_CASE("Jaffar, Murali, Navas: the bug is not reachable") {
    const Found f = find_validated(R"(
(define s 0)
(if (> (read) 0) (begin (checkpoint first-one) (set! s (+ s 1))) (begin (checkpoint first-two) (set! s (+ s 2))))
(if (> (read) 0) (begin (checkpoint second-one) (set! s (+ s 1))) (begin (checkpoint second-two) (set! s (+ s 2))))
(if (> s 4) (checkpoint bug) (checkpoint no-bug))
)");
    CHECK(f.covered == Names{"first-one", "first-two", "second-one", "second-two", "no-bug"});
    CHECK(f.missed == Names{"bug"});
    CHECK(f.exploration.complete);
    CHECK(f.exploration.statistics.paths == 4);
}

// Su, Fu, Pu, He, Su 2015, figure 1, `power`: x to the power of |y|, its reciprocal for y < 0. The definition res = 1
// reaches the use in the reciprocal only where the loop does not run, and then y is not negative: that pair of theirs
// is infeasible, the one with the plain result is not.
TEST_CASE("Su and others, power: one pair of definition and use is feasible, one is not") {
    const Found f = find_validated(R"(
(define (power x y)
  (let loop ((n (if (> y 0) (begin (checkpoint positive) y) (begin (checkpoint not-positive) (- y)))) (res 1) (first #t))
    (cond ((not (= n 0)) (checkpoint loop) (loop (- n 1) (* res x) #f))
          ((< y 0)
           (if first (checkpoint reciprocal-of-one) (checkpoint reciprocal))
           (if (= res 0) (begin (checkpoint division-by-zero) 0) (/ 1 res)))
          (else (if first (checkpoint one) (checkpoint product)) res))))
(define x (read (int -9 9)))
(define y (read (int -4 4)))
(if (= (power x y) 1/8) (checkpoint eighth))
)");
    CHECK(f.covered ==
          Names{"positive", "not-positive", "loop", "reciprocal", "division-by-zero", "one", "product", "eighth"});
    CHECK(f.missed == Names{"reciprocal-of-one"});
}
