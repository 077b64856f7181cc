#include "pda/return_costs.hpp"

#include "pda/distance.hpp"

namespace espalier::pda {

ReturnCosts::ReturnCosts(const Graph& graph, Distance limit, Charging charging)
    : graph_(graph), limit_(limit), returns_(graph.node_count(), unreachable), through_(graph.node_count(), 0),
      after_(graph.node_count(), unreachable), after_edges_(graph.node_count(), no_edge),
      through_callees_(graph.node_count(), no_procedure), queue_(limit) {
    for (const NodeId node : graph.nodes()) {
        if (graph.kind(node) == NodeKind::call) through_[raw(node)] = unreachable;
        if (graph.kind(node) == NodeKind::ret) {
            returns_[raw(node)] = 0;
            queue_.push(0, node);
        }
    }
    while (const auto entry = queue_.take()) {
        const auto [cost, node] = *entry;
        if (cost > returns_[raw(node)]) continue; // an older, longer entry
        for (const EdgeId edge : graph.incoming(node)) {
            const NodeId from = graph.from(edge);
            const Distance after = add(cost, charging == Charging::none ? 0 : graph.cost(edge), limit);
            if (after < after_[raw(from)]) {
                after_[raw(from)] = after;
                after_edges_[raw(from)] = edge;
                relax(from);
            }
        }
        if (!graph.is_root(node)) continue;
        for (const NodeId call : graph.callers(graph.procedure(node))) {
            if (cost < through_[raw(call)]) {
                through_[raw(call)] = cost;
                through_callees_[raw(call)] = graph.procedure(node);
                relax(call);
            }
        }
    }
}

void ReturnCosts::relax(NodeId node) {
    const Distance cost = add(through_[raw(node)], after_[raw(node)], limit_);
    if (cost < returns_[raw(node)]) {
        returns_[raw(node)] = cost;
        queue_.push(cost, node);
    }
}

} // namespace espalier::pda
