// Learning from dead ends: what is skipped by it, and that nothing is lost.
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

constexpr Search all_searches[] = {Search::dfs, Search::bfs, Search::random, Search::distance};

struct Seen {
    uint64_t compared = 0, subsumed = 0, full = 0, steps = 0, steps_with = 0;
};

// Searches that end by themselves cover the same with interpolants and without. Subsumed states that are followed all
// the same cover nothing.
std::string compare(const Program& program, ExploreOptions options, Seen& seen) {
    const Exploration plain = explore(program, options);
    if (!plain.complete || plain.statistics.sat_unknown > 0) return "";
    options.interpolants = true;
    const Exploration learnt = explore(program, options);
    if (!learnt.complete) return learnt.ended_by == EndedBy::step_limit ? "" : "ended: by " + to_text(learnt.ended_by);
    ++seen.compared;
    seen.subsumed += learnt.statistics.subsumed;
    seen.full += learnt.statistics.interpolants_full;
    seen.steps += plain.statistics.vm_steps;
    seen.steps_with += learnt.statistics.vm_steps;
    for (uint32_t t = 0; t < plain.covered.size(); ++t)
        if (plain.covered[t] != learnt.covered[t])
            return (learnt.covered[t] ? "covered: it alone covers " : "covered: it loses ") +
                   target_id(program.targets[t]);
    options.step_limit *= 10;
    const Exploration followed = sym::Explorer(program, options, {.follow_subsumed = true}).run();
    if (followed.statistics.disproved > 0) return "disproved: a subsumed state covers something";
    return "";
}

ExploreOptions options_of(size_t dice, const Flow& flow) {
    ExploreOptions options;
    options.flow = &flow;
    const size_t depth = dice / 2 % 4;
    options.depth = depth == 3 ? no_bound : 2 + static_cast<uint32_t>(depth);
    options.search = depth == 3 && dice % 3 == 0 ? Search::mixed : all_searches[dice / 8 % 4];
    options.cut = dice / 32 % 3 == 0 ? Cut::off : Cut::v3;
    options.memo = dice / 96 % 2 == 0;
    options.schedules = dice / 192 % 3 == 0 ? Schedules::all : Schedules::first;
    options.seed = dice;
    options.step_limit = 30'000;
    options.quiet_step_limit = 5'000;
    return options;
}

Exploration explored(const std::string& text, uint32_t depth, bool interpolants, Search search = Search::dfs) {
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.depth = depth;
    options.search = search;
    options.flow = &flow;
    options.cut = Cut::v3;
    options.interpolants = interpolants;
    options.step_limit = 3'000'000;
    return explore(*model.program, options);
}

} // namespace

TEST_CASE("law of interpolants: the same targets are covered, on random models") {
    Seen seen;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        const size_t dice = text.size();
        model.program = instrument(*model.program, dice % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Flow flow = analyse(*model.program);
        return compare(*model.program, options_of(dice, flow), seen);
    };
    check_law(
        400,
        [](uint32_t seed) { return "(define (took m) #t)\n(define (gave m) #t)\n" + RandomProtocol(seed, {}).text(); },
        law);
    MESSAGE(seen.compared << " searches compared, " << seen.full << " interpolants, " << seen.subsumed
                          << " states subsumed, steps " << seen.steps_with << " instead of " << seen.steps);
    CHECK(enough(seen.compared, 150));
    CHECK(enough(seen.full, 1000));
    CHECK(enough(seen.subsumed, 200));
}

TEST_CASE("law of interpolants: the same targets are covered, on the shipped models") {
    Seen seen;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow& flow) {
        for (uint32_t depth = 2; depth <= 3; ++depth)
            for (const Search search : all_searches) {
                ExploreOptions options;
                options.flow = &flow;
                options.depth = depth;
                options.search = search;
                options.cut = Cut::v3;
                options.step_limit = scaled(20'000);
                INFO(name, ", depth ", depth, ", search ", static_cast<int>(search));
                CHECK(compare(program, options, seen) == "");
            }
    });
    MESSAGE(seen.compared << " searches compared, " << seen.subsumed << " states subsumed");
    CHECK(seen.subsumed > 20);
}

// Independent two-way branches on the same data, and a target that their data cannot come to.
std::string branches(const std::string& shape, int k) {
    std::string text, end;
    const std::string limit = std::to_string(2 * k);
    if (shape == "sum") {
        text = "(define sum 0)";
        for (int i = 0; i < k; ++i) text += "(if (read bool) (set! sum (+ sum 1)) (set! sum (+ sum 2)))";
        end = "(> sum " + limit + ")";
    } else if (shape == "table") {
        text = "(define t (make-hash-table)) (hash-table-set! t 'sum 0)"
               "(define (add n) (hash-table-set! t 'sum (+ n (hash-table-ref t 'sum))))";
        for (int i = 0; i < k; ++i) text += "(if (read bool) (add 1) (add 2))";
        end = "(> (hash-table-ref t 'sum) " + limit + ")";
    } else {
        text = "(define left 'off) (define right 'off)";
        for (int i = 0; i < k; ++i)
            text +=
                "(if (read bool) (begin (set! left 'on) (set! right 'off)) (begin (set! left 'off) (set! right 'on)))";
        end = "(and (eq? left 'on) (eq? right 'on))";
    }
    return text + "(if " + end + " (checkpoint never))";
}

TEST_CASE("independent branches take time with their number, not with their product") {
    for (const char* shape : {"sum", "table", "states"})
        for (const int k : {4, 8, 16, 32, 64}) {
            const Exploration found = explored(branches(shape, k), static_cast<uint32_t>(k) + 2, true);
            CAPTURE(shape);
            CAPTURE(k);
            CHECK(found.complete);
            CHECK(found.statistics.paths <= 2 * static_cast<uint64_t>(k) + 2);
        }
}

TEST_CASE("so they do in orders that wander, by confirmation") {
    for (const Search search : {Search::bfs, Search::random, Search::distance})
        for (const char* shape : {"sum", "table", "states"}) {
            CAPTURE(shape);
            CAPTURE(static_cast<int>(search));
            for (const int k : {4, 8, 16, 32, 64}) {
                const Exploration found = explored(branches(shape, k), static_cast<uint32_t>(k) + 2, true, search);
                CAPTURE(k);
                CHECK(found.complete);
                CHECK(found.statistics.paths <= 2 * static_cast<uint64_t>(k) + 2);
                CHECK(found.statistics.vm_steps < 1'000 * static_cast<uint64_t>(k));
                CHECK(found.statistics.confirmations > found.statistics.confirmations_failed);
            }
        }
}

TEST_CASE("what a counter must stay below is learnt, and not what it was") {
    // Tries are counted in two ways. The target lies behind ten.
    const std::string text = R"((define tries 0)
        (define (wait) (if (read bool) (set! tries (+ tries 1)) (set! tries (+ tries 2))))
        (wait) (wait) (wait)
        (if (> tries 9) (checkpoint never)))";
    const Exploration with = explored(text, 6, true), without = explored(text, 6, false);
    CHECK(without.statistics.paths == 8);
    CHECK(with.statistics.paths == 4);
    CHECK(with.statistics.subsumed == 2);
}
