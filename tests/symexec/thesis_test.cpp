// Figure 3.2 of the thesis, with the numbers of its example 3.3: depth 1 covers one of three checkpoints, depth 2 all.
#include <doctest/doctest.h>

#include "symexec/symexec.hpp"

using namespace espalier;

namespace {

constexpr const char* figure_3_2 = R"((define foo
  (lambda (x)
    (begin
      (checkpoint proc:foo)
      (let ((n (read)))
        (begin
          (if (> n 0)
              (begin (checkpoint b:id=1,true)  (set! n (+ n 1)))
              (begin (checkpoint b:id=1,false) (set! n (* n -1))))
          (letrec ((loop (lambda (i)
                           (if (< i n)
                               (begin (set! x (* x (read)))
                                      (loop (+ i 1)))))))
            (loop 0)))))))
(foo 1)
)";

} // namespace

TEST_CASE("figure 3.2 by depth") {
    const Model model = compile_text(figure_3_2);
    REQUIRE(model.program);
    for (uint32_t depth = 1; depth <= 3; ++depth) {
        for (Search search : {Search::dfs, Search::bfs, Search::random}) {
            ExploreOptions options;
            options.depth = depth;
            options.search = search;
            const Exploration found = explore(*model.program, options);
            size_t covered = 0;
            for (bool c : found.covered) covered += c ? 1 : 0;
            CHECK(covered == (depth == 1 ? 1 : 3));
            CHECK(found.complete);
            CHECK(found.errors.empty());
            CHECK(found.unsupported.empty());
        }
    }
}

TEST_CASE("figure 3.2: canonical values") {
    const Model model = compile_text(figure_3_2);
    ExploreOptions options;
    options.depth = 2;
    const Exploration found = explore(*model.program, options);
    REQUIRE(found.tests.size() == 3);
    CHECK(found.tests[0].steps.empty()); // ends at the first stable state
    REQUIRE(found.tests[1].steps.size() == 1);
    CHECK(found.tests[1].steps[0].value == Value::fixnum(1)); // n > 0
    REQUIRE(found.tests[2].steps.size() == 1);
    CHECK(found.tests[2].steps[0].value.is_fixnum());
    CHECK(found.tests[2].steps[0].value.as_fixnum() <= 0);
}

TEST_CASE("breadth-first, what few inputs reach does not wait for paths of more, however they fork") {
    std::string tests; // of one input: many branches, of which the last way counts
    for (int i = 0; i < 12; ++i) tests += "(> (Set-n m) " + std::to_string(i) + ") ";
    const std::string text = "(define-message Set (n int)) (define-message Note (n (int 0 9)))"
                             "(define-port user in Set Note)"
                             "(define (loop on) (loop (select ((user Set as m) (and " +
                             tests + "(begin (if on (checkpoint twice)) #t))) ((user (Note n)) (> n 4)))))(loop #f)";
    const Model model = compile_text(text);
    REQUIRE(model.program);
    std::vector<uint64_t> steps;
    for (const uint32_t depth : {2, 4, 7}) {
        ExploreOptions options;
        options.depth = depth + 1;
        options.search = Search::bfs;
        options.memo = false;
        const Exploration found = explore(*model.program, options);
        CHECK(found.covered == std::vector<bool>{true});
        steps.push_back(found.statistics.vm_steps);
    }
    CHECK(steps[1] == steps[0]);
    CHECK(steps[2] == steps[0]);
}
