// What random automata are too small or too even to show.
#include <doctest/doctest.h>

#include <deque>

#include "tests/pda/parsed.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

// The pattern with i for each $ and i - 1 for each %.
std::string numbered(std::string_view pattern, int i) {
    std::string text;
    for (const char c : pattern) {
        if (c == '$' || c == '%')
            text += std::to_string(c == '$' ? i : i - 1);
        else
            text += c;
    }
    return text;
}

// main calls p(n), which calls p(n-1) twice, and so on down to p0, which has one stable state; then the
// checkpoint `end`, at distance 2^n.
std::string doubling(int n) {
    std::string text = numbered("procedure main m0\n"
                                "node m0 main call p$\n"
                                "node m1 main checkpoint end\n"
                                "edge m0 m1\n"
                                "procedure p0 a0\n"
                                "node a0 p0 stable\n"
                                "node z0 p0 return\n"
                                "edge a0 z0\n",
                                n);
    for (int i = 1; i <= n; ++i)
        text += numbered("procedure p$ a$\n"
                         "node a$ p$ call p%\n"
                         "node b$ p$ call p%\n"
                         "node z$ p$ return\n"
                         "edge a$ b$\n"
                         "edge b$ z$\n",
                         i);
    return text;
}

NodeId node_named(const Graph& graph, std::string_view name) {
    for (const NodeId node : graph.nodes()) {
        if (graph.name(node) == name) return node;
    }
    FAIL("no node " << name);
    return no_node;
}

TargetId target_named(const Graph& graph, std::string_view name) {
    for (const TargetId target : graph.targets()) {
        if (graph.name(target) == name) return target;
    }
    FAIL("no target " << name);
    return no_target;
}

} // namespace

TEST_CASE("costs that double with each procedure are exact up to the limit, and stop there") {
    CHECK(answers(doubling(10) + "query m0 [] 5000 end\nquery m0 [] 1024 end\nquery m0 [] 1023 end\n") ==
          "reachable 1024\nreachable 1024\nunreachable\n");
    CHECK(answers(doubling(31) + "query m0 [] 4294967294 end\n") == "reachable 2147483648\n");
    CHECK(answers(doubling(32) + "query m0 [] 4294967294 end\n") == "unreachable\n");
    CHECK(answers(doubling(200) + "query m0 [] 1000000 end\n") == "unreachable\n");
}

TEST_CASE("what lies beyond the limit is still reachable at some distance") {
    const Document document = parsed(doubling(200));
    ReachableSet reachable(document.graph);
    reachable.add(node_named(document.graph, "m0"), nullptr);
    CHECK(reachable.contains(target_named(document.graph, "end")));
    CHECK(reachable.contains(node_named(document.graph, "z0")));

    ReachableSet from_the_end(document.graph);
    from_the_end.add(node_named(document.graph, "m1"), nullptr);
    CHECK_FALSE(from_the_end.contains(node_named(document.graph, "m0")));
}

TEST_CASE("where nothing is charged, every oracle says what is reachable at some distance") {
    const Document document = parsed(doubling(200));
    const Graph free = document.graph.uncharged();
    const TargetId targets[] = {target_named(free, "end")};
    for (const OracleKind kind : {OracleKind::v1, OracleKind::v2, OracleKind::v3}) {
        const auto oracle = make_oracle(kind, free, 0, targets);
        CHECK(oracle->reachable_within(node_named(free, "m0"), nullptr, 0));
        const PendingCall pending{node_named(free, "m0")};
        CHECK(oracle->reachable_within(node_named(free, "b200"), &pending, 0));
        CHECK_FALSE(oracle->reachable_within(node_named(free, "b200"), nullptr, 0));
    }
}

TEST_CASE("a route may be far longer than the automaton is large, and is found step by step") {
    const Document document = parsed(doubling(30));
    const TargetId targets[] = {target_named(document.graph, "end")};
    const auto guide = make_guide(document.graph, max_limit, targets);
    const auto route = guide->route(node_named(document.graph, "m0"), nullptr);
    REQUIRE(route != nullptr);
    Distance cost = 0;
    for (int step = 0; step < 10'000; ++step) {
        const auto next = route->next();
        REQUIRE(next.has_value());
        if (next->edge != no_edge) cost += document.graph.cost(next->edge);
    }
    CHECK(cost > 1000);
}

TEST_CASE("around a cycle of cost 0, nodes whose target is covered do not support each other") {
    const Document document = parsed("procedure main a\n"
                                     "node a main plain\n"
                                     "node b main plain\n"
                                     "node near main checkpoint near\n"
                                     "node wait main stable\n"
                                     "node far main checkpoint far\n"
                                     "edge a b\n"
                                     "edge b a\n"
                                     "edge a near\n"
                                     "edge b wait\n"
                                     "edge wait far\n");
    const Graph& graph = document.graph;
    const TargetId targets[] = {target_named(graph, "near"), target_named(graph, "far")};
    const auto oracle = make_oracle(OracleKind::v3, graph, 5, targets);
    const NodeId a = node_named(graph, "a");
    const NodeId b = node_named(graph, "b");
    CHECK(oracle->distance(a, nullptr, 5) == 0);
    CHECK(oracle->distance(b, nullptr, 5) == 0);
    oracle->cover(targets[0]);
    CHECK(oracle->distance(a, nullptr, 5) == 1);
    CHECK(oracle->distance(b, nullptr, 5) == 1);
    oracle->cover(targets[1]);
    CHECK(oracle->distance(a, nullptr, 5) == unreachable);
    CHECK(oracle->distance(b, nullptr, 5) == unreachable);
}

TEST_CASE("covering a target repairs what hangs from it, and nothing else") {
    // A hub with a hundred arms, each of nine stable states and a target at its end.
    std::string text = "procedure main hub\nnode hub main plain\n";
    for (int arm = 0; arm < 100; ++arm) {
        for (int i = 10 * arm; i < 10 * arm + 9; ++i)
            text +=
                numbered(i % 10 == 0 ? "node n$ main stable\nedge hub n$\n" : "node n$ main stable\nedge n% n$\n", i);
        text += numbered("node n$ main checkpoint t$\nedge n% n$\n", 10 * arm + 9);
    }
    const Document document = parsed(text);
    std::vector<TargetId> targets;
    for (const TargetId target : document.graph.targets()) targets.push_back(target);
    const auto oracle = make_oracle(OracleKind::v3, document.graph, 20, targets);
    for (const TargetId target : targets) {
        const uint64_t before = oracle->work().repaired_nodes;
        oracle->cover(target);
        CHECK(oracle->work().repaired_nodes - before <= 11); // the arm, and perhaps the hub
        oracle->cover(target);                               // a second time nothing changes
        CHECK(oracle->work().repaired_nodes - before <= 11);
    }
}

TEST_CASE("a frame remembers its answer, for the oracle and the targets it was asked about") {
    const Document document = parsed("procedure main m0\n"
                                     "node m0 main call p\n"
                                     "node m1 main checkpoint A\n"
                                     "node m2 main stable\n"
                                     "node m3 main checkpoint B\n"
                                     "edge m0 m1\n"
                                     "edge m1 m2\n"
                                     "edge m2 m3\n"
                                     "procedure p p0\n"
                                     "node p0 p return\n");
    const Graph& graph = document.graph;
    const TargetId a[] = {target_named(graph, "A")};
    const TargetId b[] = {target_named(graph, "B")};
    const auto to_a = make_oracle(OracleKind::v3, graph, 5, a);
    const auto to_b = make_oracle(OracleKind::v3, graph, 5, b);
    const PendingCall frame{node_named(graph, "m0")};
    const NodeId p0 = node_named(graph, "p0");
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(to_a->distance(p0, &frame, 5) == 0);
        CHECK(to_b->distance(p0, &frame, 5) == 1);
    }
    to_a->cover(a[0]);
    CHECK(to_a->distance(p0, &frame, 5) == unreachable);
    CHECK(to_b->distance(p0, &frame, 5) == 1);
    to_a->retarget(b);
    CHECK(to_a->distance(p0, &frame, 5) == 1);
}

TEST_CASE("a stack of a million frames is no deeper for the machine") {
    const Document document = parsed("procedure main m0\n"
                                     "node m0 main call p\n"
                                     "node m1 main checkpoint end\n"
                                     "edge m0 m1\n"
                                     "procedure p p0\n"
                                     "node p0 p call p\n"
                                     "node p1 p return\n"
                                     "edge p0 p1\n");
    const Graph& graph = document.graph;
    std::vector<NodeId> calls(1'000'000, node_named(graph, "p0"));
    calls.push_back(node_named(graph, "m0"));
    const Stack stack(calls);
    for (const OracleKind kind : {OracleKind::v1, OracleKind::v2, OracleKind::v3}) {
        const TargetId targets[] = {target_named(graph, "end")};
        const auto oracle = make_oracle(kind, graph, 3, targets);
        CHECK(oracle->distance(node_named(graph, "p1"), stack.top(), 3) == 0);
        oracle->cover(targets[0]);
        CHECK(oracle->distance(node_named(graph, "p1"), stack.top(), 3) == unreachable);
    }
    ReachableSet reachable(graph);
    reachable.add(node_named(graph, "p1"), stack.top());
    CHECK(reachable.contains(target_named(graph, "end")));
}

TEST_CASE("an automaton with nothing in it") {
    const Document document = parsed("");
    CHECK(document.graph.node_count() == 0);
    for (const OracleKind kind : {OracleKind::v1, OracleKind::v2, OracleKind::v3})
        CHECK(make_oracle(kind, document.graph, 0, {}) != nullptr);
}
