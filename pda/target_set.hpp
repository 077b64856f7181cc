// The uncovered targets, asked about by node.
#pragma once

#include <span>
#include <vector>

#include "pda/graph.hpp"

namespace espalier::pda {

class TargetSet {
public:
    explicit TargetSet(const Graph& graph) : graph_(graph), members_(graph.target_count(), false) {}
    TargetSet(const Graph& graph, std::span<const TargetId> targets) : TargetSet(graph) { assign(targets); }

    void assign(std::span<const TargetId> targets) {
        members_.assign(graph_.target_count(), false);
        for (const TargetId target : targets) insert(target);
    }
    void insert(TargetId target) { members_[raw(target)] = true; }
    // Returns false where it was no member.
    bool erase(TargetId target) {
        const bool was_member = members_[raw(target)];
        members_[raw(target)] = false;
        return was_member;
    }
    bool has_checkpoint(NodeId node) const {
        const TargetId target = graph_.target(node);
        return target != no_target && members_[raw(target)];
    }

private:
    const Graph& graph_;
    std::vector<bool> members_;
};

} // namespace espalier::pda
