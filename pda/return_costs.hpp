// R: the least cost until a node's frame is popped.
//
// It does not depend on the targets, so it is computed once. R(return) = 0; R of a call node is the least
// R(root) of its callees plus the least of its edges' cost + R; R of any other node is that least over its
// edges, jumps included. What a spawned thread does never counts. The sum of two unknowns makes this a
// grammar problem rather than a shortest path problem: D. E. Knuth, A generalization of Dijkstra's algorithm,
// IPL 6(1), 1977. Values are final in increasing order, so each edge and each callee is looked at once:
// linear time with buckets.
#pragma once

#include <vector>

#include "pda/buckets.hpp"
#include "pda/pda.hpp"

namespace espalier::pda {

enum class Charging : uint8_t { as_given, none };

class ReturnCosts {
public:
    // Values above the limit are `unreachable`. Without charging, a value is 0 or `unreachable`.
    ReturnCosts(const Graph& graph, Distance limit, Charging charging = Charging::as_given);

    // R(node).
    Distance of(NodeId node) const { return returns_[raw(node)]; }
    // The least R(root) of a call node's callees; 0 for every other node.
    Distance through(NodeId node) const { return through_[raw(node)]; }
    // The least cost + R over the node's edges: for a call node, the part of R that follows its return.
    Distance after(NodeId node) const { return after_[raw(node)]; }
    // The edge and the callee that gave these; their own values were final before the node's.
    EdgeId after_edge(NodeId node) const { return after_edges_[raw(node)]; }
    ProcedureId through_callee(NodeId call) const { return through_callees_[raw(call)]; }

private:
    void relax(NodeId node);

    const Graph& graph_;
    Distance limit_;
    std::vector<Distance> returns_;
    std::vector<Distance> through_;
    std::vector<Distance> after_;
    std::vector<EdgeId> after_edges_;
    std::vector<ProcedureId> through_callees_;
    Buckets queue_;
};

} // namespace espalier::pda
