// Algorithm 5.3 as it is printed, to show that the tests tell it from the corrected one. Either of its two
// mistakes can be mended alone. Only for what the thesis's automata have: one callee, no jumps, no spawns.
#pragma once

#include "pda/distance.hpp"
#include "pda/target_set.hpp"
#include "pda/thesis_search.hpp"
#include "pda/thesis_table.hpp"

namespace espalier::pda::test {

struct Mended {
    bool line_27 = false;
    bool line_32 = false;
};

class PrintedV1 {
public:
    PrintedV1(const Graph& graph, Distance limit, std::span<const TargetId> targets, Mended mended)
        : graph_(graph), limit_(limit), targets_(graph, targets), table_(graph, limit), mended_(mended) {
        TargetSet all(graph);
        for (const TargetId target : graph.targets()) all.insert(target);
        table_.compute(all);
    }

    bool reachable_within(NodeId start, const PendingCall* start_stack, Distance k) {
        Worklist worklist;
        Worklist frontier;
        Visited visited;
        worklist.put({start, start_stack, 0});
        while (!worklist.empty()) {
            auto [v, stack, n] = worklist.take();
            if (n > k) continue;
            if (targets_.has_checkpoint(v)) return true;
            if (graph_.kind(v) == NodeKind::ret) {
                if (stack == nullptr) continue;
                v = stack->call;
                stack = stack->parent;
            } else if (graph_.kind(v) == NodeKind::call) {
                frontier.put({v, nullptr, n});
                n = add(n, table_.to_return(v), limit_);
            }
            put_successors(worklist, visited, {v, stack, n});
        }
        visited.clear();
        while (!frontier.empty()) {
            auto [v, stack, n] = frontier.take();
            const bool is_call = graph_.kind(v) == NodeKind::call;
            const bool is_hopeless = is_call && table_.to_checkpoint(v) == unreachable;
            if (n > k || graph_.kind(v) == NodeKind::ret || (is_hopeless && !mended_.line_27)) continue;
            if (targets_.has_checkpoint(v)) return true;
            const NodeId root = is_call ? graph_.root(graph_.callees(v)[0]) : no_node;
            const bool enters = is_call && !is_hopeless && visited.update(root, nullptr, n);
            if (enters) frontier.put({root, nullptr, n});
            // Where only line 27 is mended, a callee that is not entered for its sake is skipped at its cost.
            if (enters || is_hopeless || (is_call && mended_.line_32)) n = add(n, table_.to_return(v), limit_);
            put_successors(frontier, visited, {v, nullptr, n});
        }
        return false;
    }

private:
    void put_successors(Worklist& worklist, Visited& visited, const Item& item) const {
        if (item.length == unreachable) return;
        for (const EdgeId edge : graph_.edges(item.node)) {
            const Distance length = add(item.length, graph_.cost(edge), limit_);
            if (length != unreachable && visited.update(graph_.to(edge), item.stack, length))
                worklist.put({graph_.to(edge), item.stack, length});
        }
    }

    const Graph& graph_;
    const Distance limit_;
    TargetSet targets_;
    ThesisTable table_;
    const Mended mended_;
};

} // namespace espalier::pda::test
