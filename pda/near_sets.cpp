#include "pda/pda.hpp"
#include "pda/return_costs.hpp"

namespace espalier::pda {

NearSets::NearSets(const Graph& graph, std::span<const uint64_t> sets)
    : masks_(graph.node_count(), 0), after_call_(graph.node_count(), 0) {
    const ReturnCosts returns(graph, 0);
    for (const TargetId target : graph.targets())
        for (const NodeId node : graph.checkpoints(target)) offer(node, sets[raw(target)] & ~pops);
    while (!grown_.empty()) {
        const NodeId node = grown_.back();
        grown_.pop_back();
        const uint64_t mask = masks_[raw(node)];
        for (const EdgeId edge : graph.incoming(node))
            if (graph.cost(edge) == 0 && returns.through(graph.from(edge)) == 0) offer(graph.from(edge), mask);
        if (!graph.is_root(node)) continue;
        for (const auto users : {graph.callers(graph.procedure(node)), graph.spawners(graph.procedure(node))})
            for (const NodeId user : users) offer(user, mask);
    }
    for (const NodeId node : graph.nodes())
        if (returns.of(node) == 0) masks_[raw(node)] |= pops;
    for (const NodeId node : graph.nodes()) {
        if (graph.kind(node) != NodeKind::call) continue;
        for (const EdgeId edge : graph.edges(node))
            if (graph.cost(edge) == 0) after_call_[raw(node)] |= masks_[raw(graph.to(edge))];
    }
}

void NearSets::offer(NodeId node, uint64_t sets) {
    if ((sets & ~masks_[raw(node)]) == 0) return;
    masks_[raw(node)] |= sets;
    grown_.push_back(node);
}

uint64_t NearSets::after_pop(const PendingCall* stack) {
    // Down to the first frame that is known, or under which nothing is near; and up again.
    uint64_t below = 0;
    for (const PendingCall* frame = stack; frame != nullptr; frame = frame->parent) {
        if (frame->near_of == this) {
            below = frame->near;
            break;
        }
        unknown_.push_back(frame);
        if ((after_call_[raw(frame->call)] & pops) == 0) break;
    }
    for (; !unknown_.empty(); unknown_.pop_back()) {
        const PendingCall& frame = *unknown_.back();
        const uint64_t inside = after_call_[raw(frame.call)];
        below = (inside & pops) == 0 ? inside : (inside & ~pops) | below;
        frame.near = below;
        frame.near_of = this;
    }
    return below;
}

} // namespace espalier::pda
