// Remembering stable states: what is skipped, what must not be, and that nothing is lost by it.
#include <algorithm>

#include "symexec/search/explorer.hpp"
#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/shipped.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

struct Compared {
    std::string difference;
    uint64_t hits = 0, steps = 0, steps_with = 0;
};

// Searches that end by themselves cover the same, in the same order, with a memory and without. In the order of
// distances states are put off, and so which path has its counter set back may differ: there it is the same where no
// counter ends a path.
Compared compare(const Program& program, ExploreOptions options) {
    options.memo = false;
    const Exploration plain = explore(program, options);
    if (!plain.complete || plain.statistics.sat_unknown > 0) return {};
    options.memo = true;
    const Exploration found = explore(program, options);
    Compared c{"", found.statistics.memo_hits, plain.statistics.vm_steps, found.statistics.vm_steps};
    if (!found.complete) c.difference = "ended: by " + to_text(found.ended_by);
    const bool puts_off = options.search == Search::distance;
    if (puts_off && plain.statistics.ended_by_bound + found.statistics.ended_by_bound > 0) return c;
    for (uint32_t t = 0; t < plain.covered.size(); ++t)
        if (plain.covered[t] != found.covered[t])
            c.difference =
                (found.covered[t] ? "covered: it alone covers " : "covered: it loses ") + target_id(program.targets[t]);
    if (puts_off) return c;
    if (c.difference.empty() && found.tests.size() != plain.tests.size()) c.difference = "tests: their number";
    for (size_t i = 0; i < plain.tests.size() && c.difference.empty(); ++i)
        if (found.tests[i].signature != plain.tests[i].signature) c.difference = "tests: another order";
    if (c.difference.empty() && c.steps_with > c.steps) c.difference = "steps: more";
    return c;
}

Compared compare(const std::string& text, uint32_t depth, Search search = Search::dfs) {
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.depth = depth;
    options.search = search;
    options.flow = &flow;
    return compare(*model.program, options);
}

constexpr Search all_searches[] = {Search::dfs, Search::bfs, Search::random, Search::distance};
const std::string ports = "(define-message A (x int)) (define-message B) (define-message C) (define-port p in A B C)"
                          "(define (wait-a) (select ((p (A x)) x))) (define (wait-b) (select ((p B) 0)))"
                          "(define (wait-c) (select ((p C) 0)))";

} // namespace

TEST_CASE("law of the memo: the same tests are found, on random models") {
    uint64_t compared = 0, hits = 0, hits_nearest = 0;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        const size_t dice = text.size();
        model.program = instrument(*model.program, dice % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.flow = &flow;
        options.depth = 2 + static_cast<uint32_t>(dice / 2 % 3);
        options.search = all_searches[dice / 6 % 4];
        if (options.search == Search::distance) options.depth = ProtocolOptions{}.inputs + 3; // beyond any path's end
        options.seed = dice;
        options.schedules = dice / 24 % 3 == 0 ? Schedules::all : Schedules::first;
        options.step_limit = 30'000;
        options.quiet_step_limit = 5'000;
        const Compared c = compare(*model.program, options);
        if (c.steps > 0) ++compared;
        hits += c.hits;
        if (options.search == Search::distance) hits_nearest += c.hits;
        return c.difference;
    };
    check_law(
        400, [](uint32_t seed) { return counting_hooks(ProtocolOptions{}.inputs) + RandomProtocol(seed, {}).text(); },
        law);
    MESSAGE(compared << " searches compared, " << hits << " states skipped, " << hits_nearest
                     << " of them nearest first");
    CHECK(enough(compared, 150));
    CHECK(enough(hits, 200));
    CHECK(enough(hits_nearest, 50));
}

TEST_CASE("law of the memo: the same tests are found, on the shipped models") {
    uint64_t hits = 0;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow& flow) {
        for (uint32_t depth = 2; depth <= 3; ++depth)
            for (const Search search : all_searches) {
                ExploreOptions options;
                options.flow = &flow;
                options.depth = depth;
                options.search = search;
                options.step_limit = scaled(20'000);
                INFO(name, ", depth ", depth, ", search ", static_cast<int>(search));
                const Compared c = compare(program, options);
                CHECK(c.difference == "");
                hits += c.hits;
            }
    });
    MESSAGE(hits << " states skipped");
    CHECK(hits > 20);
}

TEST_CASE("law of the memo: a postponed state that is not explored would not have covered anything, on random models") {
    uint64_t compared = 0, followed = 0, steps = 0, steps_of_all = 0;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        const size_t dice = text.size();
        model.program = instrument(*model.program, dice % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.flow = &flow;
        options.depth = 2 + static_cast<uint32_t>(dice / 2 % 3);
        options.search = Search::distance;
        options.memo = true;
        options.cut = dice / 6 % 2 == 0 ? Cut::v3 : Cut::off;
        options.seed = dice;
        options.step_limit = 30'000;
        options.quiet_step_limit = 5'000;
        const Exploration found = explore(*model.program, options);
        if (!found.complete) return "";
        options.step_limit = 300'000;
        const Exploration all = sym::Explorer(*model.program, options, {.follow_postponed = true}).run();
        if (all.statistics.disproved > 0) return "disproved: a postponed state covers something";
        if (!all.complete) return "";
        ++compared;
        steps += found.statistics.vm_steps;
        steps_of_all += all.statistics.vm_steps;
        if (all.statistics.vm_steps > found.statistics.vm_steps) ++followed;
        return all.covered == found.covered && all.tests.size() == found.tests.size() ? "" : "covered: not the same";
    };
    // They go on for ever, and come back to where they were.
    check_law(
        300,
        [](uint32_t seed) { return "(define (took m) #t)\n(define (gave m) #t)\n" + RandomProtocol(seed, {}).text(); },
        law);
    MESSAGE(compared << " searches compared, " << followed << " of them with postponed states in the end, " << steps
                     << " steps of " << steps_of_all);
    CHECK(enough(compared, 100));
    CHECK(enough(followed, 30));
}

TEST_CASE("a state with a greater counter than the one it is like is explored, in any order") {
    // Two ways to `idle`: with nothing new, though it looks near, or with something new just before. From there it is
    // three stable states to the target, more than the first way has left.
    const std::string text =
        ports +
        "(define (odd x) (if (= (* 2 x) 7) (checkpoint never)))"
        "(define (idle) (odd (wait-a)) (wait-b) (wait-c) (checkpoint far))"
        "(define (go) (select ((p A) (odd (wait-a)) (odd (wait-a)) (idle)) ((p B) (wait-b) (checkpoint b) (idle))))"
        "(go)";
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.flow = &flow;
    options.depth = 5;
    options.search = Search::distance;
    options.memo = true;
    uint64_t hits = 0;
    for (options.seed = 0; options.seed < 20; ++options.seed) {
        CAPTURE(options.seed);
        const Exploration found = explore(*model.program, options);
        CHECK(std::count(found.covered.begin(), found.covered.end(), true) == 2);
        hits += found.statistics.memo_hits;
    }
    CHECK(hits > 0); // where the second way comes first
    CHECK(hits < 20);
}

TEST_CASE("nearest first, a state like one of which something was left open is explored in the end") {
    const auto hits = [&](const std::string& on_b) {
        const std::string text = ports +
                                 "(define (spin) (spin))"
                                 "(define (idle) (select ((p A) (idle)) ((p B) " +
                                 on_b + " (idle)) ((p C) (if (= 1 2) (checkpoint never)) (idle)))) (idle)";
        Model model = compile_text(text);
        REQUIRE(model.program);
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.flow = &flow;
        options.depth = 4;
        options.search = Search::distance;
        options.memo = true;
        options.quiet_step_limit = 1'000;
        const Statistics s = explore(*model.program, options).statistics;
        return std::pair(s.memo_hits, s.ended_by_steps);
    };
    CHECK(hits("").first == 3); // the states after the first message, each like the one before it
    CHECK(hits("").second == 0);
    CHECK(hits("(spin)").first == 0);
    CHECK(hits("(spin)").second > 1);
}

TEST_CASE("what the model forgets does not matter") {
    // Two ways to the same state; the second is not gone on with. The input x is dead, and so is what is known of it.
    const std::string text = ports + "(define (idle) (select ((p (A x)) (if (< x 5) (checkpoint small)) (if (= 1 2) "
                                     "(checkpoint never)) (next)) ((p B) (next))))"
                                     "(define (next) (wait-b) (idle)) (idle)";
    for (const Search search : all_searches) {
        INFO("search ", static_cast<int>(search));
        const Compared c = compare(text, 4, search);
        CHECK(c.difference == "");
        CHECK(c.hits > 0);
        CHECK(c.steps_with < c.steps);
    }
}

TEST_CASE("a state is another where a live value, a time or the sharing of objects is") {
    const auto hits = [](const std::string& body) { return compare(ports + body, 3).hits; };
    const auto after = [](const std::string& one, const std::string& other, const std::string& rest) {
        return "(define-timer t) (define k (list 1))"
               "(define (rest v) (wait-c) " +
               rest + " (if (= 1 2) (checkpoint never)))" + "(define (go) (select ((p A) (rest " + one +
               ")) ((p B) (rest " + other + ")))) (go)";
    };
    CHECK(hits(after("1", "1", "(write v)")) == 1);
    CHECK(hits(after("1", "2", "(write v)")) == 0);
    CHECK(hits(after("1", "2", "(write 3)")) == 1); // v is dead
    CHECK(hits(after("(list 1 2)", "(list 1 2)", "(write v)")) == 1);
    CHECK(hits(after("(list k k)", "(list k k)", "(if (eq? (car v) (cadr v)) (write 1))")) == 1);
    CHECK(hits(after("(list k k)", "(list k (list 1))", "(if (eq? (car v) (cadr v)) (write 1))")) == 0);
    CHECK(hits(after("(vector 1)", "(vector 1)", "(write (vector-ref v 0))")) == 1);
    CHECK(hits(after("(vector 1)", "(vector 2)", "(write (vector-ref v 0))")) == 0);
    CHECK(hits(after("(begin (start t 5) 1)", "(begin (start t 5) 1)", "(stop t)")) == 1);
    CHECK(hits(after("(begin (start t 5) 1)", "(begin (start t 6) 1)", "(stop t)")) == 0);
    CHECK(hits(after("(begin (start t 5) 1)", "1", "(stop t)")) == 0);
}

TEST_CASE("a state is skipped only where its path condition implies that of the one before") {
    const std::string rest = "(define (rest v) (wait-c) (if (= v 7) (checkpoint seven)) (if (= v 3) (checkpoint "
                             "three)) (if (= 1 2) (checkpoint never)))";
    const auto model = [&](const std::string& first, const std::string& second) {
        return ports + rest + "(define (go x) (select ((p B) (assume " + first + ") (rest x)) ((p C) (assume " +
               second + ") (rest x)))) (go (wait-a))";
    };
    const Compared narrower = compare(model("(< x 10)", "(< x 5)"), 4);
    CHECK(narrower.difference == "");
    CHECK(narrower.hits == 1);
    const Compared wider = compare(model("(< x 5)", "(< x 10)"), 4);
    CHECK(wider.difference == ""); // seven is found
    CHECK(wider.hits == 0);
}

TEST_CASE("a condition that ties a dead input to a live one counts") {
    const std::string start =
        ports + "(define (rest v) (wait-c) (if (= v 7) (checkpoint seven)) (if (= 1 2) (checkpoint never)))"
                "(define (go y x) ";
    const Compared tied = compare(start + "(select ((p B) (assume (< y 5)) (assume (= x y)) (rest x)) ((p C) (rest "
                                          "x)))) (let ((y (wait-a))) (go y (wait-a)))",
                                  5);
    CHECK(tied.difference == "");
    CHECK(tied.hits == 0);
    const Compared same =
        compare(start + "(select ((p B) (assume (< x y)) (rest x))"
                        "        ((p C) (assume (< x y)) (rest x)))) (let ((y (wait-a))) (go y (wait-a)))",
                5);
    CHECK(same.difference == "");
    CHECK(same.hits == 1);
}

TEST_CASE("a state that is still being explored is not enough") {
    // The loop comes back to its beginning with a smaller counter, before the way to the target has been taken.
    const std::string text = ports + "(define (idle n) (select ((p A) (idle n)) ((p B) (checkpoint b) (idle n))"
                                     "  ((p C) (checkpoint c) (idle n)))) (idle 0)";
    for (const Search search : all_searches) CHECK(compare(text, 3, search).difference == "");
}
