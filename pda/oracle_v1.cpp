// Oracle v1: Lahola 2010, Algorithm 5.3 (SPCv1), corrected.
//
// A shortest path has a point where its stack is lowest. The first part of the search goes down: it skips
// calls, pops frames, and collects the calls it has skipped in Frontier. The second part goes up: it enters
// calls, from those in Frontier on, and never returns. The table, made once for all checkpoints, says what
// skipping a call costs.
//
// As printed the algorithm errs in two places of the second part:
//
// - Line 27 drops a call whose callee reaches no checkpoint together with what follows the call. Main calls
//   q; q calls p, then checkpoint A; p only returns. A is at distance 0, but the call of p ends the search.
//   Here such a callee is not entered, and its call skipped as any other.
// - Line 32 adds the cost of skipping only where line 30 has entered the callee. Where the callee's root was
//   visited before, at no greater length, the search goes on after the call as if skipping were free, and
//   even where the callee never returns. Here line 32 applies to every call.
//
// Extended to several callees, spawns (which the second part enters, as calls without a cost of skipping) and
// jumps (edges as any other). With an empty stack, a return ends the run; line 12 does not say.
#include <cassert>

#include "pda/distance.hpp"
#include "pda/oracles.hpp"
#include "pda/target_set.hpp"
#include "pda/thesis_search.hpp"
#include "pda/thesis_table.hpp"

namespace espalier::pda {

namespace {

class OracleV1 final : public Oracle {
public:
    OracleV1(const Graph& graph, Distance limit, std::span<const TargetId> targets)
        : graph_(graph), limit_(limit), targets_(graph, targets), table_(graph, limit) {
        TargetSet all(graph);
        for (const TargetId target : graph.targets()) all.insert(target);
        table_.compute(all); // lines 2-4
    }

    void retarget(std::span<const TargetId> targets) override { targets_.assign(targets); }
    void cover(TargetId target) override { targets_.erase(target); }
    Distance distance(NodeId node, const PendingCall* stack, Distance limit) override {
        return Search(*this, limit, Wanted::shortest).run(node, stack);
    }
    bool reachable_within(NodeId node, const PendingCall* stack, Distance limit) override {
        return Search(*this, limit, Wanted::any).run(node, stack) != unreachable;
    }
    OracleWork work() const override { return {visited_nodes_ + table_.visited_nodes(), 0}; }

private:
    class Search {
    public:
        Search(OracleV1& oracle, Distance limit, Wanted wanted)
            : oracle_(oracle), graph_(oracle.graph_), k_(limit), wanted_(wanted) {
            assert(limit <= oracle.limit_);
        }

        Distance run(NodeId node, const PendingCall* stack) {
            go_down(node, stack);
            if (!done_) {
                visited_.clear(); // line 24
                go_up();
            }
            return found_;
        }

    private:
        // Lines 5-23.
        void go_down(NodeId start, const PendingCall* start_stack) {
            worklist_.put({start, start_stack, 0});
            while (!worklist_.empty() && !done_) {
                auto [node, stack, length] = worklist_.take();
                if (length > k_) // line 8
                    continue;
                ++oracle_.visited_nodes_;
                if (oracle_.targets_.has_checkpoint(node)) { // lines 9-10
                    found(length);
                    continue;
                }
                const NodeKind kind = graph_.kind(node);
                if (kind == NodeKind::ret) { // lines 11-12: go on as the call node that is popped
                    if (stack == nullptr) continue;
                    node = stack->call;
                    stack = stack->parent;
                } else if (kind == NodeKind::call) { // lines 13-15
                    frontier_.put({node, nullptr, length});
                    length = add(length, oracle_.table_.to_return(node), k_);
                } else if (kind == NodeKind::spawn) {
                    frontier_.put({node, nullptr, length});
                }
                put_successors(worklist_, {node, stack, length}); // lines 17-21
            }
        }

        // Lines 25-40.
        void go_up() {
            while (!frontier_.empty() && !done_) {
                auto [node, stack, length] = frontier_.take();
                const NodeKind kind = graph_.kind(node);
                if (length > k_ || kind == NodeKind::ret) // line 27, but for its third condition
                    continue;
                ++oracle_.visited_nodes_;
                if (oracle_.targets_.has_checkpoint(node)) { // lines 28-29
                    found(length);
                    continue;
                }
                for (const ProcedureId callee : graph_.callees(node)) { // lines 30-31
                    // Line 27, third condition; deviation: nothing but entering depends on it.
                    if (oracle_.table_.to_checkpoint(callee) != unreachable &&
                        visited_.update(graph_.root(callee), nullptr, length))
                        frontier_.put({graph_.root(callee), nullptr, length});
                }
                if (kind == NodeKind::call) // line 32; deviation: whether or not the callee has been entered
                    length = add(length, oracle_.table_.to_return(node), k_);
                put_successors(frontier_, {node, nullptr, length}); // lines 34-38
            }
        }

        void put_successors(Worklist& worklist, const Item& item) {
            if (item.length == unreachable) return;
            for (const EdgeId edge : graph_.edges(item.node)) {
                const Distance length = add(item.length, graph_.cost(edge), k_);
                if (length != unreachable && visited_.update(graph_.to(edge), item.stack, length))
                    worklist.put({graph_.to(edge), item.stack, length});
            }
        }

        void found(Distance length) {
            found_ = length;
            done_ = wanted_ == Wanted::any || length == 0;
            k_ = length == 0 ? 0 : length - 1;
        }

        OracleV1& oracle_;
        const Graph& graph_;
        Distance k_;
        const Wanted wanted_;
        Distance found_ = unreachable;
        bool done_ = false;
        Worklist worklist_;
        Worklist frontier_;
        Visited visited_;
    };

    const Graph& graph_;
    const Distance limit_;
    TargetSet targets_;
    ThesisTable table_;
    uint64_t visited_nodes_ = 0;
};

} // namespace

std::unique_ptr<Oracle> make_oracle_v1(const Graph& graph, Distance limit, std::span<const TargetId> targets) {
    return std::make_unique<OracleV1>(graph, limit, targets);
}

} // namespace espalier::pda
