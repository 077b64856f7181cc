#include "pda/target_distances.hpp"

#include "pda/distance.hpp"

namespace espalier::pda {

TargetDistances::TargetDistances(const Graph& graph, const ReturnCosts& returns, Distance limit)
    : graph_(graph), returns_(returns), limit_(limit), targets_(graph), distances_(graph.node_count()),
      links_(graph.node_count()), queue_(limit) {
    for (const NodeId node : graph.nodes()) distances_[raw(node)].leaving = returns.of(node);
}

void TargetDistances::solve(std::span<const TargetId> targets) {
    targets_.assign(targets);
    for (Both& both : distances_) both.target = unreachable;
    links_.assign(graph_.node_count(), Link{});
    for (const TargetId target : targets) {
        for (const NodeId node : graph_.checkpoints(target)) offer(node, 0, {Link::Kind::target, raw(target)});
    }
    settle();
}

// Dijkstra's algorithm, backwards, from whatever has been offered.
void TargetDistances::settle() {
    while (const auto entry = queue_.take()) {
        const auto [distance, node] = *entry;
        if (distance > of(node)) continue; // an older, longer entry
        ++visited_nodes_;
        for (const EdgeId edge : graph_.incoming(node)) offer(graph_.from(edge), along(edge), Link::along(edge));
        if (!graph_.is_root(node)) continue;
        const ProcedureId procedure = graph_.procedure(node);
        for (const NodeId call : graph_.callers(procedure)) offer(call, distance, Link::into(procedure));
        for (const NodeId spawn : graph_.spawners(procedure)) offer(spawn, distance, Link::into(procedure));
    }
}

// The distance that an edge gives to the node it leaves.
Distance TargetDistances::along(EdgeId edge) const {
    const Distance step = add(returns_.through(graph_.from(edge)), graph_.cost(edge), limit_);
    return add(step, of(graph_.to(edge)), limit_);
}

void TargetDistances::offer(NodeId node, Distance distance, Link link) {
    if (distance < of(node)) {
        distances_[raw(node)].target = distance;
        links_[raw(node)] = link;
        queue_.push(distance, node);
    }
}

bool TargetDistances::cover(TargetId target) {
    if (!targets_.erase(target)) return false;
    for (const NodeId node : graph_.checkpoints(target)) forget(node);
    forget_subtrees();
    repaired_nodes_ += forgotten_.size();
    for (const NodeId node : forgotten_) offer_from_successors(node);
    forgotten_.clear();
    settle();
    return true;
}

void TargetDistances::forget(NodeId node) {
    distances_[raw(node)].target = unreachable;
    links_[raw(node)] = Link{};
    forgotten_.push_back(node);
}

void TargetDistances::forget_subtrees() {
    for (size_t next = 0; next < forgotten_.size(); ++next) {
        const NodeId node = forgotten_[next];
        for (const EdgeId edge : graph_.incoming(node)) {
            if (links_[raw(graph_.from(edge))] == Link::along(edge)) forget(graph_.from(edge));
        }
        if (!graph_.is_root(node)) continue;
        const ProcedureId procedure = graph_.procedure(node);
        for (const auto users : {graph_.callers(procedure), graph_.spawners(procedure)}) {
            for (const NodeId user : users) {
                if (links_[raw(user)] == Link::into(procedure)) forget(user);
            }
        }
    }
}

// What the distances that are known now give to a forgotten node; better ones come as they are settled.
void TargetDistances::offer_from_successors(NodeId node) {
    for (const EdgeId edge : graph_.edges(node)) offer(node, along(edge), Link::along(edge));
    for (const ProcedureId callee : graph_.callees(node)) offer(node, of(graph_.root(callee)), Link::into(callee));
}

} // namespace espalier::pda
