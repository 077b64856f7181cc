// Oracle v3: everything that does not depend on the stack is in tables, everything that does is cached on its
// frames.
//
// A path from node v with stack S either reaches a target before v's frame is popped, at D(v), or pops it, at
// R(v), and goes on below. For a frame of call node c above stack S,
//
//   B(c·S) = least of cost + min(D(x), R(x) + B(S)) over c's return points x,      B(empty) = unreachable
//
// and the answer is min(D(v), R(v) + B(S)). A frame never changes, so its B is good for as long as the target
// set is: each frame is computed once for each target set, and a question costs O(1) amortised, whatever the
// depth.
#pragma once

#include <vector>

#include "pda/pda.hpp"
#include "pda/return_costs.hpp"
#include "pda/target_distances.hpp"

namespace espalier::pda {

class OracleV3 final : public Guide {
public:
    OracleV3(const Graph& graph, Distance limit, std::span<const TargetId> targets);
    OracleV3(const OracleV3&) = delete;
    OracleV3& operator=(const OracleV3&) = delete;

    void retarget(std::span<const TargetId> targets) override;
    void cover(TargetId target) override;
    Distance distance(NodeId node, const PendingCall* stack, Distance limit) override;
    bool reachable_within(NodeId node, const PendingCall* stack, Distance limit) override;
    OracleWork work() const override;
    std::unique_ptr<Route> route(NodeId node, const PendingCall* stack) override;

    // For routes.
    const Graph& graph() const { return graph_; }
    const ReturnCosts& returns() const { return returns_; }
    const TargetDistances& distances() const { return distances_; }
    uint64_t epoch() const { return epoch_; }
    // B: the least distance once the top frame of the stack has been popped.
    Distance after_pop(const PendingCall* stack);
    // The least of cost + D over a call node's return points, and the edge that gives it.
    struct ReturnPoint {
        Distance distance = unreachable;
        EdgeId edge = no_edge;
    };
    ReturnPoint nearest_return_point(NodeId call) const;
    Distance sum(Distance a, Distance b) const;

private:
    // The parts of B that only the call node decides; many frames have the same one.
    struct AfterCall {
        uint64_t epoch = 0; // for which this is true
        Distance target, leaving;
    };
    const AfterCall& after_call(NodeId call);
    Distance least(NodeId node, const PendingCall* stack);

    // Of distances_. It stands first, beside the object's head: most questions look at it.
    const TargetDistances::Both* table_ = nullptr;
    uint64_t epoch_ = 0;
    const Distance limit_;
    const Graph& graph_;
    const ReturnCosts returns_;
    TargetDistances distances_;
    std::vector<AfterCall> after_calls_; // by node
    std::vector<const PendingCall*> outdated_;
};

} // namespace espalier::pda
