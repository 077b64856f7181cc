// Paths to everything: each is a path of the automaton, as short as the oracle says, and avoids what is disliked where
// it can.
#include <doctest/doctest.h>

#include "tests/pda/parsed.hpp"
#include "tests/pda/random_pda.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

constexpr size_t longest = 100'000;

struct Walk {
    bool possible = true;
    Distance charged = 0, disliked = 0;
    NodeId end;
};

// Takes the steps, as the automaton must be able to.
Walk walk(const Graph& graph, NodeId node, const std::vector<Step>& steps, const Paths::Dislike& dislike) {
    Walk w{true, 0, 0, node};
    std::vector<NodeId> stack;
    for (const Step& step : steps) {
        const auto starts = [&](ProcedureId callee) { return graph.root(callee) == step.node; };
        const NodeKind kind = graph.kind(w.end);
        bool possible = false;
        switch (step.kind) {
        case Step::Kind::edge: possible = kind != NodeKind::call && graph.from(step.edge) == w.end; break;
        case Step::Kind::call:
            possible = kind == NodeKind::call && std::ranges::any_of(graph.callees(w.end), starts);
            stack.push_back(w.end);
            break;
        case Step::Kind::ret:
            possible = kind == NodeKind::ret && !stack.empty() && graph.from(step.edge) == stack.back();
            if (!stack.empty()) stack.pop_back();
            break;
        case Step::Kind::spawn:
            possible = kind == NodeKind::spawn && std::ranges::any_of(graph.callees(w.end), starts);
            stack.clear();
            break;
        }
        if (step.edge != no_edge) {
            possible = possible && graph.to(step.edge) == step.node;
            w.charged += graph.cost(step.edge);
            w.disliked += dislike.edges[raw(step.edge)];
        }
        w.possible = w.possible && possible;
        w.disliked += dislike.nodes[raw(step.node)];
        w.end = step.node;
    }
    return w;
}

// The automaton without whatever is disliked.
Graph without_others(const Graph& graph, const Paths::Dislike& dislike) {
    GraphBuilder builder;
    const ProcedureId nowhere{static_cast<uint32_t>(graph.procedure_count())};
    for (const ProcedureId p : graph.procedures()) builder.add_procedure(std::string(graph.name(p)));
    builder.add_procedure("nowhere");
    for (const TargetId t : graph.targets()) builder.target(std::string(graph.name(t)));
    for (const NodeId node : graph.nodes()) {
        builder.add_node(graph.procedure(node), graph.kind(node), std::string(graph.name(node)));
        if (graph.target(node) != no_target) builder.set_target(node, graph.target(node));
    }
    builder.set_root(nowhere, builder.add_node(nowhere, NodeKind::plain, "nowhere"));
    for (const ProcedureId p : graph.procedures()) builder.set_root(p, graph.root(p));
    for (const NodeId node : graph.nodes()) {
        for (const ProcedureId callee : graph.callees(node))
            builder.add_callee(node, dislike.nodes[raw(graph.root(callee))] == 0 ? callee : nowhere);
        for (const EdgeId edge : graph.edges(node))
            if (dislike.nodes[raw(graph.to(edge))] + dislike.edges[raw(edge)] == 0)
                builder.add_edge(node, graph.to(edge), graph.cost(edge) == 0 ? Cost::free : Cost::charged);
    }
    return std::get<Graph>(std::move(builder).build());
}

} // namespace

TEST_CASE("paths are paths of the automaton, as short as the oracle says, and avoid what is disliked") {
    size_t reached = 0, dead = 0, avoiding = 0, detours = 0;
    for (const uint64_t seed : seeds(2'000)) {
        Random random(seed);
        const Shape shape;
        const Graph graph = random_graph(random, shape);
        Paths::Dislike dislike;
        for (size_t i = 0; i < graph.node_count(); ++i)
            dislike.nodes.push_back(random.percent(80) ? 0 : 1 + random.below(3));
        for (size_t i = 0; i < graph.edge_count(); ++i)
            dislike.edges.push_back(random.percent(90) ? 0 : 1 + random.below(3));
        const NodeId start = graph.root(ProcedureId{0});
        const Paths paths(graph, start, dislike);
        const Graph reduced = without_others(graph, dislike);
        ReachableSet reachable(graph);
        reachable.add(start, nullptr);
        for (const TargetId target : graph.targets()) {
            const TargetId targets[] = {target};
            const auto guide = make_guide(graph, 1000, targets);
            const NodeId node = paths.nearest(target);
            const Distance distance = guide->distance(start, nullptr, 1000);
            INFO("ESPALIER_SEED=" << seed << "\n" << print(graph));
            REQUIRE((node != no_node) == reachable.contains(target));
            REQUIRE((node == no_node ? unreachable : paths.distance(node)) == distance);
            if (node == no_node) {
                ++dead;
                continue;
            }
            ++reached;
            const Walk w = walk(graph, start, paths.to(node, longest), dislike);
            REQUIRE(w.possible);
            REQUIRE(w.end == node);
            REQUIRE(w.charged == distance);
            const bool keeps = make_guide(reduced, 1000, targets)->distance(start, nullptr, 1000) == distance;
            REQUIRE((w.disliked == 0) == keeps);
            ++(keeps ? avoiding : detours);
        }
    }
    CHECK(reached > 0);
    CHECK(dead > 0);
    CHECK(avoiding > 0);
    CHECK(detours > 0);
}

TEST_CASE("a path that is too long to be counted is still a path") {
    // p40 calls p39 twice, and so on: 2^40 stable states.
    std::string text = "procedure main m\nprocedure p0 s0\nnode s0 p0 stable\nnode r0 p0 return\nedge s0 r0\n";
    for (int i = 1; i <= 40; ++i) {
        const std::string n = std::to_string(i), before = std::to_string(i - 1);
        for (const char c : std::string("procedure p# a#\nnode a# p# call p@\nnode b# p# call p@\n"
                                        "node r# p# return\nedge a# b#\nedge b# r#\n"))
            text += c == '#' ? n : c == '@' ? before : std::string(1, c);
    }
    text += "node m main call p40\nnode t main checkpoint done\nedge m t\n";
    const Document document = parsed(text);
    const Graph& graph = document.graph;
    const NodeId start = graph.root(ProcedureId{0});
    const Paths paths(graph, start,
                      {std::vector<uint32_t>(graph.node_count(), 0), std::vector<uint32_t>(graph.edge_count(), 0)});
    const NodeId done = paths.nearest(TargetId{0});
    REQUIRE(done != no_node);
    CHECK(paths.distance(done) == max_limit);
    CHECK(paths.to(done, 1000).size() == 1000);
}
