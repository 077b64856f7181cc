// Reachability at any distance: forwards from given states, each node marked once.
#include <algorithm>
#include <atomic>

#include "pda/pda.hpp"
#include "pda/return_costs.hpp"

namespace espalier::pda {

namespace {
std::atomic<uint64_t> sets_made = 0;
} // namespace

ReachableSet::ReachableSet(const Graph& graph)
    : graph_(graph), number_(++sets_made), returns_(graph.node_count()), returns_after_(graph.node_count()),
      reached_(graph.node_count()) {
    const ReturnCosts costs(graph, 0, Charging::none);
    for (const NodeId node : graph.nodes()) {
        returns_[raw(node)] = costs.of(node) != unreachable;
        returns_after_[raw(node)] = costs.after(node) != unreachable;
    }
}

void ReachableSet::mark(NodeId node) {
    if (!reached_[raw(node)]) {
        reached_[raw(node)] = true;
        worklist_.push_back(node);
    }
}

void ReachableSet::add(NodeId node, const PendingCall* stack) {
    mark(node);
    bool pops = returns_[raw(node)];
    for (const PendingCall* frame = stack; frame != nullptr && pops && frame->reached_in != number_;
         frame = frame->parent) {
        frame->reached_in = number_;
        for (const EdgeId edge : graph_.edges(frame->call)) mark(graph_.to(edge));
        pops = returns_after_[raw(frame->call)];
    }
    while (!worklist_.empty()) {
        const NodeId from = worklist_.back();
        worklist_.pop_back();
        const auto callees = graph_.callees(from);
        for (const ProcedureId callee : callees) mark(graph_.root(callee));
        const bool goes_on =
            graph_.kind(from) != NodeKind::call ||
            std::ranges::any_of(callees, [&](ProcedureId callee) { return returns_[raw(graph_.root(callee))]; });
        if (!goes_on) continue;
        for (const EdgeId edge : graph_.edges(from)) mark(graph_.to(edge));
    }
}

bool ReachableSet::contains(TargetId target) const {
    return std::ranges::any_of(graph_.checkpoints(target), [&](NodeId node) { return contains(node); });
}

} // namespace espalier::pda
