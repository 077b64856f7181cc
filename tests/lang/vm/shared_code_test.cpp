// Runs that share compiled code: each behaves as one with code of its own, and later ones compile nothing.
#include <doctest/doctest.h>

#include "tests/lang/running.hpp"

using namespace espalier;

namespace {

// What one run after the other says: what it writes, and how it ends.
class Runs : public Listener {
public:
    explicit Runs(const std::string& text) : model_(compile_text(text)), shared_(*model_.program) {}

    std::string shared(int64_t input) {
        Interpreter run(shared_, *this);
        return said(run, input);
    }
    std::string alone(int64_t input) {
        Interpreter run(*model_.program, *this);
        return said(run, input);
    }
    uint64_t translations() const { return shared_.translations(); }

    void output(PortId, Value value) override { said_ += to_text(*model_.program, value) + " "; }

private:
    std::string said(Interpreter& run, int64_t input) {
        said_.clear();
        Status status = run.start();
        if (status == Status::stable) status = run.deliver(PortId{0}, Value::fixnum(input));
        return said_ + toString(status).c_str() + (run.error() ? ": " + run.error()->text : "");
    }

    Model model_;
    CompiledProgram shared_;
    std::string said_;
};

} // namespace

TEST_CASE("later runs compile nothing") {
    Runs runs("(define limit 10) (define names (list 'a 'b)) (define-channel c)"
              "(define (twice x) (* 2 x)) (define (small? x) (< x limit))"
              "(define (go n) (send c n) (write (car names)) (if (small? n) (twice (receive c)) (receive c)))"
              "(write (go (read)))");
    CHECK(runs.shared(3) == "a 6 finished");
    CHECK(runs.shared(11) == "a 11 finished");
    const uint64_t before = runs.translations();
    for (int64_t n = 0; n < 200; ++n) REQUIRE(runs.shared(n) == runs.alone(n));
    CHECK(runs.translations() == before);
}

TEST_CASE("a global that another run gives another value, or defines later, is looked at again") {
    // `n` is a constant of each run; `late` is defined before `use` is called where the input is not 1. A procedure
    // that captures nothing is the same in all runs, one that captures is not.
    Runs runs("(define n (read)) (define (use) (+ n late)) (define (call) (f))"
              "(if (= n 1) (write (use))) (define late (* n 100)) (write (use))"
              "(define f (if (even? n) (lambda () 'even) (let ((m (* n n))) (lambda () m)))) (write (call))");
    for (int round = 0; round < 3; ++round)
        for (const int64_t n : {0, 1, 2, 3, 1, 1, 4, 5}) {
            CAPTURE(n);
            CHECK(runs.shared(n) == runs.alone(n));
        }
    CHECK(runs.shared(1) == "model_error: late is used before its definition");
    const uint64_t before = runs.translations();
    for (int64_t n = 0; n < 100; ++n) REQUIRE(runs.shared(n) == runs.alone(n));
    CHECK(runs.translations() == before);
}

TEST_CASE("errors of a later run have their place") {
    Runs runs("(define (fail x) (if (= x 2) (car x) (vector-ref (vector 1) x))) (write (fail (read)))");
    for (const int64_t n : {0, 1, 2, 0, 2}) CHECK(runs.shared(n) == runs.alone(n));
    CHECK(runs.shared(2) == "model_error: car: 2 is not a pair");
}
