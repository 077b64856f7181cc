// Conditions that are too hard for the solver: they end by its resource limit, are counted as unknown, and what was
// found stays. No clock is involved.
#include <doctest/doctest.h>

#include "tests/symexec/finding.hpp"

using namespace espalier;
using test::Found;
using test::Names;

namespace {

Found find_hard(const std::string& text, uint32_t resources) {
    ExploreOptions options;
    options.depth = 4;
    options.solver_resources = resources;
    return test::find(text, options);
}

} // namespace

TEST_CASE("a sum of two cubes that is a cube: unknown, and the rest is found") {
    const char* const model = R"(
(define x (read)) (define y (read)) (define z (read))
(checkpoint start)
(if (and (> x 0) (> y 0) (> z 0) (= (+ (* x x x) (* y y y)) (* z z z))) (checkpoint fermat) (checkpoint other))
(checkpoint end)
)";
    const Found f = find_hard(model, 100'000);
    CHECK(f.covered == Names{"start", "other", "end"});
    CHECK(f.exploration.statistics.sat_unknown > 0);
    CHECK(f.exploration.statistics.asked_again >= f.exploration.statistics.sat_unknown);
    CHECK(f.exploration.complete);
    const Found again = find_hard(model, 100'000);
    CHECK(again.exploration.statistics.sat_unknown == f.exploration.statistics.sat_unknown);
    CHECK(again.exploration.statistics.vm_steps == f.exploration.statistics.vm_steps);
}

TEST_CASE("factoring a product of two primes: the limit is honoured") {
    const char* const model = R"(
(define p (read)) (define q (read))
(checkpoint start)
(if (and (> p 1) (> q p) (= (* p q) 1000036000099)) (checkpoint factored) (checkpoint other))
)";
    const Found f = find_hard(model, 50'000);
    CHECK(f.covered.count("start") == 1);
    CHECK(f.covered.count("other") == 1);
    CHECK(f.covered.count("factored") == 0);
    CHECK(f.exploration.statistics.sat_unknown > 0);
}

TEST_CASE("an unknown on a path does not hide what lies behind it") {
    const Found f = find_hard(R"(
(define x (read)) (define y (read)) (define z (read))
(if (= (+ (* x x x) (* y y y) (* z z z)) 42) (checkpoint forty-two) (checkpoint not))
(if (> x 5) (checkpoint more) (checkpoint less))
)",
                              50'000);
    for (const char* name : {"not", "more", "less"}) CHECK(f.covered.count(name) == 1);
}
