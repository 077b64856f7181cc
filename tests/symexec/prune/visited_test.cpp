// Searches without a bound: each stable state is explored once, and nothing is lost by it.
#include <doctest/doctest.h>

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

constexpr Search all_searches[] = {Search::dfs, Search::bfs, Search::random, Search::distance, Search::mixed};

Exploration explored(const std::string& text, ExploreOptions options) {
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    options.depth = no_bound;
    options.flow = &flow;
    return explore(*model.program, options);
}

// A counter that inputs move, between 0 and n − 1: the wait in the top level, and one for each value of the counter.
std::string counter(int n) {
    const std::string last = std::to_string(n - 1);
    return "(define-message Up) (define-message Down) (define-port p in Up Down)"
           "(define (at x) (when (= x " +
           last + ") (checkpoint top)) (when (> x " + last +
           ") (checkpoint beyond))"
           "  (select ((p Up) (at (if (< x " +
           last +
           ") (+ x 1) x))) ((p Down) (at (if (> x 0) (- x 1) 0)))))"
           "(at 0)";
}

} // namespace

TEST_CASE("each stable state is explored once, in every order") {
    for (const Search search : all_searches) {
        INFO("search ", static_cast<int>(search));
        ExploreOptions options;
        options.search = search;
        options.memo = true;
        const Exploration found = explored(counter(50), options);
        CHECK(found.complete);
        CHECK(found.statistics.stable_states == 50);
        CHECK(found.covered == std::vector<bool>{true, false});
    }
}

TEST_CASE("the effort ends a search that nothing else ends, and the same effort gives the same") {
    const std::string endless =
        "(define-message Up) (define-port p in Up)"
        "(define (at x) (when (= x -1) (checkpoint never)) (select ((p Up) (at (+ x 1))))) (at 0)";
    ExploreOptions options;
    options.search = Search::mixed;
    options.memo = true;
    options.effort = 5'000;
    const Exploration a = explored(endless, options), b = explored(endless, options);
    CHECK_FALSE(a.complete);
    CHECK(a.ended_by == EndedBy::effort);
    CHECK(a.statistics.vm_steps == b.statistics.vm_steps);
    CHECK(a.statistics.stable_states == b.statistics.stable_states);
    options.step_limit = 100;
    CHECK(explored(endless, options).ended_by == EndedBy::step_limit);
}

// With the portraits in so little memory that most are forgotten, states are explored again, and no target is lost.
TEST_CASE("what is forgotten costs steps, and nothing else") {
    ExploreOptions options;
    options.search = Search::mixed;
    options.memo = true;
    options.memory_limit = 0;
    const uint64_t once = explored(counter(2000), options).statistics.stable_states;
    CHECK(once == 2000);
    Model model = compile_text(counter(2000));
    const Flow flow = analyse(*model.program);
    options.depth = no_bound;
    options.flow = &flow;
    options.effort = 10'000'000;
    sym::Trials trials;
    trials.portrait_bytes = 40'000;
    const Exploration found = sym::Explorer(*model.program, options, trials).run();
    CHECK(found.covered == std::vector<bool>{true, false});
    CHECK(found.statistics.stable_states > 2000);
}

// Two counters, and an input that is kept: many states wait, and each path knows something of its inputs.
TEST_CASE("a state that waited as its signature goes on as it would have") {
    const std::string grid =
        "(define-message X (n int)) (define-message Y) (define-port p in X Y)"
        "(define (at x y kept)"
        "  (when (and (= x 11) (= y 11) (> kept 7)) (checkpoint corner)) (when (> (+ x y) 22) (checkpoint beyond))"
        "  (select ((p (X n)) (at (if (< x 11) (+ x 1) x) y (if (and (= x 3) (> n 5)) n kept)))"
        "          ((p Y) (at x (if (< y 11) (+ y 1) y) kept))))"
        "(at 0 0 0)";
    Model model = compile_text(grid);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.depth = no_bound;
    options.search = Search::mixed;
    options.memo = true;
    options.flow = &flow;
    const Exploration plain = sym::Explorer(*model.program, options).run();
    sym::Trials trials;
    trials.state_bytes = 1;
    const Exploration packed = sym::Explorer(*model.program, options, trials).run();
    CHECK(plain.complete);
    CHECK(plain.covered == std::vector<bool>{true, false});
    CHECK(plain.statistics.unpacked == 0);
    CHECK(packed.statistics.unpacked > 10);
    CHECK(packed.complete);
    CHECK(packed.covered == plain.covered);
    CHECK(packed.statistics.stable_states == plain.statistics.stable_states);
    CHECK(packed.statistics.vm_steps > plain.statistics.vm_steps); // the ways are gone again
}

// Random models end by themselves, since they take few inputs: so without a bound, with a memory of states and without,
// in every order, with cutting and without, the same targets are covered.
TEST_CASE("law of visited states: the same targets are covered in every order, on random models") {
    uint64_t compared = 0, skipped = 0;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        const size_t dice = text.size();
        model.program = instrument(*model.program, dice % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.flow = &flow;
        options.depth = no_bound;
        options.seed = dice;
        options.schedules = dice / 24 % 3 == 0 ? Schedules::all : Schedules::first;
        options.step_limit = 60'000;
        options.quiet_step_limit = 5'000;
        const Exploration plain = explore(*model.program, options);
        if (!plain.complete || plain.statistics.sat_unknown > 0) return "";
        options.memo = true;
        for (const Search search : all_searches) {
            options.search = search;
            options.cut = (dice / 7 + static_cast<size_t>(search)) % 2 == 0 ? Cut::v3 : Cut::off;
            const Exploration found = explore(*model.program, options);
            const std::string order = "search " + std::to_string(static_cast<int>(search));
            if (!found.complete) return "ended: " + order + " by " + to_text(found.ended_by);
            for (uint32_t t = 0; t < plain.covered.size(); ++t)
                if (plain.covered[t] != found.covered[t])
                    return "covered: " + order + (found.covered[t] ? " alone covers " : " loses ") +
                           target_id(model.program->targets[t]);
            ++compared;
            skipped += found.statistics.memo_hits;
        }
        return "";
    };
    check_law(
        150, [](uint32_t seed) { return counting_hooks(ProtocolOptions{}.inputs) + RandomProtocol(seed, {}).text(); },
        law);
    MESSAGE(compared << " searches compared, " << skipped << " states skipped");
    CHECK(enough(compared, 300));
    CHECK(enough(skipped, 500));
}

// What looks at all of a long path, or at a term with very many inputs, takes time with their number: so does the
// effort.
TEST_CASE("the effort of a deep search grows with what its long paths and large terms take") {
    const std::string product =
        "(define n (read)) (define x 1)"
        "(define (loop i) (when (< i n) (set! x (* x (read))) (when (= (modulo (* i i) 5) 3) (checkpoint never))"
        "  (loop (+ i 1))))"
        "(loop 0)";
    ExploreOptions options;
    options.search = Search::dfs;
    options.memo = true;
    options.all_targets = true;
    options.effort = 300'000;
    const Exploration found = explored(product, options);
    CHECK(found.ended_by == EndedBy::effort);
    CHECK(found.statistics.stable_states > 256);
    CHECK(found.statistics.stable_states < 1'500);
}
