// The law of cutting: a search that ends by itself covers the same targets whether states are cut or not, whichever
// oracle answers and in whatever order it goes; and it never needs more steps or questions.
#include <array>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

#include "symexec/search/explorer.hpp"
#include "symexec/symexec.hpp"
#include "tests/random/concrete.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"
#include "tests/random/shipped.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

struct Counted {
    uint64_t compared = 0, cuts = 0, steps = 0, steps_cut = 0, asked = 0;
    std::map<std::string, uint64_t> cuts_by_info; // "", " without targets", …
};

// A way of searching that follows at most the states that the base algorithm follows.
struct Way {
    const char* name;
    Cut cut;
    CutParts parts = CutParts::all;
    bool target_info = true, bound_info = true;
};
constexpr std::array<Way, 14> ways{{{"v3", Cut::v3},
                                    {"v2", Cut::v2},
                                    {"v1", Cut::v1},
                                    {"v3 without targets", Cut::v3, CutParts::all, false, true},
                                    {"v2 without targets", Cut::v2, CutParts::all, false, true},
                                    {"v1 without targets", Cut::v1, CutParts::all, false, true},
                                    {"v3 without bound", Cut::v3, CutParts::all, true, false},
                                    {"v2 without bound", Cut::v2, CutParts::all, true, false},
                                    {"v1 without bound", Cut::v1, CutParts::all, true, false},
                                    {"v3 with neither", Cut::v3, CutParts::all, false, false},
                                    {"tracking alone", Cut::v3, CutParts::track},
                                    {"asking v3", Cut::v3, CutParts::ask},
                                    {"asking v2", Cut::v2, CutParts::ask},
                                    {"asking v1", Cut::v1, CutParts::ask}}};

// What differs between searching with and without cutting, or nothing.
std::string difference(const Program& program, const Flow& flow, ExploreOptions options, Counted& counted,
                       std::span<const Way> how = ways) {
    options.flow = &flow;
    const Exploration plain = explore(program, options);
    if (!plain.complete || plain.statistics.sat_unknown > 0) return "";
    std::map<std::string, uint64_t> cuts;
    for (const Way& way : how) {
        const std::string which = way.name;
        options.cut = way.cut;
        options.cut_parts = way.parts;
        options.target_info = way.target_info;
        options.bound_info = way.bound_info;
        const Exploration found = explore(program, options);
        if (!found.complete) return "ended: " + which + " by " + to_text(found.ended_by);
        for (uint32_t t = 0; t < plain.covered.size(); ++t)
            if (plain.covered[t] != found.covered[t])
                return "covered: " + which + (found.covered[t] ? " alone covers " : " loses ") +
                       target_id(program.targets[t]);
        const Statistics &a = plain.statistics, &b = found.statistics;
        if (b.vm_steps > a.vm_steps) return "steps: " + which + " needs more";
        // The path that comes upon a model error first may be cut: then another shows it, with inputs of its own.
        const uint64_t without = a.sat_queries - a.error_queries, with = b.sat_queries - b.error_queries;
        if (with > without && !options.memo) return "queries: " + which + " needs more";
        if (way.parts != CutParts::all) {
            if (b.vm_steps != a.vm_steps || b.sat_queries != a.sat_queries || b.states_forked != a.states_forked)
                return "same: " + which + " must not change the search";
            if (b.disproved != 0) return "no: " + which + " said it of a path that covers something";
            if (b.cuts != 0 || (way.parts == CutParts::track && b.sp_queries != 0)) return "asked: " + which;
            counted.asked += b.sp_queries;
            continue;
        }
        const auto [as_v3, is_v3] = cuts.try_emplace(which.substr(2), b.cuts);
        if (as_v3->second != b.cuts) return "answers: " + which + " cuts otherwise than v3";
        if (which != "v3") continue;
        ++counted.compared;
        counted.cuts += b.cuts;
        counted.steps += a.vm_steps;
        counted.steps_cut += b.vm_steps;
    }
    for (const auto& [info, number] : cuts) counted.cuts_by_info[info] += number;
    return "";
}

} // namespace

TEST_CASE("law of cutting: the same targets are covered, on random models") {
    Counted counted;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: it does not compile";
        const size_t dice = text.size(); // of the text, so that a smaller model is searched alike or not at all
        model.program = instrument(*model.program, dice % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.depth = 1 + static_cast<uint32_t>(dice / 2 % 4);
        options.search = static_cast<Search>(dice / 8 % 4);
        options.memo = dice / 5 % 2 == 0;
        options.seed = dice;
        options.schedules = dice / 24 % 3 == 0 ? Schedules::all : Schedules::first;
        options.step_limit = 30'000;
        options.quiet_step_limit = 5'000;
        return difference(*model.program, flow, options, counted);
    };
    const auto generate = [](uint32_t seed) {
        ProtocolOptions options;
        options.settings = seed % 3 == 0;
        return counting_hooks(options.inputs) + RandomProtocol(seed, options).text();
    };
    check_law(200, generate, law);
    MESSAGE(counted.compared << " searches compared, " << counted.cuts << " cuts, " << counted.steps_cut << " steps of "
                             << counted.steps);
    if (std::getenv("ESPALIER_SEED") != nullptr) return; // of one model there is nothing to count
    CHECK(enough(counted.compared, 100));
    CHECK(enough(counted.cuts, 500));
    // An oracle that is told less cuts less, and still something.
    for (const char* info : {" without targets", " without bound", " with neither"}) {
        CAPTURE(info);
        if (scaled(200) >= 200) CHECK(counted.cuts_by_info[info] > 0); // fewer models need not have one
        CHECK(counted.cuts_by_info[info] < counted.cuts);
    }
    CHECK(counted.asked > counted.cuts);
}

TEST_CASE("law of cutting: the same targets are covered, on the shipped models") {
    Counted counted;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow& flow) {
        for (uint32_t depth = 1; depth <= 3; ++depth)
            for (const Search search : {Search::dfs, Search::bfs, Search::random, Search::distance}) {
                ExploreOptions options;
                options.memo = depth == 2;
                options.depth = depth;
                options.search = search;
                options.step_limit = scaled(10'000);
                INFO(name, ", depth ", depth, ", search ", static_cast<int>(search));
                CHECK(difference(program, flow, options, counted) == "");
            }
    });
    MESSAGE(counted.compared << " searches compared, " << counted.cuts << " cuts, " << counted.steps_cut << " steps of "
                             << counted.steps);
    CHECK(counted.cuts > 50);
}

TEST_CASE(
    "no configuration of the thesis needs more steps or questions than the base algorithm, on the shipped models") {
    const std::array<Way, 5> thesis{{{"v3", Cut::v3},
                                     {"v2", Cut::v2},
                                     {"v1", Cut::v1},
                                     {"v2 without targets", Cut::v2, CutParts::all, false, true},
                                     {"v2 without bound", Cut::v2, CutParts::all, true, false}}};
    Counted counted;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow& flow) {
        uint64_t compared = counted.compared, before = UINT64_MAX;
        for (uint32_t depth = 1; depth <= 6 && before != compared; ++depth) { // until the base algorithm does not end
            ExploreOptions options;
            options.depth = depth;
            options.step_limit = scaled(200'000);
            INFO(name, ", depth ", depth);
            CHECK(difference(program, flow, options, counted, thesis) == "");
            before = std::exchange(compared, counted.compared);
        }
    });
    MESSAGE(counted.compared << " searches compared, " << counted.cuts << " cuts, " << counted.steps_cut << " steps of "
                             << counted.steps);
    CHECK(enough(counted.steps, 300'000));
    CHECK(counted.steps_cut < counted.steps);
}

TEST_CASE("a search that cuts by a wrong automaton is found out") {
    // The analysis of another model, in which the second message is never awaited.
    const char* text =
        "(define-message A (x int)) (define-port p in A)"
        "(define (go n) (let ((x (A-x (read p)))) (if (= x 7) (checkpoint seven)) (if (< n 2) (go (+ n 1)))"
        "  (checkpoint end))) (go 0)";
    Model model = compile_text(text);
    REQUIRE(model.program);
    model.program = instrument(*model.program, Criteria::standard());
    Model other = compile_text(text);
    other.program = instrument(*other.program, Criteria::standard());
    for (Block& b : other.program->blocks) // no branch is ever taken
        if (auto* t = std::get_if<terminator::Branch>(&b.terminator.kind)) t->then_block = t->else_block;
    const Flow wrong = analyse(*other.program);
    ExploreOptions options;
    options.depth = 3;
    Counted counted;
    CHECK(difference(*model.program, analyse(*model.program), options, counted) == "");
    CHECK(difference(*model.program, wrong, options, counted).find("covered: v3 loses") == 0);
    // An oracle that is not heeded is found out by the paths themselves.
    for (const Cut cut : {Cut::v1, Cut::v2, Cut::v3}) {
        const Way asking{"asking", cut, CutParts::ask};
        CHECK(difference(*model.program, wrong, options, counted, {&asking, 1}).find("no: asking") == 0);
    }
}

TEST_CASE("what is known of a place of waits is the same where no place is remembered, or only the first") {
    uint64_t cuts = 0;
    with_each_shipped_model([&](const std::string& name, const Program& program, const Flow& flow) {
        for (const Cut cut : {Cut::v2, Cut::v3})
            for (const Search search : {Search::dfs, Search::distance}) {
                INFO(name, ", ", static_cast<int>(cut), ", ", static_cast<int>(search));
                ExploreOptions options;
                options.flow = &flow;
                options.depth = 2;
                options.search = search;
                options.cut = cut;
                options.step_limit = scaled(5'000);
                const Statistics all = explore(program, options).statistics;
                cuts += all.cuts;
                for (const size_t places : {size_t{0}, size_t{1}}) {
                    const Statistics some = sym::Explorer(program, options, {.places = places}).run().statistics;
                    CHECK(some.cuts == all.cuts);
                    CHECK(some.vm_steps == all.vm_steps);
                }
            }
    });
    CHECK(cuts > 50);
}

TEST_CASE("settings: what another configuration has is no target of this one") {
    // A user who is no guest may go on for ever without finding anything new. The guest's target is the last in source
    // order.
    const std::string text =
        "(define-message A (x int)) (define-port p in A)"
        "(define user (choose 'admin 'guest)) (define limit (choose 1 2))"
        "(define (guest?) (eq? user 'guest))"
        "(define (go) (let ((x (A-x (read p)))) (if (> x limit) (checkpoint large) (checkpoint small))"
        "  (if (guest?) (checkpoint guest))) (go)) (go)";
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    CHECK(flow.settings().size() == 2);
    ExploreOptions options;
    options.flow = &flow;
    options.depth = 8;
    for (const Search search : {Search::dfs, Search::bfs, Search::random, Search::distance}) {
        CAPTURE(static_cast<int>(search));
        options.search = search;
        options.cut = Cut::off;
        const Exploration plain = explore(*model.program, options);
        options.cut = Cut::v3;
        const Exploration cut = explore(*model.program, options);
        CHECK(plain.covered == cut.covered);
        CHECK(std::count(cut.covered.begin(), cut.covered.end(), true) == 3);
        CHECK(cut.statistics.vm_steps <= plain.statistics.vm_steps);
        // Depth first, all that an admin does is searched before any guest comes.
        if (search == Search::dfs) {
            CHECK(plain.statistics.states_forked > 400);
            CHECK(cut.statistics.states_forked < 40);
            CHECK(cut.statistics.cuts > 0);
        }
    }
}

TEST_CASE("threads: what waits on an empty channel is as far as the nearest send to it") {
    // The sender needs three messages of the tester's before it sends; the receiver's target comes right after.
    const std::string text = "(define-message A) (define-port p in A) (define-channel c) (define-channel d)"
                             "(spawn-service (begin (receive c) (checkpoint received)))"
                             "(read p) (send d 1) (read p) (read p) (send c 1)";
    // With very many threads, what one has found out about a channel serves all.
    const std::string others = "(define (wait n) (if (> n 0) (begin (spawn-service (receive c)) (wait (- n 1)))))";
    for (const std::string& more : {std::string(), others + "(wait 50)"}) {
        std::string longer = text;
        Model model = compile_text(longer.insert(text.find("(read p)"), more));
        REQUIRE(model.program);
        const Flow flow = analyse(*model.program);
        ExploreOptions options;
        options.cut = Cut::v3;
        options.flow = &flow;
        for (uint32_t depth = 1; depth <= 5; ++depth) {
            CAPTURE(depth);
            CAPTURE(more);
            options.depth = depth;
            const Exploration found = explore(*model.program, options);
            const bool near = depth > 3;
            CHECK(found.covered == std::vector<bool>{near});
            // At depth 1 the bound itself ends the path; up to 3 the first stable state is cut, and nothing is sent.
            CHECK(found.statistics.cuts == (depth > 1 && !near ? 1 : 0));
            CHECK(found.statistics.states_forked == (near ? 3 : 0));
        }
    }
}

TEST_CASE("threads: before the next stable state, only threads that are sent something act, over however many others") {
    // `x` = 7 is passed on from thread to thread until the last one marks it; other values go to a channel of their
    // own, whose reader passes nothing on. There are more channels than a mask has bits.
    constexpr int relays = 70;
    const auto channel = [](int i) { return "c" + std::to_string(i); };
    std::string text = "(define-message A (x int)) (define-port p in A) (define-channel aside)";
    for (int i = 0; i <= relays; ++i) text += "(define-channel " + channel(i) + ")";
    // The last first: so the masks are gone through more than once.
    text += "(spawn-service (begin (receive " + channel(relays) + ") (checkpoint passed-on)))";
    for (int i = relays - 1; i >= 0; --i)
        text += "(spawn-service (begin (receive " + channel(i) + ") (send " + channel(i + 1) + " 1)))";
    text += "(spawn-service (let loop () (receive aside) (loop)))";
    text += "(define x (A-x (read p))) (if (= x 7) (send c0 1) (send aside x)) (read p)";
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.flow = &flow;
    options.depth = 2;
    for (const Cut cut : {Cut::v1, Cut::v2, Cut::v3}) {
        CAPTURE(static_cast<int>(cut));
        options.cut = cut;
        const Exploration found = explore(*model.program, options);
        CHECK(found.covered == std::vector<bool>{true});
        CHECK(found.tests.size() == 1);
    }
    // One waits right before a target and another to wake it, but nothing wakes that one before the next stable state.
    // So the way without `seven` is cut at once, and the one with it when its stable state is reached.
    const std::string asleep = "(define-message A (x int)) (define-port p in A)"
                               "(define-channel near) (define-channel middle) (define-channel aside)"
                               "(spawn-service (begin (receive near) (checkpoint received)))"
                               "(spawn-service (begin (receive middle) (send near 1)))"
                               "(spawn-service (begin (receive aside) (receive aside)))"
                               "(if (= (A-x (read p)) 7) (checkpoint seven))"
                               "(send aside 1) (read p) (read p) (send middle 1)";
    Model other = compile_text(asleep);
    REQUIRE(other.program);
    const Flow other_flow = analyse(*other.program);
    options.flow = &other_flow;
    for (const Cut cut : {Cut::v1, Cut::v2, Cut::v3}) {
        CAPTURE(static_cast<int>(cut));
        options.cut = cut;
        const Exploration found = explore(*other.program, options);
        CHECK(found.covered == std::vector<bool>{false, true});
        CHECK(found.statistics.cuts == 2);
        CHECK(found.statistics.ended_by_bound == 0);
    }
}

TEST_CASE("without the bound, what is cut is what no run can reach, however far the rest is") {
    // Each procedure calls the last one twice, so `far` is 2^40 messages away: more than any table's limit.
    std::string text = "(define-message A (x int)) (define-port p in A) (define (f0) (read p))";
    for (int i = 1; i <= 40; ++i)
        text +=
            "(define (f" + std::to_string(i) + ") (f" + std::to_string(i - 1) + ") (f" + std::to_string(i - 1) + "))";
    text += "(if (= (A-x (read p)) 7) (begin (f40) (checkpoint far))) (read p) (read p)";
    Model model = compile_text(text);
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.flow = &flow;
    options.depth = 3;
    for (const Cut cut : {Cut::v1, Cut::v2, Cut::v3}) {
        CAPTURE(static_cast<int>(cut));
        options.cut = cut;
        options.bound_info = true;
        const Exploration bounded = explore(*model.program, options);
        CHECK(bounded.statistics.cuts == 1); // the first stable state: nothing is read
        options.bound_info = false;
        const Exploration unbounded = explore(*model.program, options);
        CHECK(unbounded.statistics.cuts == 1); // the way on which nothing more comes
        CHECK(unbounded.statistics.states_forked > bounded.statistics.states_forked);
        CHECK(unbounded.statistics.ended_by_bound > 0);
    }
}

TEST_CASE("without the bound, threads: an empty channel that no thread can send to is the end, one far away is not") {
    const std::string text = "(define-message A) (define-port p in A) (define-channel c)"
                             "(spawn-service (begin (receive c) (checkpoint received)))"
                             "(read p) (read p) (read p) (send c 1)";
    const std::string silent = "(define-message A) (define-port p in A) (define-channel c)"
                               "(spawn-service (begin (receive c) (checkpoint received)))"
                               "(if (= 1 (string-length \"a\")) (read p) (send c 1)) (read p)";
    ExploreOptions options;
    options.depth = 2;
    options.bound_info = false;
    for (const Cut cut : {Cut::v1, Cut::v2, Cut::v3}) {
        options.cut = cut;
        const auto cuts = [&](const std::string& of) {
            Model model = compile_text(of);
            REQUIRE(model.program);
            const Flow flow = analyse(*model.program);
            options.flow = &flow;
            return explore(*model.program, options).statistics.cuts;
        };
        CHECK(cuts(text) == 0);
        CHECK(cuts(silent) == 1); // the branch that sends lies behind
    }
}

TEST_CASE("seconds of the parts are there when the parts are, and only then") {
    Model model = load_model(std::string(ESPALIER_SOURCE_DIR) + "/models/examples/login.scm");
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    ExploreOptions options;
    options.step_limit = 10'000;
    const Statistics off = explore(*model.program, options).statistics;
    CHECK(off.tracking_seconds == 0);
    CHECK(off.oracle_seconds == 0);
    options.flow = &flow;
    options.cut = Cut::v3;
    options.cut_parts = CutParts::track;
    const Statistics tracked = explore(*model.program, options).statistics;
    CHECK(tracked.tracking_seconds > 0);
    CHECK(tracked.oracle_seconds == 0);
    options.cut_parts = CutParts::ask;
    const Statistics asked = explore(*model.program, options).statistics;
    CHECK(asked.tracking_seconds > 0);
    CHECK(asked.oracle_seconds > 0);
}
