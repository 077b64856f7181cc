// Oracle v2: Lahola 2010, Algorithm 5.4 (SPCv2).
//
// As oracle v1, but the table is made anew for each target set. It then tells how far an uncovered target is
// inside a call, so that calls need not be entered at all, and only the part of the search that goes down is
// left.
//
// Extended to several callees, spawns and jumps (edges as any other). With an empty stack, a return ends the
// run; line 13 does not say.
#include <algorithm>
#include <cassert>

#include "pda/distance.hpp"
#include "pda/oracles.hpp"
#include "pda/target_set.hpp"
#include "pda/thesis_search.hpp"
#include "pda/thesis_table.hpp"

namespace espalier::pda {

namespace {

class OracleV2 final : public Oracle {
public:
    OracleV2(const Graph& graph, Distance limit, std::span<const TargetId> targets)
        : graph_(graph), limit_(limit), targets_(graph, targets), table_(graph, limit) {}

    void retarget(std::span<const TargetId> targets) override {
        targets_.assign(targets);
        table_is_current_ = false;
    }
    void cover(TargetId target) override {
        if (targets_.erase(target)) table_is_current_ = false;
    }
    Distance distance(NodeId node, const PendingCall* stack, Distance limit) override {
        return search(node, stack, limit, Wanted::shortest);
    }
    bool reachable_within(NodeId node, const PendingCall* stack, Distance limit) override {
        return search(node, stack, limit, Wanted::any) != unreachable;
    }
    OracleWork work() const override { return {visited_nodes_ + table_.visited_nodes(), 0}; }

private:
    Distance search(NodeId start, const PendingCall* start_stack, Distance k, Wanted wanted) {
        assert(k <= limit_);
        if (!table_is_current_) { // lines 2-5
            table_.compute(targets_);
            table_is_current_ = true;
        }
        Worklist worklist;
        Visited visited;
        Distance found = unreachable;
        worklist.put({start, start_stack, 0}); // line 6
        while (!worklist.empty()) {
            auto [node, stack, length] = worklist.take();
            // Line 9. Items come in order of length: once a path has been found, longer ones do not matter.
            if (length > k || length >= found) break;
            ++visited_nodes_;
            const NodeKind kind = graph_.kind(node);
            if (targets_.has_checkpoint(node)) { // lines 10-11
                found = length;
                break;
            }
            if (kind == NodeKind::ret) { // lines 12-13: go on as the call node that is popped
                if (stack == nullptr) continue;
                node = stack->call;
                stack = stack->parent;
            } else if (kind == NodeKind::call || kind == NodeKind::spawn) { // lines 14-19
                found = std::min(found, add(length, table_.to_checkpoint(node), k));
                if (wanted == Wanted::any && found != unreachable) break;
                if (kind == NodeKind::call) length = add(length, table_.to_return(node), k);
            }
            if (length == unreachable) continue;
            for (const EdgeId edge : graph_.edges(node)) { // lines 20-24
                const Distance next = add(length, graph_.cost(edge), k);
                if (next != unreachable && visited.update(graph_.to(edge), stack, next))
                    worklist.put({graph_.to(edge), stack, next});
            }
        }
        return found;
    }

    const Graph& graph_;
    const Distance limit_;
    TargetSet targets_;
    ThesisTable table_;
    bool table_is_current_ = false;
    uint64_t visited_nodes_ = 0;
};

} // namespace

std::unique_ptr<Oracle> make_oracle_v2(const Graph& graph, Distance limit, std::span<const TargetId> targets) {
    return std::make_unique<OracleV2>(graph, limit, targets);
}

} // namespace espalier::pda
