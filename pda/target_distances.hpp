// D: the least cost from a node to an uncovered target before the node's frame is popped.
//
// With the costs of returning known (return_costs.hpp) this is a shortest path problem on a finite graph: an
// edge costs what it is charged, after a call node also what going through the callee costs; from a call node
// to the root of a callee, and from a spawn node to the root of what it starts, is free. It is solved
// backwards from all targets at once, up to a limit, in linear time.
//
// Each node remembers the link that gave its distance; the links form a forest rooted at the targets. When a
// target is covered, exactly the distances that hang from it can change, and only upwards: they are forgotten
// and solved again from the rest of the graph (after G. Ramalingam and T. Reps, An incremental algorithm for
// a generalization of the shortest-path problem, J. Algorithms 21(2), 1996). To keep a node whose distance
// some other successor supports would be wrong: around a cycle of cost 0 the nodes support each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pda/buckets.hpp"
#include "pda/return_costs.hpp"
#include "pda/target_set.hpp"

namespace espalier::pda {

// How a shortest path goes on from a node.
struct Link {
    enum class Kind : uint8_t {
        none,   // there is no path
        target, // it ends here
        edge,   // along `edge`; from a call node, after its callee has returned
        enter,  // to the root of `callee`, never to return; from a spawn node, in the new thread
    };
    Kind kind = Kind::none;
    uint32_t number = 0;

    static Link along(EdgeId edge) { return {Kind::edge, raw(edge)}; }
    static Link into(ProcedureId callee) { return {Kind::enter, raw(callee)}; }
    EdgeId edge() const { return EdgeId{number}; }
    ProcedureId callee() const { return ProcedureId{number}; }
    friend bool operator==(const Link&, const Link&) = default;
};

class TargetDistances {
public:
    TargetDistances(const Graph& graph, const ReturnCosts& returns, Distance limit);

    void solve(std::span<const TargetId> targets);
    // Returns false where the target was not in the set.
    bool cover(TargetId target);

    // D(node).
    Distance of(NodeId node) const { return distances_[raw(node)].target; }
    // With R(node), beside it in memory: most questions need both.
    struct Both {
        Distance target = unreachable, leaving = unreachable;
    };
    const Both* with_leaving() const { return distances_.data(); } // by node; the address stays the same
    Link link(NodeId node) const { return links_[raw(node)]; }

    uint64_t visited_nodes() const { return visited_nodes_; }
    uint64_t repaired_nodes() const { return repaired_nodes_; }

private:
    void settle();
    void offer(NodeId node, Distance distance, Link link);
    void forget(NodeId node);
    void forget_subtrees();
    void offer_from_successors(NodeId node);
    Distance along(EdgeId edge) const;

    const Graph& graph_;
    const ReturnCosts& returns_;
    Distance limit_;
    TargetSet targets_;
    std::vector<Both> distances_;
    std::vector<Link> links_;
    Buckets queue_;
    std::vector<NodeId> forgotten_;
    uint64_t visited_nodes_ = 0;
    uint64_t repaired_nodes_ = 0;
};

} // namespace espalier::pda
