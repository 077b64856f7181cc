// The reference for every oracle: a search over explicit stacks that knows nothing of tables.
//
// A state is a node, how much is left of the stack the search began with, and the calls pushed above that.
// Nothing is skipped and nothing is summed up, so there is little that could be wrong. The one thing to bound
// is the number of pushed calls. Twice the number of procedures is enough: of the calls pending at some
// moment on a shortest path, those that will return can all be in different procedures, else what lies
// between two entries of the same one could be left out; and so can those that will not.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pda/pda.hpp"

namespace espalier::pda::test {

class BruteForce {
public:
    explicit BruteForce(const Graph& graph) : graph_(graph), highest_(2 * graph.procedure_count()) {}

    // Nothing where the search would take too long.
    std::optional<Distance> distance(NodeId node, const PendingCall* stack, Distance limit,
                                     const std::vector<bool>& uncovered) {
        const bool complete = search({node, stack, 0}, limit, [&](NodeId at) {
            return graph_.target(at) != no_target && uncovered[raw(graph_.target(at))];
        });
        if (found_ == unreachable && !complete) return std::nullopt;
        return found_;
    }

    // Every node that can be reached, at any distance.
    std::optional<std::vector<bool>> reachable(NodeId node, const PendingCall* stack) {
        std::vector<bool> reached(graph_.node_count(), false);
        const bool complete = search({node, stack, 0}, max_limit, [&](NodeId at) {
            reached[raw(at)] = true;
            return false;
        });
        return complete ? std::optional(reached) : std::nullopt;
    }

private:
    struct State {
        NodeId node;
        const PendingCall* base;
        uint32_t pushed; // a stack in pushed_, 0 where it is empty
        friend bool operator==(const State&, const State&) = default;
    };
    struct Hash {
        size_t operator()(const State& state) const {
            return (reinterpret_cast<uintptr_t>(state.base) / sizeof(PendingCall) * 1'000'003 + state.pushed) *
                       1'000'033 +
                   raw(state.node);
        }
    };
    struct Pushed {
        NodeId call;
        uint32_t below;
        size_t height;
    };

    // Returns false where it gave up.
    template <typename Goal>
    bool search(State start, Distance limit, Goal is_goal) {
        constexpr size_t most_states = 100'000;
        found_ = unreachable;
        lengths_.clear();
        queue_.clear();
        limit_ = limit;
        arrive(start, 0);
        while (!queue_.empty()) {
            const auto [state, length] = queue_.front();
            queue_.pop_front();
            if (lengths_.at(state) < length) continue;
            if (is_goal(state.node)) {
                found_ = length;
                return true;
            }
            if (lengths_.size() > most_states) return false;
            step(state, length);
        }
        return true;
    }

    void step(const State& state, Distance length) {
        switch (graph_.kind(state.node)) {
        case NodeKind::call:
            for (const ProcedureId callee : graph_.callees(state.node)) {
                if (pushed_[state.pushed].height < highest_)
                    arrive({graph_.root(callee), state.base, push(state.node, state.pushed)}, length);
            }
            return;
        case NodeKind::ret:
            if (state.pushed != 0) {
                const Pushed top = pushed_[state.pushed];
                follow_edges(top.call, {top.call, state.base, top.below}, length);
            } else if (state.base != nullptr) {
                follow_edges(state.base->call, {state.base->call, state.base->parent, 0}, length);
            }
            return;
        case NodeKind::spawn:
            for (const ProcedureId callee : graph_.callees(state.node))
                arrive({graph_.root(callee), nullptr, 0}, length);
            break;
        default: break;
        }
        follow_edges(state.node, state, length);
    }

    void follow_edges(NodeId from, const State& state, Distance length) {
        for (const EdgeId edge : graph_.edges(from))
            arrive({graph_.to(edge), state.base, state.pushed}, length + graph_.cost(edge));
    }

    // Lengths in the queue differ by at most 1, so a double-ended queue keeps them in order.
    void arrive(const State& state, Distance length) {
        if (length > limit_) return;
        const auto [found, is_new] = lengths_.try_emplace(state, length);
        if (!is_new && found->second <= length) return;
        found->second = length;
        if (queue_.empty() || length <= queue_.front().second)
            queue_.emplace_front(state, length);
        else
            queue_.emplace_back(state, length);
    }

    uint32_t push(NodeId call, uint32_t below) {
        const auto next = static_cast<uint32_t>(pushed_.size());
        const auto [found, is_new] = pushed_ids_.try_emplace({call, below}, next);
        if (is_new) pushed_.push_back({call, below, pushed_[below].height + 1});
        return found->second;
    }

    const Graph& graph_;
    const size_t highest_;
    std::vector<Pushed> pushed_{{no_node, 0, 0}};
    std::map<std::pair<NodeId, uint32_t>, uint32_t> pushed_ids_;
    std::unordered_map<State, Distance, Hash> lengths_;
    std::deque<std::pair<State, Distance>> queue_;
    Distance limit_ = 0;
    Distance found_ = unreachable;
};

} // namespace espalier::pda::test
