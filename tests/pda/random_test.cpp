// Every oracle against each other and against a search over explicit stacks, on random automata.
#include <doctest/doctest.h>

#include "tests/pda/brute_force.hpp"
#include "tests/pda/random_pda.hpp"

using namespace espalier::pda;
using namespace espalier::pda::test;

namespace {

// All oracles on one automaton, with the targets covered so far.
class Oracles {
public:
    Oracles(const Graph& graph, Distance limit)
        : graph_(graph), limit_(limit), reference_(graph), uncovered_(graph.target_count(), true) {
        std::vector<TargetId> targets;
        for (const TargetId target : graph.targets()) targets.push_back(target);
        v1_ = make_oracle(OracleKind::v1, graph, limit, targets);
        v2_ = make_oracle(OracleKind::v2, graph, limit, targets);
        v3_ = make_guide(graph, limit, targets);
    }

    void cover(TargetId target) {
        uncovered_[raw(target)] = false;
        for (Oracle* oracle : {v1_.get(), v2_.get(), static_cast<Oracle*>(v3_.get())}) oracle->cover(target);
    }

    // Does everyone agree? With the reference too, where it can tell.
    bool agree(NodeId node, const PendingCall* stack, bool with_reference) {
        const Distance distance = v3_->distance(node, stack, limit_);
        if (v1_->distance(node, stack, limit_) != distance || v2_->distance(node, stack, limit_) != distance)
            return false;
        for (const Distance limit : {Distance{0}, limit_ / 2, limit_}) {
            const bool is_near = distance <= limit;
            if (v1_->reachable_within(node, stack, limit) != is_near ||
                v2_->reachable_within(node, stack, limit) != is_near ||
                v3_->reachable_within(node, stack, limit) != is_near ||
                (v3_->distance(node, stack, limit) != unreachable) != is_near)
                return false;
        }
        if (with_reference) {
            const auto expected = reference_.distance(node, stack, limit_, uncovered_);
            if (!expected)
                ++undecided;
            else if (*expected != distance)
                return false;
        }
        ++(distance == unreachable ? unreachables : reachables);
        return distance == unreachable ? v3_->route(node, stack) == nullptr : route_is_right(node, stack, distance);
    }

    std::string describe(NodeId node, const PendingCall* stack) {
        const auto reference = reference_.distance(node, stack, limit_, uncovered_);
        const auto number = [](Distance d) { return d == unreachable ? std::string("-") : std::to_string(d); };
        Query query{node, calls_of(stack), limit_, {}};
        for (const TargetId target : graph_.targets()) {
            if (uncovered_[raw(target)]) query.targets.push_back(target);
        }
        return print(graph_, std::span(&query, 1)) + "v1 " + number(v1_->distance(node, stack, limit_)) + ", v2 " +
               number(v2_->distance(node, stack, limit_)) + ", v3 " + number(v3_->distance(node, stack, limit_)) +
               ", reference " + (reference ? number(*reference) : "?");
    }

    uint64_t repaired_nodes() const { return v3_->work().repaired_nodes; }

    size_t undecided = 0;
    size_t reachables = 0;
    size_t unreachables = 0;

private:
    // Each step must be one the automaton can take, and their costs must add up.
    bool route_is_right(NodeId node, const PendingCall* start, Distance distance) {
        std::vector<NodeId> stack = calls_of(start); // its top is the first, so it is turned around
        std::reverse(stack.begin(), stack.end());
        const auto route = v3_->route(node, start);
        Distance cost = 0;
        for (size_t steps = 0; const auto step = route->next(); ++steps) {
            if (steps > 10'000 || !take(*step, node, stack)) return false;
            if (step->edge != no_edge) cost += graph_.cost(step->edge);
            node = step->node;
        }
        const TargetId target = graph_.target(node);
        return target != no_target && uncovered_[raw(target)] && cost == distance;
    }

    bool take(const Step& step, NodeId node, std::vector<NodeId>& stack) const {
        const auto starts = [&](ProcedureId callee) { return graph_.root(callee) == step.node; };
        switch (step.kind) {
        case Step::Kind::edge:
            return graph_.kind(node) != NodeKind::call && graph_.from(step.edge) == node &&
                   graph_.to(step.edge) == step.node;
        case Step::Kind::call:
            stack.push_back(node);
            return graph_.kind(node) == NodeKind::call && std::ranges::any_of(graph_.callees(node), starts);
        case Step::Kind::ret: {
            if (graph_.kind(node) != NodeKind::ret || stack.empty()) return false;
            const NodeId call = stack.back();
            stack.pop_back();
            return graph_.from(step.edge) == call && graph_.to(step.edge) == step.node;
        }
        case Step::Kind::spawn:
            stack.clear();
            return graph_.kind(node) == NodeKind::spawn && std::ranges::any_of(graph_.callees(node), starts);
        }
        return false;
    }

    const Graph& graph_;
    const Distance limit_;
    BruteForce reference_;
    std::vector<bool> uncovered_;
    std::unique_ptr<Oracle> v1_;
    std::unique_ptr<Oracle> v2_;
    std::unique_ptr<Guide> v3_;
};

// What a test has seen, so that it can tell whether it has tested anything.
struct Totals {
    size_t undecided = 0;
    size_t reachables = 0;
    size_t unreachables = 0;
    uint64_t repaired_nodes = 0;
};

// Asks `questions` questions for each target set, as the targets are covered one by one in a random order.
void compare(uint64_t seed, const Shape& shape, size_t questions, bool with_reference, Totals& totals) {
    Random random(seed);
    const Graph graph = random_graph(random, shape);
    const RandomFrames frames(random, graph, 40, 30);
    Oracles oracles(graph, random.percent(10) ? 0 : 1 + random.below(5));
    std::vector<TargetId> left;
    for (const TargetId target : graph.targets()) left.push_back(target);
    while (true) {
        for (size_t asked = 0; asked < (left.empty() ? 1 : questions); ++asked) {
            const NodeId node = random.percent(50) ? NodeId{random.below(graph.node_count())}
                                                   : graph.root(ProcedureId{random.below(graph.procedure_count())});
            const PendingCall* stack = random.pick(frames.stacks());
            if (!oracles.agree(node, stack, with_reference))
                FAIL("ESPALIER_SEED=" << seed << "\n" << oracles.describe(node, stack));
        }
        if (left.empty()) break;
        const size_t next = random.below(left.size());
        oracles.cover(left[next]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    }
    totals.undecided += oracles.undecided;
    totals.reachables += oracles.reachables;
    totals.unreachables += oracles.unreachables;
    totals.repaired_nodes += oracles.repaired_nodes();
}

} // namespace

TEST_CASE("random automata: v1 = v2 = v3 = brute force, and routes lead where they should") {
    Totals totals;
    const auto all = seeds(600);
    for (const uint64_t seed : all) compare(seed, {}, 8, true, totals);
    MESSAGE("seeds " << all.front() << " to " << all.back() << ": " << totals.reachables << " reachable, "
                     << totals.unreachables << " unreachable, " << totals.undecided << " undecided by brute force, "
                     << totals.repaired_nodes << " distances repaired");
    if (all.size() > 1) { // the test is not an empty one
        CHECK(totals.reachables > 1000);
        CHECK(totals.unreachables > 1000);
        CHECK(totals.repaired_nodes > 1000);
        CHECK(totals.undecided * 50 < totals.reachables + totals.unreachables);
    }
}

TEST_CASE("larger random automata: v1 = v2 = v3") {
    Totals totals;
    const auto all = seeds(20);
    for (const uint64_t seed : all)
        compare(seed, {.max_procedures = 30, .max_nodes = 20, .max_targets = 12}, 20, false, totals);
    MESSAGE(totals.reachables << " reachable, " << totals.unreachables << " unreachable");
    if (all.size() > 1) {
        CHECK(totals.reachables > 500);
        CHECK(totals.unreachables > 500);
    }
}

TEST_CASE("random automata: what can be reached at any distance") {
    size_t undecided = 0;
    const auto all = seeds(200);
    for (const uint64_t seed : all) {
        Random random(seed);
        const Graph graph = random_graph(random, {});
        const RandomFrames frames(random, graph, 20, 10);
        BruteForce reference(graph);
        std::vector<bool> expected(graph.node_count(), false);
        ReachableSet reachable(graph);
        const Graph free = graph.uncharged();
        const auto reachable_by_oracles = [&](TargetId target, NodeId node, const PendingCall* stack) {
            const auto ask = [&](OracleKind kind) {
                return make_oracle(kind, free, 0, std::span(&target, 1))->reachable_within(node, stack, 0);
            };
            const bool by_v3 = ask(OracleKind::v3);
            CHECK(ask(OracleKind::v1) == by_v3);
            CHECK(ask(OracleKind::v2) == by_v3);
            return by_v3;
        };
        for (size_t state = 0; state < 3; ++state) {
            const auto node = NodeId{random.below(graph.node_count())};
            const PendingCall* stack = random.pick(frames.stacks());
            const auto more = reference.reachable(node, stack);
            if (!more) {
                ++undecided;
                break;
            }
            reachable.add(node, stack);
            for (const NodeId at : graph.nodes()) {
                if ((*more)[raw(at)]) expected[raw(at)] = true;
                if (reachable.contains(at) != expected[raw(at)])
                    FAIL("ESPALIER_SEED=" << seed << "\n" << print(graph) << "node " << graph.name(at));
            }
            for (const TargetId target : graph.targets()) {
                const bool is_expected = std::ranges::any_of(
                    graph.checkpoints(target), [&](NodeId at) { return static_cast<bool>(expected[raw(at)]); });
                CHECK(reachable.contains(target) == is_expected);
                const bool from_here = std::ranges::any_of(
                    graph.checkpoints(target), [&](NodeId at) { return static_cast<bool>((*more)[raw(at)]); });
                CHECK(reachable_by_oracles(target, node, stack) == from_here);
            }
        }
    }
    CHECK(undecided * 20 <= all.size());
}

TEST_CASE("random automata: near sets = oracles of each set at distance 0") {
    size_t near = 0, far = 0;
    for (const uint64_t seed : seeds(400)) {
        Random random(seed);
        const Graph graph = random_graph(random, {.max_targets = 8});
        const RandomFrames frames(random, graph, 40, 30);
        constexpr uint32_t sets = 4;
        std::vector<uint64_t> of_target(graph.target_count());
        for (uint64_t& mask : of_target) mask = random.below(1U << sets);
        NearSets near_sets(graph, of_target);
        std::vector<std::unique_ptr<Oracle>> oracles;
        for (uint32_t set = 0; set < sets; ++set) {
            std::vector<TargetId> targets;
            for (const TargetId target : graph.targets())
                if ((of_target[raw(target)] >> set & 1) != 0) targets.push_back(target);
            oracles.push_back(make_oracle(OracleKind::v3, graph, 1, targets));
        }
        for (size_t asked = 0; asked < 20; ++asked) {
            const auto node = NodeId{random.below(graph.node_count())};
            const PendingCall* stack = random.pick(frames.stacks());
            const uint64_t mask = near_sets.of(node, stack);
            for (uint32_t set = 0; set < sets; ++set) {
                const bool is_near = oracles[set]->reachable_within(node, stack, 0);
                ++(is_near ? near : far);
                if ((mask >> set & 1) != (is_near ? 1U : 0U))
                    FAIL("ESPALIER_SEED=" << seed << "\n" << print(graph) << "node " << graph.name(node));
            }
            CHECK((mask >> sets) == 0);
        }
    }
    MESSAGE(near << " near, " << far << " far");
    if (near + far > 1000) { // not one seed alone
        CHECK(near > 1000);
        CHECK(far > 1000);
    }
}
