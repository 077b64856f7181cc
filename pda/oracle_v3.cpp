#include "pda/oracle_v3.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "pda/distance.hpp"
#include "pda/route.hpp"

namespace espalier::pda {

// Numbers the target sets of all oracles, so that a frame may be asked about by several of them in turn: what
// one has left on it is never taken for another's. Frames start with 0, which is no target set.
static uint64_t new_epoch() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

OracleV3::OracleV3(const Graph& graph, Distance limit, std::span<const TargetId> targets)
    : limit_(limit), graph_(graph), returns_(graph, limit), distances_(graph, returns_, limit),
      after_calls_(graph.node_count()) {
    distances_.solve(targets);
    table_ = distances_.with_leaving();
    epoch_ = new_epoch();
}

void OracleV3::retarget(std::span<const TargetId> targets) {
    distances_.solve(targets);
    epoch_ = new_epoch();
}

void OracleV3::cover(TargetId target) {
    if (distances_.cover(target)) epoch_ = new_epoch();
}

Distance OracleV3::distance(NodeId node, const PendingCall* stack, Distance limit) {
    assert(limit <= limit_);
    const Distance distance = least(node, stack);
    return distance <= limit ? distance : unreachable;
}

bool OracleV3::reachable_within(NodeId node, const PendingCall* stack, Distance limit) {
    assert(limit <= limit_);
    const auto [inside, leaving] = table_[raw(node)];
    if (inside <= limit) return true;
    return leaving <= limit && sum(leaving, after_pop(stack)) <= limit;
}

OracleWork OracleV3::work() const { return {distances_.visited_nodes(), distances_.repaired_nodes()}; }

std::unique_ptr<Route> OracleV3::route(NodeId node, const PendingCall* stack) {
    return least(node, stack) == unreachable ? nullptr : make_route(*this, node, stack);
}

Distance OracleV3::least(NodeId node, const PendingCall* stack) {
    const auto [inside, leaving] = table_[raw(node)];
    if (inside <= leaving) // the stack cannot be nearer, and need not be looked at
        return inside;
    return std::min(inside, sum(leaving, after_pop(stack)));
}

Distance OracleV3::after_pop(const PendingCall* stack) {
    // Down to the first frame that is up to date, or from which nothing below can be reached.
    const PendingCall* frame = stack;
    Distance below = unreachable;
    for (; frame != nullptr; frame = frame->parent) {
        if (frame->epoch == epoch_) {
            below = frame->after_pop;
            break;
        }
        outdated_.push_back(frame);
        if (after_call(frame->call).leaving == unreachable) break;
    }
    // And up again.
    for (; !outdated_.empty(); outdated_.pop_back()) {
        const PendingCall& outdated = *outdated_.back();
        const AfterCall& after = after_call(outdated.call);
        below = std::min(after.target, sum(after.leaving, below));
        outdated.after_pop = below;
        outdated.epoch = epoch_;
    }
    return below;
}

const OracleV3::AfterCall& OracleV3::after_call(NodeId call) {
    AfterCall& after = after_calls_[raw(call)];
    if (after.epoch != epoch_) after = {epoch_, nearest_return_point(call).distance, returns_.after(call)};
    return after;
}

OracleV3::ReturnPoint OracleV3::nearest_return_point(NodeId call) const {
    ReturnPoint nearest;
    for (const EdgeId edge : graph_.edges(call)) {
        const Distance distance = sum(graph_.cost(edge), distances_.of(graph_.to(edge)));
        if (distance < nearest.distance) nearest = {distance, edge};
    }
    return nearest;
}

Distance OracleV3::sum(Distance a, Distance b) const { return add(a, b, limit_); }

} // namespace espalier::pda
