#include "pda/route.hpp"

#include <cassert>
#include <vector>

namespace espalier::pda {

namespace {

class RouteV3 final : public Route {
public:
    RouteV3(OracleV3& oracle, NodeId node, const PendingCall* stack)
        : oracle_(oracle), graph_(oracle.graph()), epoch_(oracle.epoch()), node_(node), stack_(stack) {
        const Distance leaving = oracle.sum(oracle.returns().of(node), oracle.after_pop(stack));
        aim_ = oracle.distances().of(node) <= leaving ? Aim::target : Aim::pop;
    }

    std::optional<Step> next() override {
        assert(epoch_ == oracle_.epoch() && "the targets have changed since the route was made");
        const std::optional<Step> step = aim_ == Aim::target ? step_to_target() : step_to_pop();
        if (step) node_ = step->node;
        return step;
    }

private:
    enum class Aim : uint8_t { target, pop };
    // A call that the route has made and will return from, and what to do then.
    struct Call {
        NodeId node;
        Aim aim_after;
    };

    // As D says.
    std::optional<Step> step_to_target() {
        const Link link = oracle_.distances().link(node_);
        if (link.kind == Link::Kind::target) return std::nullopt;
        const bool is_call = graph_.kind(node_) == NodeKind::call;
        if (link.kind == Link::Kind::enter) {
            const Step::Kind kind = is_call ? Step::Kind::call : Step::Kind::spawn;
            return Step{kind, no_edge, graph_.root(link.callee())};
        }
        return is_call ? go_through() : Step{Step::Kind::edge, link.edge(), graph_.to(link.edge())};
    }

    // As R says.
    std::optional<Step> step_to_pop() {
        if (graph_.kind(node_) == NodeKind::ret) return pop();
        if (graph_.kind(node_) == NodeKind::call) return go_through();
        const EdgeId edge = oracle_.returns().after_edge(node_);
        return Step{Step::Kind::edge, edge, graph_.to(edge)};
    }

    Step go_through() {
        calls_.push_back({node_, aim_});
        aim_ = Aim::pop;
        return {Step::Kind::call, no_edge, graph_.root(oracle_.returns().through_callee(node_))};
    }

    Step pop() {
        EdgeId edge = no_edge;
        if (!calls_.empty()) {
            const Call call = calls_.back();
            calls_.pop_back();
            aim_ = call.aim_after;
            edge = aim_ == Aim::target ? oracle_.distances().link(call.node).edge()
                                       : oracle_.returns().after_edge(call.node);
        } else {
            const OracleV3::ReturnPoint nearest = oracle_.nearest_return_point(stack_->call);
            const Distance deeper =
                oracle_.sum(oracle_.returns().after(stack_->call), oracle_.after_pop(stack_->parent));
            aim_ = nearest.distance <= deeper ? Aim::target : Aim::pop;
            edge = aim_ == Aim::target ? nearest.edge : oracle_.returns().after_edge(stack_->call);
            stack_ = stack_->parent;
        }
        return {Step::Kind::ret, edge, graph_.to(edge)};
    }

    OracleV3& oracle_;
    const Graph& graph_;
    const uint64_t epoch_;
    NodeId node_;
    const PendingCall* stack_;
    Aim aim_ = Aim::target;
    std::vector<Call> calls_;
};

} // namespace

std::unique_ptr<Route> make_route(OracleV3& oracle, NodeId node, const PendingCall* stack) {
    return std::make_unique<RouteV3>(oracle, node, stack);
}

} // namespace espalier::pda
