// Tests after whose target no stable state comes: what the model does not speak of is marked, and only that.
#include <doctest/doctest.h>

#include "tests/symexec/finding.hpp"

using namespace espalier;

namespace {

const FoundTest& test_for(const test::Found& f, const std::string& checkpoint) {
    for (const FoundTest& t : f.exploration.tests)
        if (f.model.program->targets[index(t.targets.at(0))].name == checkpoint) return t;
    FAIL("no test for " << checkpoint);
    return f.exploration.tests.at(0);
}

bool is_open(const std::string& after_the_target) {
    return test_for(test::find("(define n (read)) (checkpoint here) " + after_the_target), "here").open_end;
}

} // namespace

TEST_CASE("an end is open where every way on fails an assumption") {
    CHECK(is_open("(assume #f)"));
    CHECK(is_open("(assume (= n (+ n 1))) (read)"));
    CHECK_FALSE(is_open("(assume (= n 3)) (read)"));
    CHECK_FALSE(is_open("(assume (= n 3))"));
    CHECK_FALSE(is_open("(read) (assume #f)")); // that is past the next stable state
    CHECK_FALSE(is_open(""));
}

TEST_CASE("an assumption about what is chosen later") {
    const auto model = [](const std::string& value) {
        return "(define n (read)) (checkpoint here) (define c (choose 0 1)) (assume (= c " + value + ")) (read)";
    };
    const test::Found one = test::find(model("1"));
    CHECK_FALSE(test_for(one, "here").open_end);
    REQUIRE(test_for(one, "here").steps.size() == 2);
    CHECK(test_for(one, "here").steps[1].choice.taken == 1);
    const test::Found none = test::find(model("2"));
    CHECK(test_for(none, "here").open_end);
    CHECK(test_for(none, "here").steps.size() == 1); // it ends at its target
}

TEST_CASE("nor is an end known where only an error comes, or the search gives up") {
    CHECK(is_open("(error \"always\")"));
    CHECK_FALSE(is_open("(if (= n 0) (error \"sometimes\")) (read)"));
    // More states than are followed: at each of 300 choices the first alternative fails.
    CHECK(is_open("(define (f i) (if (= i 0) (read) (choose (assume #f) (f (- i 1))))) (f 300)"));
    CHECK_FALSE(is_open("(define (f i) (if (= i 0) (read) (choose (assume #f) (f (- i 1))))) (f 30)"));
}

TEST_CASE("tests that get other values in the end keep the mark, and those that go take theirs with them") {
    ExploreOptions options;
    options.needed = [](const Exploration& found) {
        std::vector<bool> keep(found.tests.size(), true);
        keep.at(0) = false;
        return keep;
    };
    const test::Found f = test::find("(define n (read)) "
                                     "(cond ((> n 100) (checkpoint first) (read)) "
                                     "      ((> n 10) (checkpoint second) (assume #f)) "
                                     "      (else (checkpoint third) (read)))",
                                     options);
    REQUIRE(f.exploration.tests.size() == 2);
    CHECK(test_for(f, "second").open_end);
    CHECK_FALSE(test_for(f, "third").open_end);
}
