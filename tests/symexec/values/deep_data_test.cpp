// Data nested so deep that recursion on it would end the process, and data that contain themselves: every operation
// that the machine has for symbolic values, on both.
#include <doctest/doctest.h>

#include <string>

#include "symexec/symexec.hpp"

using namespace espalier;

namespace {

// Are all checkpoints reached that have no `never` in their name, and no others?
void check_reached(const std::string& text) {
    CAPTURE(text);
    const std::string deep = "(define (deep n x) (if (= n 0) x (deep (- n 1) (list x)))) (define n 200000)";
    const Model model = compile_text(deep + text);
    REQUIRE(model.program.has_value());
    ExploreOptions options;
    options.quiet_step_limit = 10'000'000;
    const Exploration found = explore(*model.program, options);
    CHECK(found.unsupported.empty());
    CHECK(found.errors.empty());
    for (size_t i = 0; i < found.covered.size(); ++i) {
        CAPTURE(model.program->targets[i].name);
        CHECK(found.covered[i] == (model.program->targets[i].name.find("never") == std::string::npos));
    }
}

} // namespace

TEST_CASE("data that are nested deeply") {
    check_reached("(define x (read)) (define y (read))"
                  "(if (equal? (deep n x) (deep n y)) (checkpoint same) (checkpoint other))");
    check_reached("(define x (read)) (if (equal? (deep n x) (deep (+ n 1) 5)) (checkpoint never))");
    check_reached("(define h (make-hash-table)) (define x (read)) (define y (read))"
                  "(hash-table-set! h (deep n x) 1)"
                  "(if (hash-table-contains? h (deep n y)) (checkpoint same) (checkpoint other))");
    check_reached("(define f (fresh int)) (write (deep n f)) (if (= (read) f) (checkpoint same) (checkpoint other))");
    check_reached("(define x (read)) (define v (deep n x)) (write v) (read) (checkpoint there)"
                  "(if (equal? v (deep n 7)) (checkpoint seven))");
}

TEST_CASE("inputs that are long") {
    check_reached("(define-message M (items (list-of bool 30000))) (define-port p in M)"
                  "(if (= (length (M-items (read p))) 30000) (checkpoint full))");
}

TEST_CASE("vectors that contain themselves") {
    check_reached("(define (ring x) (let ((v (vector x 0))) (vector-set! v 1 v) v))"
                  "(define a (ring (read))) (define b (ring (read)))"
                  "(if (equal? a b) (checkpoint same) (checkpoint other))"
                  "(if (equal? (ring 1) (ring 2)) (checkpoint never))");
}

TEST_CASE("parts that are shared so often that they would be a tree of any size") {
    check_reached(
        "(define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x))))"
        "(define f (fresh int)) (write (cons f (twice 200 'a))) (define x (read)) (define h (make-hash-table))"
        "(hash-table-set! h (twice 200 'a) x)"
        "(if (= x f) (checkpoint same) (checkpoint other))"
        "(define y (read))"
        "(if (equal? (twice 200 y) (twice 200 5)) (checkpoint five) (checkpoint others))");
}
