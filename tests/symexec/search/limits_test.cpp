// Limits hold inside a run that meets no stable state, at the same place each time, and what was found is kept.
#include <unistd.h>

#include <doctest/doctest.h>

#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

#include "symexec/symexec.hpp"

using namespace espalier;

namespace {

// What the search covers of a model, by target.
Exploration explore_text(const std::string& text, const ExploreOptions& options) {
    const Model model = compile_text(text);
    REQUIRE(model.program);
    return explore(*model.program, options);
}

const char* const endless = "(checkpoint first)"
                            "(define (loop n) (loop (+ n 1)))"
                            "(loop 0)"
                            "(checkpoint never)";

} // namespace

TEST_CASE("the step limit ends a model that loops without input, exactly") {
    for (const uint64_t limit : {1U, 2U, 100U, 4096U, 10'000U}) {
        ExploreOptions options;
        options.step_limit = limit;
        options.quiet_step_limit = UINT64_MAX;
        const Exploration found = explore_text(endless, options);
        CHECK(found.statistics.vm_steps == limit);
        CHECK_FALSE(found.complete);
        CHECK(found.ended_by == EndedBy::step_limit);
        CHECK(found.given_up == 1);
        CHECK(found.statistics.paths == 0);
        CHECK(found.covered == std::vector<bool>{true, false});
        CHECK(found.tests.size() == 1);
    }
}

TEST_CASE("a path that is quiet for too long ends there, and the search goes on") {
    ExploreOptions options;
    options.quiet_step_limit = 5000;
    const Exploration found = explore_text(endless, options);
    CHECK(found.complete);
    CHECK(found.statistics.ended_by_steps == 1);
    // Once to see how the test goes on after its checkpoint, once on the path itself. The block with the checkpoint is
    // begun before the first and counts in both.
    CHECK(found.statistics.vm_steps == 2 * 5000 - 1);
    CHECK(found.covered == std::vector<bool>{true, false});
}

TEST_CASE("looking how a test goes on does not count as steps of the path") {
    ExploreOptions options;
    options.quiet_step_limit = 1000;
    const Exploration found = explore_text("(define (count n) (if (= n 0) 0 (count (- n 1))))"
                                           "(checkpoint before) (count 300) (checkpoint after)",
                                           options);
    CHECK(found.statistics.ended_by_steps == 0);
    CHECK(found.covered == std::vector<bool>{true, true});
}

TEST_CASE("a wish to stop the search is heard inside a run") {
    ExploreOptions options;
    options.quiet_step_limit = UINT64_MAX;
    int asked = 0;
    options.stop = [&] { return ++asked >= 3; };
    const Exploration found = explore_text(endless, options);
    CHECK(asked == 3);
    CHECK_FALSE(found.complete);
    CHECK(found.ended_by == EndedBy::stopped);
    CHECK(found.statistics.vm_steps < 100'000);
    CHECK(found.covered == std::vector<bool>{true, false});
}

namespace {

const char* const steps = "(define (step n) (define x (read (int 1 99)))"
                          "  (if (> x 50) (checkpoint large) (checkpoint small))"
                          "  (if (> n 30) (checkpoint late))"
                          "  (step (+ n x)))"
                          "(step 0)";

} // namespace

TEST_CASE("where enough was searched, what was found still gets good values; where all is stopped, it does not") {
    for (const bool is_all_stopped : {false, true}) {
        CAPTURE(is_all_stopped);
        ExploreOptions options;
        bool is_over = false;
        size_t improved = 0;
        options.covered = [&](TargetId, uint64_t) { is_over = true; };
        (is_all_stopped ? options.stop : options.enough) = [&] { return is_over; };
        options.improved = [&](const FoundTest&) { ++improved; };
        const Exploration found = explore_text(steps, options);
        CHECK_FALSE(found.complete);
        CHECK(found.ended_by == EndedBy::stopped);
        REQUIRE(found.tests.size() == 1);
        CHECK(improved == (is_all_stopped ? 0 : 1));
    }
}

TEST_CASE("a caller that asks is told of each test and error as it is found, and again when it has good values") {
    ExploreOptions options;
    std::string told;
    options.found = [&](const Exploration& found) {
        told += std::to_string(found.tests.size()) + "+" + std::to_string(found.errors.size()) + " ";
        if (!found.tests.empty()) CHECK(found.tests.back().number == found.tests.size() - 1);
    };
    options.improved = [&](const FoundTest& test) { told += "better" + std::to_string(test.number) + " "; };
    options.needed = [](const Exploration& found) {
        std::vector<bool> needed(found.tests.size(), true);
        needed[0] = false;
        return needed;
    };
    const Exploration found = explore_text("(define x (read)) (if (> x 5) (checkpoint a)) (checkpoint b)"
                                           "(if (= x 3) (error \"three\")) (read) (if (= x 4) (checkpoint c))",
                                           options);
    CHECK(told == "1+0 1+1 2+1 better1 ");
    CHECK(found.tests.size() == 1);
}

TEST_CASE("the memory limit ends a run that keeps what it makes") {
    for (const char* step : {"(cons n kept)", "(vector n kept)"}) {
        CAPTURE(step);
        ExploreOptions options;
        options.quiet_step_limit = UINT64_MAX;
        size_t all = 0, pages = 0;
        std::ifstream("/proc/self/statm") >> all >> pages;
        constexpr size_t room = 60'000'000;
        options.memory_limit = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + room;
        const Exploration found = explore_text(std::string("(checkpoint first)"
                                                           "(define (grow n kept) (grow (+ n 1) ") +
                                                   step + ")) (grow 0 '())",
                                               options);
        CHECK_FALSE(found.complete);
        CHECK(found.ended_by == EndedBy::memory_limit);
        CHECK(found.statistics.peak_memory_bytes > room / 10);
        CHECK(found.statistics.peak_memory_bytes < options.memory_limit + room / 2);
        CHECK(found.covered == std::vector<bool>{true});
    }
}

namespace {

// Whatever fails in the middle of a search, what was found before is kept, and told to be all there is.
template <typename Failure>
Exploration explore_until(const Failure& failure) {
    const char* const model = "(define (step n) (define x (read (int 1 9)))"
                              "  (if (> x 5) (checkpoint large) (checkpoint small))"
                              "  (if (> n 30) (checkpoint late))"
                              "  (step (+ n x)))"
                              "(step 0)";
    ExploreOptions options;
    size_t covered = 0;
    options.covered = [&](TargetId, uint64_t) {
        if (++covered == 2) throw failure;
    };
    return explore_text(model, options);
}

} // namespace

TEST_CASE("an internal error ends the search, and what was found is kept") {
    const Exploration found = explore_until(std::logic_error("a decision without a question"));
    CHECK_FALSE(found.complete);
    CHECK(found.ended_by == EndedBy::internal_error);
    CHECK(found.internal_error == "a decision without a question");
    CHECK(found.covered == std::vector<bool>{true, true, false});
    REQUIRE(found.tests.size() == 2); // with inputs
    for (const FoundTest& test : found.tests) CHECK_FALSE(test.steps.empty());
    CHECK(found.story.entered.size() > 0);
}

TEST_CASE("memory that is used up is no bug of this program") {
    const Exploration found = explore_until(std::bad_alloc());
    CHECK(found.ended_by == EndedBy::memory_limit);
    CHECK_FALSE(found.internal_error.has_value());
    CHECK(found.tests.size() == 2);
}

TEST_CASE("a failure while values are chosen keeps those that were found") {
    ExploreOptions options;
    options.needed = [](const Exploration&) -> std::vector<bool> { throw std::logic_error("no answer"); };
    const Exploration found = explore_text("(if (> (read) 5) (checkpoint a))", options);
    CHECK(found.internal_error == "no answer");
    CHECK(found.tests.size() == 1);
}

TEST_CASE("a wish to stop the search is heard while the solver is busy") {
    // Thirteen different numbers among twelve: without a limit on its resources Z3 does not see that in a lifetime.
    constexpr int count = 13;
    std::string model;
    const auto name = [](int i) { return "x" + std::to_string(i); };
    for (int i = 0; i < count; ++i) {
        model += "(define " + name(i) + " (read (int 1 12)))";
        for (int j = 0; j < i; ++j) model += "(assume (not (= " + name(i) + " " + name(j) + ")))";
        if (i == 2) model += "(checkpoint early)";
    }
    ExploreOptions options;
    options.depth = count + 1;
    options.solver_resources = 0;
    const auto searching = std::this_thread::get_id();
    uint32_t asked_while_busy = 0;
    options.stop = [&] {
        if (std::this_thread::get_id() != searching) ++asked_while_busy;
        return asked_while_busy >= 5;
    };
    const Exploration found = explore_text(model + "(checkpoint never)", options);
    CHECK(asked_while_busy >= 5);
    CHECK_FALSE(found.complete);
    CHECK(found.ended_by == EndedBy::stopped);
    CHECK(found.covered == std::vector<bool>{true, false});
    CHECK(found.statistics.sat_unknown == 0); // it was not the solver that gave up
}
