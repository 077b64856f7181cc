// The whole analysis: the fixpoint, then the automaton, then the statistics of both.
#include <ctime>

#include "flowanalysis/automaton/builder.hpp"
#include "flowanalysis/evaluate/analyser.hpp"
#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

namespace {

FlowStatistics statistics_of(const FlowTables& tables, const flow::Analyser& analyser, std::clock_t start) {
    FlowStatistics s;
    std::vector<bool> seen(tables.program->lambdas.size(), false);
    for (const Variant& v : tables.variants) {
        s.lambdas += seen[index(v.lambda)] ? 0 : 1;
        seen[index(v.lambda)] = true;
    }
    s.procedures = tables.variants.size();
    s.nodes = tables.graph.node_count();
    s.edges = tables.graph.edge_count();
    s.values = analyser.context().domain.size();
    s.objects = analyser.context().objects.size();
    s.blocks = analyser.context().worklist.taken();
    s.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    s.work = analyser.work();
    return s;
}

} // namespace

std::optional<Flow> analyse(const Program& program, const FlowOptions& options, const std::function<bool()>& stop) {
    const std::clock_t start = std::clock();
    flow::Analyser analyser(program, options, stop);
    analyser.run();
    if (analyser.stopped()) return std::nullopt;
    FlowTables tables = flow::FlowBuilder(analyser).build();
    if (analyser.stopped()) return std::nullopt;
    tables.statistics = statistics_of(tables, analyser, start);
    return Flow(std::move(tables));
}

Flow analyse(const Program& program, const FlowOptions& options) {
    return *analyse(program, options, [] { return false; });
}

} // namespace espalier
