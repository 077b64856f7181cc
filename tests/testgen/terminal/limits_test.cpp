#include "testgen/terminal/limits.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <new>
#include <thread>

#include "testgen/generate/suite_maker.hpp"
#include "testgen/suite/suite.hpp"

using namespace espalier;

namespace {

// The thread looks every few milliseconds; a busy machine may take longer.
bool comes_true(const std::atomic<bool>& flag) {
    for (int i = 0; i < 6000 && !flag; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return flag;
}

} // namespace

TEST_CASE("without limits nothing ends") {
    Limits limits(nullptr, 0, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(limits.is_over());
    CHECK_FALSE(limits.begin_replay());
    CHECK_FALSE(limits.is_all_over());
    limits.keep_back({.replays = 5000, .values = 5000});
    CHECK(limits.search_end() == std::numeric_limits<double>::infinity());
    CHECK_FALSE(limits.is_search_over());
    CHECK(limits.reason() == EndedBy::nothing);
}

TEST_CASE("when the time is up the work ends, and later also what is made of it") {
    Limits limits(nullptr, 0.01, 0);
    CHECK(comes_true(limits.over()));
    CHECK(limits.reason() == EndedBy::time_limit);
    CHECK(comes_true(limits.reading_over()));
    CHECK(comes_true(limits.begin_replay()));
    while (!limits.is_all_over()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(limits.elapsed() > 0.5); // a tenth, and half a second
    CHECK(limits.begin_replay());
}

TEST_CASE("a replay gets a part of the time that is left") {
    Limits limits(nullptr, 1, 0);
    const std::atomic<bool>& first = limits.begin_replay();
    CHECK(comes_true(first));
    CHECK_FALSE(limits.is_all_over());
    CHECK_FALSE(limits.begin_replay()); // the next one has some, too
}

TEST_CASE("a search ends before the time limit, by what making the suite will take") {
    Limits limits(nullptr, 1000, 0);
    CHECK(limits.search_end() == 1000);
    const auto end_with = [&](Limits::Work work) {
        limits.keep_back(work);
        return limits.search_end();
    };
    CHECK(end_with({.replays = 30, .values = 20}) == 950);
    CHECK(end_with({.replays = 0, .values = 2000}) == 750); // there is not all the time for good values
    CHECK(end_with({.replays = 30, .values = 2000}) == 720);
    CHECK(end_with({.replays = 2000, .values = 2000}) == 500); // the search has half of it, whatever it finds
    CHECK(end_with({.replays = 0, .values = 0}) == 1000);      // what was found last may make much unnecessary
    CHECK_FALSE(limits.is_search_over());
}

TEST_CASE("with a later limit a search never ends sooner") {
    for (const double replays : {0, 1, 10, 100, 1000})
        for (const double values : {0, 1, 10, 100, 1000}) {
            double before = 0;
            for (double seconds = 1; seconds < 5000; seconds *= 1.5) {
                Limits limits(nullptr, seconds, 0);
                limits.keep_back({.replays = replays, .values = values});
                CHECK(limits.search_end() >= before);
                before = limits.search_end();
            }
        }
}

TEST_CASE("when the time of a search is up, the rest of the work goes on") {
    Limits limits(nullptr, 1, 0);
    limits.keep_back({.replays = 5000, .values = 0});
    CHECK(comes_true(limits.search_over()));
    CHECK(limits.reason() == EndedBy::time_limit);
    CHECK(comes_true(limits.over()));
}

TEST_CASE("what ends all ends the search") {
    Limits limits(nullptr, 0, 1);
    CHECK(comes_true(limits.over()));
    CHECK(limits.is_search_over());
}

TEST_CASE("memory ends the work; what reads a model needs some") {
    Limits limits(nullptr, 0, 1);
    CHECK(comes_true(limits.over()));
    CHECK(limits.reason() == EndedBy::memory_limit);
    CHECK_FALSE(limits.reading_over());
    CHECK_FALSE(limits.is_all_over());
}

TEST_CASE("where memory runs out there is a reserve, and the work ends") {
    Limits limits(nullptr, 0, 0);
    const std::new_handler handler = std::get_new_handler();
    const bool is_there = handler != nullptr;
    REQUIRE(is_there);
    handler(); // as `new` calls it
    CHECK(limits.is_over());
    CHECK(limits.reason() == EndedBy::memory_limit);
    CHECK_THROWS_AS(handler(), std::bad_alloc);
    CHECK_FALSE(limits.begin_replay()); // there is one again
    handler();
    CHECK_THROWS_AS(handler(), std::bad_alloc);
}

TEST_CASE("limits that are gone leave no handler behind") {
    { const Limits limits(nullptr, 0, 0); }
    const bool is_gone = std::get_new_handler() == nullptr;
    CHECK(is_gone);
}

TEST_CASE("a test that cannot be replayed in time is left out") {
    Model model = compile_text("(checkpoint a) (define (loop) (loop)) (loop)");
    REQUIRE(model.program.has_value());
    Exploration found = explore(*model.program);
    Limits limits(nullptr, 0.001, 0);
    while (!limits.is_all_over()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    Replayer replayer(*model.program, replay_step_limit, &limits);
    const SuiteRequest request; // a caller that did not ask before finds out then
    FoundReplays replays(*model.program, replayer, request);
    const Suite suite = make_suite(model, replays, found, request);
    CHECK(suite.tests.empty());
    CHECK(suite.not_replayed.empty());
    CHECK(suite.left_out == 1);
    CHECK_FALSE(suite.complete);
    CHECK(suite.targets[0].status == TargetStatus::unreached);
}
