// Explanations on random models: the way is a path of the automaton and as short as the oracle says, the obstacle lies
// on it, and what is called infeasible is not found by any other search.
#include <algorithm>

#include "testgen/explain/explanation.hpp"
#include "testgen/generate/generation.hpp"
#include "tests/random/law.hpp"
#include "tests/random/protocol.hpp"

using namespace espalier;
using namespace espalier::test;

namespace {

std::string protocol(uint32_t seed) {
    ProtocolOptions options;
    options.threads = seed % 4 == 0;
    options.inputs = 1 + seed % 3;
    return counting_hooks(options.inputs) + RandomProtocol(seed, options).text();
}

// Without the hook that ends every run, so that the bound must.
std::string server(uint32_t seed) {
    return "(define (took m) #t)\n(define (gave m) #t)\n" + RandomProtocol(seed, {}).text();
}

std::string wrong_with_path(const pda::Graph& graph, pda::NodeId node, const std::vector<pda::Step>& path,
                            pda::Distance& charged) {
    std::vector<pda::NodeId> stack;
    for (const pda::Step& step : path) {
        const auto starts = [&](pda::ProcedureId callee) { return graph.root(callee) == step.node; };
        const bool enters = step.kind == pda::Step::Kind::call || step.kind == pda::Step::Kind::spawn;
        if (enters) {
            if (std::ranges::none_of(graph.callees(node), starts)) return "path: it is not called there";
            if (step.kind == pda::Step::Kind::call)
                stack.push_back(node);
            else
                stack.clear();
        } else {
            const bool returns = step.kind == pda::Step::Kind::ret;
            if (returns && (graph.kind(node) != pda::NodeKind::ret || stack.empty())) return "path: no return there";
            if (graph.from(step.edge) != (returns ? stack.back() : node)) return "path: the edge begins elsewhere";
            if (graph.to(step.edge) != step.node) return "path: the edge leads elsewhere";
            if (!returns && graph.kind(node) == pda::NodeKind::call) return "path: a call is passed by";
            if (returns) stack.pop_back();
            charged += static_cast<pda::Distance>(graph.cost(step.edge));
        }
        node = step.node;
    }
    return "";
}

struct Seen {
    size_t ways = 0, dead = 0, conditions = 0, refuted = 0, infeasible_by_search = 0, infeasible = 0, tried = 0;
};

// Of one target that is not covered.
std::string wrong_with(const Program& program, const Flow& flow, const Exploration& found, const Explainer& explainer,
                       TargetId target, Seen& seen) {
    const std::string name = " of " + target_id(program.targets[index(target)]);
    const Explanation e = explainer.explain_fully(target);
    const auto path = explainer.path(target);
    const pda::NodeId start = flow.graph().root(flow[flow.variant(program.top, no_label)].procedure);
    const pda::TargetId wanted[] = {flow.target(target)};
    constexpr pda::Distance far = 10'000;
    const pda::Distance distance = pda::make_guide(flow.graph(), far, wanted)->distance(start, nullptr, far);
    const auto dead = flow.unreachable_targets();
    const bool is_dead = std::find(dead.begin(), dead.end(), target) != dead.end();
    if (path.has_value() == is_dead) return "dead: a way exists or not" + name;
    if ((e.kind == Explanation::Kind::dead) != is_dead) return "dead: what is said" + name;
    if (is_dead) {
        ++seen.dead;
        return distance == pda::unreachable ? "" : "dead: the oracle knows a way" + name;
    }
    ++seen.ways;
    pda::Distance charged = 0;
    if (std::string wrong = wrong_with_path(flow.graph(), start, *path, charged); !wrong.empty()) return wrong + name;
    if (charged != distance || e.stable_states != distance) return "length: not as the oracle says" + name;
    if (!e.way.empty() && e.way.back().kind != WayStep::Kind::target) return "way: it does not end there" + name;
    uint32_t stable = 0;
    for (const WayStep& s : e.way)
        if (s.stable > 0 && s.stable <= stable)
            return "way: stable states are counted wrongly" + name;
        else if (s.stable > 0)
            stable = s.stable;
    if (stable > distance) return "way: more stable states than the path has" + name;
    if (e.kind != Explanation::Kind::condition) return "";
    // The condition is the first on the way that was not taken, and its other side was.
    ++seen.conditions;
    const Story& story = found.story;
    bool other_taken = false;
    for (uint32_t v = 0; v < flow.variants().size(); ++v) {
        const Lambda& lambda = program[flow[VariantId{v}].lambda];
        for (uint32_t b = 0; b < lambda.block_count; ++b) {
            const Terminator& t = program[BlockId{lambda.first_block + b}].terminator;
            if (!(t.span == e.at) || !std::holds_alternative<terminator::Branch>(t.kind)) continue;
            other_taken = other_taken || (e.value ? story.traces[v].other[b] : story.traces[v].then[b]);
            if (e.refuted > 0 && story.refuted.count({t.label, e.value ? 0U : 1U}) > 0) ++seen.refuted;
        }
    }
    if (!other_taken && e.refuted == 0) return "obstacle: the branch was never come to" + name;
    if (e.taken >= e.way.size() || !(e.way[e.taken].at == e.at))
        return "obstacle: it is not what was missed first" + name;
    return "";
}

} // namespace

TEST_CASE("the way that is told is a path of the automaton, and the obstacle lies on it") {
    Seen seen;
    const auto law = [&](const std::string& text) -> std::string {
        Model model = compile_text(text);
        if (!model.program) return "check: the model is wrong";
        model.program = instrument(*model.program, text.size() % 2 == 0 ? Criteria::all() : Criteria::standard());
        const Program& program = *model.program;
        const Flow flow = analyse(program);
        ExploreOptions options;
        options.depth = 1 + static_cast<uint32_t>(text.size() % 3);
        options.step_limit = 20'000;
        options.quiet_step_limit = 5'000;
        options.flow = &flow;
        options.trace = true;
        const Exploration found = explore(program, options);
        options.trace = false;
        const Exploration untraced = explore(program, options);
        if (untraced.statistics.vm_steps != found.statistics.vm_steps || untraced.covered != found.covered)
            return "trace: it changes the search";
        const Explainer explainer(program, model.sources, flow, found, Schedules::first);
        for (uint32_t t = 0; t < program.targets.size(); ++t) {
            if (found.covered[t]) continue;
            std::string wrong = wrong_with(program, flow, found, explainer, TargetId{t}, seen);
            if (!wrong.empty()) return wrong;
        }
        return "";
    };
    check_law(60, protocol, law);
    check_law(40, server, law);
    MESSAGE(seen.ways << " ways, " << seen.dead << " dead, " << seen.conditions << " conditions");
    CHECK(enough(seen.ways, 100));
    CHECK(enough(seen.dead, 1));
    CHECK(enough(seen.conditions, 20));
    CHECK(enough(seen.refuted, 1));
}

TEST_CASE("what is called infeasible is not found by other searches that go deeper") {
    Seen seen;
    const StopSignals signals;
    const auto law = [&](const std::string& text) -> std::string {
        for (const Cutting cut : {Cutting::off, Cutting::flow, Cutting::v1, Cutting::v2, Cutting::v3}) {
            Model model = compile_text(text);
            if (!model.program) return "check: the model is wrong";
            GenerateOptions options;
            options.cut = cut;
            options.depth = 1 + static_cast<uint32_t>(text.size() % 4);
            options.quiet = true;
            options.step_limit = 30'000;
            options.schedules = text.size() % 3 == 0 ? Schedules::all : Schedules::first;
            const auto result = generate(model, options, signals);
            if (!result) return "generate: " + result.problem().text;
            const Program& program = *model.program;
            std::vector<TargetId> infeasible;
            for (uint32_t t = 0; t < program.targets.size(); ++t)
                if (result->suite.targets[t].status == TargetStatus::infeasible) infeasible.push_back(TargetId{t});
            if (infeasible.empty()) continue;
            seen.infeasible += infeasible.size();
            const auto dead = analyse(program).unreachable_targets();
            for (const TargetId t : infeasible)
                if (std::find(dead.begin(), dead.end(), t) == dead.end()) ++seen.infeasible_by_search;
            if (cut == Cutting::off && result->found.statistics.ended_by_bound > 0)
                return "off: marked infeasible by the analysis";
            for (const Search search : {Search::dfs, Search::bfs, Search::random}) {
                ExploreOptions deeper;
                deeper.depth = options.depth + 2;
                deeper.search = search;
                deeper.schedules = Schedules::all;
                deeper.step_limit = 60'000;
                deeper.quiet_step_limit = 10'000;
                deeper.targets = infeasible;
                deeper.all_targets = false;
                const Exploration found = explore(program, deeper);
                ++seen.tried;
                for (const TargetId t : infeasible)
                    if (found.covered[index(t)])
                        return "infeasible: " + target_id(program.targets[index(t)]) + " is found, cut " +
                               std::string(word_of(cut));
            }
        }
        return "";
    };
    check_law(60, protocol, law);
    check_law(25, server, law);
    MESSAGE(seen.infeasible << " infeasible, " << seen.infeasible_by_search << " of them by search; " << seen.tried
                            << " other searches");
    if (std::getenv("ESPALIER_SEED") != nullptr) return;
    CHECK(seen.infeasible > 100);
    CHECK(seen.infeasible_by_search > 10);
}

TEST_CASE("of a target that was found nothing is said to stand in the way") {
    Model model = compile_text("(define n (read)) (if (= n 5) (checkpoint five))");
    REQUIRE(model.program);
    const Flow flow = analyse(*model.program);
    const Exploration found = explore(*model.program);
    const Explainer explainer(*model.program, model.sources, flow, found, Schedules::first);
    REQUIRE(found.covered.at(0));
    const Explanation why = explainer.explain(TargetId{0}); // as where its test was left out
    CHECK(why.kind == Explanation::Kind::left_out);
    CHECK(to_text(why, model.sources) == "a test for it was found, but there was no time to replay it");
}
