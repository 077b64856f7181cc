// The values of tests: small, natural, distinct where the path allows; the same however the path was found, and cheap.
#include <doctest/doctest.h>

#include "tests/symexec/finding.hpp"

using namespace espalier;
using test::find_validated;
using test::Found;

namespace {

std::string inputs_for(const Found& f, const std::string& checkpoint) {
    for (const FoundTest& t : f.exploration.tests)
        for (TargetId id : t.targets)
            if (f.model.program->targets[index(id)].name == checkpoint) return test::inputs_of(*f.model.program, t);
    return "no test";
}

} // namespace

TEST_CASE("free inputs are small and distinct, and the path decides first") {
    const Found f = find_validated(R"(
(define-message M (a int) (b int) (c (int 5 6)) (d (int 5 6)) (e (int 5 6)) (f bool) (g (enum x y)) (s string) (t string))
(define-port p in M)
(let* ((m (read p)) (a (M-a m)) (b (M-b m)) (s (M-s m)) (t (M-t m)))
  (cond ((= b 0) (checkpoint zero))
        ((= a b) (checkpoint same))
        ((< a b 0) (checkpoint negative))
        ((and (> a 1000) (M-f m)) (checkpoint large))
        ((and (string=? s t) (not (string=? s "a"))) (checkpoint text))
        ((and (> (string-length s) 2) (string=? t "")) (checkpoint long))
        (else (checkpoint any))))
)");
    CHECK(inputs_for(f, "zero") == "(M 1 0 5 6 5 #f x \"a\" \"b\")\n");
    CHECK(inputs_for(f, "same") == "(M 1 1 5 6 5 #f x \"a\" \"b\")\n");
    CHECK(inputs_for(f, "negative") == "(M -2 -1 5 6 5 #f x \"a\" \"b\")\n");
    // Found first on the path where a < b, and a > 1000: `and` and `<` of three decide one thing after the other.
    CHECK(inputs_for(f, "large") == "(M 1001 1002 5 6 5 #t x \"a\" \"b\")\n");
    CHECK(inputs_for(f, "text") == "(M 1001 1002 5 6 5 #f x \"b\" \"b\")\n");
    CHECK(inputs_for(f, "long") == "(M 1001 1002 5 6 5 #f x \"aaa\" \"\")\n");
    CHECK(inputs_for(f, "any") == "(M 1001 1002 5 6 5 #f x \"a\" \"a\")\n"); // equal, and not other than "a"
}

TEST_CASE("the same path has the same values, whatever the order of the search and the chain") {
    const std::string text = R"(
(define-message A (x int) (y (int -3 12)) (s string))
(define-message B (k (enum u v w)) (x int))
(define-port p in A B)
(let loop ((n 0) (last "") (turn 0))
  (if (< turn 2)
      (select
        ((p (A x y s))
         (cond ((> (+ x y) (* 3 n)) (checkpoint c1)) ((string=? s last) (checkpoint c2)) (else (checkpoint c3)))
         (if (and (= (modulo x 4) 3) (not (= y n))) (checkpoint c4))
         (loop (+ n y) s (+ turn 1)))
        ((p (B k x))
         (if (eq? k 'w) (checkpoint c5) (if (< x n) (checkpoint c6)))
         (loop (+ n x) last (+ turn 1))))
      (begin (if (= n 17) (checkpoint c7)) (if (string=? last "end") (checkpoint c8)))))
)";
    std::map<std::string, std::string> values; // by signature
    size_t compared = 0;
    for (Search search : {Search::dfs, Search::bfs, Search::random})
        for (const char* chain : {"all", "z3", "independence,z3", "cache,z3"})
            for (uint64_t seed = 0; seed < (search == Search::random ? 4 : 1); ++seed) {
                ExploreOptions options;
                options.depth = 3;
                options.search = search;
                options.seed = seed;
                options.chain = parse_solver_chain(chain);
                const Found f = test::find(text, options);
                CHECK(f.missed.empty());
                for (const FoundTest& t : f.exploration.tests) {
                    const std::string inputs = test::inputs_of(*f.model.program, t);
                    const auto [at, is_new] = values.emplace(to_text(t.signature), inputs);
                    CHECK(at->second == inputs);
                    compared += is_new ? 0 : 1;
                }
            }
    CHECK(compared > 20);
}

TEST_CASE("few questions for a test") {
    const Found f = find_validated(R"(
(define-message M (a int) (b int) (c int) (d int) (e (int 0 1000000)) (s string))
(define-port p in M)
(let loop ((i 0))
  (let ((m (read p)))
    (if (and (> (M-a m) 123456) (< (M-b m) (M-c m)) (not (string=? (M-s m) "x")))
        (if (= i 9) (checkpoint end) (loop (+ i 1))))))
)",
                                   12);
    REQUIRE(f.exploration.tests.size() == 1);
    // Ten messages with six fields: one question for each that conditions speak of, one to see whether it is forced,
    // and about twenty for each a, which must be looked for.
    CHECK(f.exploration.statistics.sat_queries < 500);
    CHECK(f.exploration.statistics.z3_queries < 200);
    MESSAGE("60 inputs: " << f.exploration.statistics.sat_queries << " questions, "
                          << f.exploration.statistics.z3_queries << " of them for Z3");
}

TEST_CASE("values are chosen for the tests that are needed, and are the same whatever else was found") {
    std::string text = "(define-message Say (n (int 0 99))) (define-port p in Say)";
    for (int i = 0; i < 20; ++i)
        text += "(select ((p (Say n)) (where (> n " + std::to_string(2 * i) + ")) (checkpoint c" + std::to_string(i) +
                ")))";
    const Model model = compile_text(text);
    REQUIRE(model.program);
    ExploreOptions options;
    const Exploration all = explore(*model.program, options);
    REQUIRE(all.tests.size() == 20);
    size_t asked = 0;
    options.needed = [&](const Exploration& found) {
        ++asked;
        std::vector<bool> needed(found.tests.size(), false);
        needed.back() = true;
        return needed;
    };
    const Exploration last = explore(*model.program, options);
    CHECK(asked == 1);
    CHECK(last.covered == all.covered);
    REQUIRE(last.tests.size() == 1);
    const FoundTest &a = all.tests.back(), &b = last.tests.back();
    CHECK(a.signature == b.signature);
    CHECK(a.targets == b.targets);
    REQUIRE(a.steps.size() == b.steps.size());
    for (size_t i = 0; i < a.steps.size(); ++i) CHECK(equal(a.steps[i].value, b.steps[i].value));
    // Each of twenty tests has as many inputs as it is long: all together ten times as many as the last.
    CHECK(last.statistics.sat_queries * 4 < all.statistics.sat_queries);
}
