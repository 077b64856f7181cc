#include "testgen/generate/found_replays.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "testgen/generate/needed_tests.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/shipped.hpp"
#include "tests/testgen/found_by_hand.hpp"

using namespace espalier;
using espalier::test::Found;

namespace {

// A checkpoint for each bit of the input: a test covers what its number says.
std::string bits(uint32_t count) {
    std::string text = "(define n (read)) (write n)";
    for (uint32_t i = 0; i < count; ++i)
        text += "(if (odd? (quotient n " + std::to_string(1U << i) + ")) (checkpoint b" + std::to_string(i) + "))";
    return text;
}

// What a search is told, and when there is no time left.
struct Following {
    explicit Following(Found& by_hand) : found(by_hand), replayer(*by_hand.model.program) {
        found.request.stop = [this] {
            ++asked;
            return no_time;
        };
    }
    Following& follow() {
        replays.follow(found.exploration);
        return *this;
    }
    // As after a search: what is not needed is not among the tests any more.
    std::string needed() {
        const std::vector<bool> keep = replays.needed(found.exploration);
        std::vector<FoundTest> kept;
        std::string numbers;
        for (size_t i = 0; i < keep.size(); ++i) {
            if (!keep[i]) continue;
            kept.push_back(std::move(found.exploration.tests[i]));
            numbers += (numbers.empty() ? "" : " ") + std::to_string(i);
        }
        found.exploration.tests = std::move(kept);
        return numbers;
    }
    Suite suite() { return make_suite(found.model, replays, found.exploration, found.request); }

    Found& found;
    bool no_time = false;
    size_t asked = 0; // before each replay
    Replayer replayer;
    FoundReplays replays{*found.model.program, replayer, found.request};
};

// The first input of a test of the suite.
std::string input_of(const Found& found, const SuiteTest& test) {
    return test.events.empty() ? "" : to_text(*found.model.program, test.events[0].value);
}

size_t covered(const Suite& suite) {
    size_t count = 0;
    for (const TargetResult& r : suite.targets) count += r.status == TargetStatus::covered ? 1U : 0U;
    return count;
}

} // namespace

TEST_CASE("what was replayed when it was found is in the suite, also when there is no time left") {
    Found found(bits(4));
    Following run(found);
    found.test({"1"}).test({"2"}).test({"4"}).error({"0"});
    run.follow(); // the last waits, since the next may go on from it
    run.no_time = true;
    const Suite suite = run.suite();
    CHECK(suite.tests.size() == 2);
    CHECK(covered(suite) == 2);
    CHECK(suite.left_out == 1);
    CHECK(suite.not_replayed.size() == 1); // the error that is none
}

TEST_CASE("values that come too late leave a test as it was") {
    Found found(bits(2));
    Following run(found);
    found.test({"3"}).test({"5"}).test({"1"});
    run.follow();
    const auto better = [&](size_t number, const char* value) {
        FoundTest test = found.exploration.tests[number];
        test.steps = found.inputs({value}, 0);
        return test;
    };
    run.replays.improve(better(0, "7"));
    run.no_time = true;
    run.replays.improve(better(1, "9"));
    const auto value_of = [&](size_t number) {
        const auto replay = run.replays.take(found.exploration.tests[number]);
        REQUIRE(replay);
        return to_text(*found.model.program, replay->run.events.at(0).value);
    };
    CHECK(value_of(0) == "7");
    CHECK(value_of(1) == "5");
}

TEST_CASE("when tests are replayed changes nothing about which are needed") {
    constexpr uint32_t count = 60, targets = 10;
    const auto numbers = [&](bool as_found) {
        Found found(bits(targets));
        Following run(found);
        uint32_t value = 1;
        for (uint32_t i = 0; i < count; ++i) {
            value = (value * 37 + 11) % (1U << targets);
            found.test({std::to_string(value & (value * 7))});
            if (as_found) run.follow();
        }
        return run.needed();
    };
    CHECK(numbers(true) == numbers(false));
    CHECK_FALSE(numbers(true).empty());
}

// The first of three tests is dropped for the second. The third makes that one unnecessary, but for what it has in
// common with the first. So of all of them the first and the third are needed; of those whose replays are there, the
// second and the third.
TEST_CASE("after a search that was stopped no test is needed that would have to be replayed again") {
    for (const bool is_stopped : {false, true}) {
        CAPTURE(is_stopped);
        constexpr uint32_t others = 14;
        Found found(bits(others + 3));
        Following run(found);
        const auto add = [&](uint32_t value) {
            found.test({std::to_string(value)});
            run.follow();
        };
        constexpr uint32_t x = 1U << others, y = x << 1, z = x << 2;
        for (uint32_t i = 0; i < others; ++i) add(1U << i);
        add(x);
        add(x + y);
        add(y + z);
        found.exploration.complete = !is_stopped;
        found.exploration.ended_by = is_stopped ? EndedBy::stopped : EndedBy::nothing;
        const std::string needed = run.needed();
        CHECK(needed.substr(needed.find("13")) == (is_stopped ? "13 15 16" : "13 14 16"));
        run.no_time = is_stopped;
        const Suite suite = run.suite();
        CHECK(suite.left_out == 0);
        CHECK(covered(suite) == others + 3);
        CHECK(input_of(found, suite.tests.back()) == std::to_string(y + z));
    }
}

// ── With a real search ──

namespace {

struct Searched {
    std::vector<bool> needed, needed_if_each_is_replayed;
    size_t tests = 0, replays = 0;
};

// Each test on its own, when all are there.
std::vector<bool> needed_of(const Program& program, const Exploration& found) {
    const SuiteRequest request;
    Replayer replayer(program);
    auto own = static_cast<uint32_t>(program.targets.size());
    std::vector<std::vector<uint32_t>> worth;
    for (const FoundTest& test : found.tests) {
        Heap values(Heap::Lifetime::immortal);
        const Replay run = replayer.replay(test.steps, values);
        worth.push_back(worth_of(test, passed_by(program, run, request), request));
        if (run.refused || run.status == Status::model_error) worth.back().push_back(own++);
    }
    return needed(worth, own);
}

Searched search(const Program& program, Search order, uint32_t depth) {
    Searched out;
    ExploreOptions options;
    options.depth = depth;
    options.search = order;
    options.step_limit = 5000;
    SuiteRequest request;
    request.stop = [&] {
        ++out.replays;
        return false;
    };
    Replayer replayer(program);
    FoundReplays replays(program, replayer, request);
    options.quiet_step_limit = 10'000;
    options.found = [&](const Exploration& found) { replays.follow(found); };
    options.needed = [&](const Exploration& found) {
        out.tests = found.tests.size();
        out.needed = replays.needed(found);
        out.needed_if_each_is_replayed = needed_of(program, found);
        return out.needed;
    };
    explore(program, options);
    return out;
}

} // namespace

TEST_CASE("a test that is the beginning of another is judged by that one's replay") {
    std::string chain = "(define (f n) (let ((m (read))) (case n";
    for (int i = 0; i < 50; ++i)
        chain += "((" + std::to_string(i) + ") (if (= m 7) (checkpoint c" + std::to_string(i) + ")))";
    const Model model = compile_text(chain + ") (if (= m 7) (f (+ n 1))))) (f 0)");
    REQUIRE(model.program);
    const Searched found = search(*model.program, Search::dfs, 5);
    CHECK(found.tests == 50);
    CHECK(found.replays == 1);
    CHECK(found.needed == found.needed_if_each_is_replayed);
    CHECK(std::count(found.needed.begin(), found.needed.end(), true) == 1);
}

TEST_CASE("the same tests are needed as if each of them were replayed on its own") {
    size_t tests = 0, replays = 0;
    const auto check = [&](const Program& plain, Criteria criteria) {
        const Program program = instrument(plain, criteria);
        for (const Search order : {Search::dfs, Search::bfs, Search::random}) {
            const Searched found = search(program, order, 4);
            CHECK(found.needed == found.needed_if_each_is_replayed);
            tests += found.tests;
            replays += found.replays;
        }
    };
    for (const std::string& file : test::shipped_models()) {
        CAPTURE(file);
        const Model model = load_model(file);
        if (!model.program) continue; // a part of another
        check(*model.program, Criteria::standard());
        check(*model.program, Criteria::all());
    }
    for (uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        test::ProtocolOptions options;
        options.threads = seed % 2 == 0;
        const Model model =
            compile_text("(define (took m) #t)\n(define (gave m) #t)\n" + test::RandomProtocol(seed, options).text());
        if (model.program) check(*model.program, Criteria::all());
    }
    CHECK(replays < tests);
}

TEST_CASE("what is left to do is what waits, and values for what is needed") {
    Found found(bits(5));
    Following run(found);
    const auto left = [&] { return run.replays.left(found.exploration); };
    CHECK(left().replays == 0);
    CHECK(left().values == 0);
    found.test({"1"}).test({"2"});
    run.follow();
    CHECK(left().replays > 0); // the last waits
    const double replays_alone = left().values;
    CHECK(replays_alone > 0);
    found.exploration.statistics.sat_queries = 10;
    found.exploration.statistics.sat_seconds = 5000;
    CHECK(left().values > replays_alone + 1000);
    // Tests that are not needed are not counted, once that is known.
    const double of_two = left().values;
    for (int i = 0; i < 200; ++i) found.test({"31"});
    // Where replays are slow, some wait.
    for (int i = 0; i < 10'000'000 && run.asked + 1 < found.exploration.tests.size(); ++i) run.follow();
    CHECK(left().values < 50 * of_two);
}
