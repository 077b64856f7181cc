// The worked example of the thesis (Lahola 2010, figure 3.2), and what figure 4.1 makes of it.
#include <algorithm>

#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;
using pda::NodeKind;

namespace {

const char* const worked_example = R"(
(define foo
  (lambda (x)
    (begin
      (checkpoint proc:foo)
      (let ((n (read)))
        (begin
          (if (> n 0)
              (begin (checkpoint b:id=1,true)  (set! n (+ n 1)))
              (begin (checkpoint b:id=1,false) (set! n (* n -1))))
          (letrec ((loop (lambda (i)
                           (if (< i n)
                               (begin (set! x (* x (read)))
                                      (loop (+ i 1)))))))
            (loop 0)))))))
(foo 1)
)";

size_t count(const pda::Graph& graph, NodeKind kind) {
    size_t result = 0;
    for (pda::NodeId n : graph.nodes()) result += graph.kind(n) == kind ? 1 : 0;
    return result;
}

} // namespace

TEST_CASE("the worked example: a procedure for each call site") {
    const Model model = compiled(worked_example);
    const Flow flow = analyse(*model.program);
    const pda::Graph& graph = flow.graph();
    // top, foo, and loop from outside and from inside; the thesis's 0-CFA has one loop.
    CHECK(graph.procedure_count() == 4);
    CHECK(flow.statistics().lambdas == 3);
    CHECK(count(graph, NodeKind::entry) == 4);
    CHECK(count(graph, NodeKind::call) == 1);   // of foo; the loop is a jump
    CHECK(count(graph, NodeKind::stable) == 3); // the read in foo, and that of each loop
    CHECK(count(graph, NodeKind::checkpoint) == 3);
    CHECK(count(graph, NodeKind::ret) == 3);
    CHECK(flow.unreachable_targets().empty());

    FlowOptions monovariant;
    monovariant.call_sites = false;
    CHECK(analyse(*model.program, monovariant).graph().procedure_count() == 3);
}

TEST_CASE("the worked example: distances count the stable states left on the way") {
    const Model model = compiled(worked_example);
    const Flow flow = analyse(*model.program);
    const pda::NodeId start = flow.graph().root(flow[flow.variant(model.program->top, no_label)].procedure);
    std::vector<pda::Distance> distances;
    for (uint32_t t = 0; t < model.program->targets.size(); ++t) {
        const pda::TargetId target = flow.target(TargetId{t});
        distances.push_back(
            pda::make_oracle(pda::OracleKind::v3, flow.graph(), 5, std::span(&target, 1))->distance(start, nullptr, 5));
    }
    CHECK(distances == std::vector<pda::Distance>{0, 1, 1});
}

TEST_CASE("the worked example: from a position to a node and back") {
    const Model model = compiled(worked_example);
    const Program& program = *model.program;
    const Flow flow = analyse(program);
    const VariantId top = flow.variant(program.top, no_label);
    REQUIRE(top != no_variant);
    const BlockId first{program[program.top].first_block};
    const pda::NodeId call = flow.terminator(top, first);
    REQUIRE(flow.graph().kind(call) == NodeKind::call);
    CHECK(flow.place(call).block == first);
    CHECK(flow.place(call).variant == top);
    const Label site = program[first].terminator.label;
    const LambdaId foo = std::get<terminator::Call>(program[first].terminator.kind).known;
    const VariantId entered = flow.variant(foo, site);
    REQUIRE(entered != no_variant);
    CHECK(flow.graph().callees(call)[0] == flow[entered].procedure);
    CHECK(flow.variant(foo, no_label) == no_variant);
    // The first block of foo: box, mark, …, select.
    const BlockId body{program[foo].first_block};
    CHECK(flow.graph().kind(flow.node(entered, body)) == NodeKind::checkpoint);
    CHECK(flow.node(entered, body, 0) == flow.node(entered, body));
    CHECK(flow.node(entered, body, 1) == flow.node(entered, body));       // before the mark
    CHECK(flow.node(entered, body, 2) == flow.terminator(entered, body)); // behind it
    CHECK(flow.graph().kind(flow.terminator(entered, body)) == NodeKind::stable);
}

TEST_CASE("the dump names the procedures and their values") {
    const Model model = compiled(worked_example);
    const std::string text = dump_flow(*model.program, model.sources);
    CHECK(text.find("procedure foo@") != std::string::npos);
    CHECK(text.find("x.0 {1}") != std::string::npos);
    CHECK(text.find("mark proc:foo") != std::string::npos);
}
