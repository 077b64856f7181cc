// Graphs made by hand: what they hold, and what is refused.
#include <doctest/doctest.h>

#include "pda/pda.hpp"

using namespace espalier::pda;

namespace {

std::string errors_of(GraphBuilder builder) {
    const auto result = std::move(builder).build();
    std::string text;
    if (const auto* errors = std::get_if<std::vector<BuildError>>(&result)) {
        for (const BuildError& error : *errors) text += error.text + '\n';
    }
    return text;
}

} // namespace

TEST_CASE("a graph knows its edges, callers and checkpoints, forwards and backwards") {
    GraphBuilder builder;
    const ProcedureId p = builder.add_procedure("p");
    const ProcedureId q = builder.add_procedure("q");
    const NodeId call = builder.add_node(p, NodeKind::call, "call", "m.scm:1:1");
    const NodeId spawn = builder.add_node(p, NodeKind::spawn, "spawn");
    const NodeId one = builder.add_node(q, NodeKind::checkpoint, "one");
    const NodeId two = builder.add_node(q, NodeKind::checkpoint, "two");
    builder.set_root(p, call);
    builder.set_root(q, one);
    builder.add_callee(call, q);
    builder.add_callee(call, p);
    builder.add_callee(spawn, q);
    const TargetId target = builder.target("t");
    CHECK(builder.target("t") == target);
    builder.set_target(one, target);
    builder.set_target(two, target);
    builder.add_edge(one, two, Cost::charged);
    builder.add_edge(call, spawn);
    builder.add_edge(spawn, two);
    builder.add_edge(call, call);
    const Graph graph = std::get<Graph>(std::move(builder).build());

    const auto list = [](auto range) { return std::vector(range.begin(), range.end()); };
    std::vector<NodeId> after_call;
    for (const EdgeId edge : graph.edges(call)) {
        CHECK(graph.from(edge) == call);
        after_call.push_back(graph.to(edge));
    }
    CHECK(after_call == std::vector{spawn, call});
    CHECK(list(graph.callees(call)) == std::vector{q, p});
    CHECK(list(graph.callers(q)) == std::vector{call});
    CHECK(list(graph.spawners(q)) == std::vector{spawn});
    CHECK(list(graph.spawners(p)).empty());
    CHECK(list(graph.checkpoints(target)) == std::vector{one, two});
    CHECK(graph.incoming(two).size() == 2);
    for (const EdgeId edge : graph.incoming(two)) {
        CHECK(graph.is_jump(edge) == (graph.from(edge) == spawn));
        CHECK(graph.cost(edge) == (graph.from(edge) == one ? 1 : 0));
    }
    CHECK(graph.is_root(one));
    CHECK_FALSE(graph.is_root(two));
    CHECK(graph.target(call) == no_target);
    CHECK(graph.name(call) == "call");
    CHECK(graph.label(call) == "m.scm:1:1");
    CHECK(graph.label(spawn).empty());
    CHECK(graph.name(target) == "t");
    CHECK(graph.name(q) == "q");
}

TEST_CASE("a graph that breaks the rules is refused, with everything that is wrong") {
    GraphBuilder builder;
    const ProcedureId p = builder.add_procedure("p");
    const ProcedureId q = builder.add_procedure();
    builder.add_procedure("rootless");
    const NodeId call = builder.add_node(p, NodeKind::call, "call");
    const NodeId ret = builder.add_node(q, NodeKind::ret, "ret");
    const NodeId checkpoint = builder.add_node(q, NodeKind::checkpoint);
    const NodeId plain = builder.add_node(p, NodeKind::plain, "plain");
    builder.set_root(p, call);
    builder.set_root(q, call);
    builder.add_callee(plain, q);
    builder.set_target(plain, builder.target("t"));
    builder.add_edge(call, ret);
    builder.add_edge(ret, checkpoint);
    CHECK(errors_of(std::move(builder)) ==
          "procedure 1: its root, node 'call', is in procedure 'p'\n"
          "procedure 'rootless' has no root node\n"
          "node 'call': a call node needs a procedure\n"
          "node 2: a checkpoint node needs a target\n"
          "node 'plain': a plain node has no callees\n"
          "node 'plain': a plain node has no target\n"
          "node 'call' is a call node: its return point node 'ret' must be in its own procedure 'p'\n"
          "node 'ret' is a return node: it has no edges, a return goes where the stack says\n");
}
