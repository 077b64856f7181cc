// Random automata and stacks, the same on every machine for the same seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "pda/pda.hpp"

namespace espalier::pda::test {

class Random {
public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    // From 0 to n - 1.
    uint32_t below(size_t n) { return static_cast<uint32_t>(engine_() % n); }
    bool percent(uint32_t chance) { return below(100) < chance; }
    template <typename List>
    auto pick(const List& list) {
        return list[below(list.size())];
    }

private:
    std::mt19937_64 engine_;
};

struct Shape {
    uint32_t max_procedures = 4;
    uint32_t max_nodes = 7; // of a procedure
    uint32_t max_targets = 4;
    bool thesis_only = false; // one callee, no jumps, no spawns, costs on stable nodes
};

// The seeds of a test: `few` of them, fifty times as many with ESPALIER_LONG=1, or the one in ESPALIER_SEED.
inline std::vector<uint64_t> seeds(uint64_t few) {
    if (const char* one = std::getenv("ESPALIER_SEED")) return {std::strtoull(one, nullptr, 10)};
    const char* is_long = std::getenv("ESPALIER_LONG");
    std::vector<uint64_t> all(is_long != nullptr && *is_long == '1' ? 50 * few : few);
    for (size_t at = 0; at < all.size(); ++at) all[at] = at + 1;
    return all;
}

class RandomGraph {
public:
    RandomGraph(Random& random, const Shape& shape) : random_(random), shape_(shape) {
        const uint32_t count = 1 + random.below(shape.max_procedures);
        for (uint32_t number = 0; number < count; ++number)
            procedures_.push_back(builder_.add_procedure("p" + std::to_string(number)));
        const uint32_t targets = 1 + random.below(shape.max_targets);
        for (uint32_t number = 0; number < targets; ++number)
            targets_.push_back(builder_.target("t" + std::to_string(number)));
        nodes_of_.resize(count);
        for (const ProcedureId procedure : procedures_) add_nodes(procedure);
        for (const ProcedureId procedure : procedures_) add_edges(procedure);
    }

    Graph build() && { return std::get<Graph>(std::move(builder_).build()); }

private:
    NodeKind random_kind() {
        constexpr NodeKind kinds[] = {NodeKind::call,       NodeKind::call,   NodeKind::call,   NodeKind::call,
                                      NodeKind::ret,        NodeKind::stable, NodeKind::stable, NodeKind::checkpoint,
                                      NodeKind::checkpoint, NodeKind::plain,  NodeKind::branch, NodeKind::entry,
                                      NodeKind::spawn};
        const NodeKind kind = kinds[random_.below(std::size(kinds))];
        return kind == NodeKind::spawn && shape_.thesis_only ? NodeKind::plain : kind;
    }

    void add_nodes(ProcedureId procedure) {
        const bool returns = random_.percent(85);
        const uint32_t count = random_.percent(10) ? 1 : 2 + random_.below(shape_.max_nodes - 1);
        std::vector<NodeId>& nodes = nodes_of_[raw(procedure)];
        for (uint32_t number = 0; number < count; ++number) {
            NodeKind kind = number + 1 == count ? NodeKind::ret : random_kind();
            if (kind == NodeKind::ret && !returns) kind = NodeKind::plain;
            kinds_.push_back(kind);
            const NodeId node = builder_.add_node(procedure, kind, "n" + std::to_string(kinds_.size()));
            nodes.push_back(node);
            if (kind == NodeKind::checkpoint) builder_.set_target(node, random_.pick(targets_));
            if (kind == NodeKind::call || kind == NodeKind::spawn) {
                do {
                    builder_.add_callee(node, random_.pick(procedures_));
                } while (!shape_.thesis_only && random_.percent(30));
            }
        }
        builder_.set_root(procedure, random_.percent(90) ? nodes[0] : random_.pick(nodes));
    }

    // Most procedures are a chain from the first node to the last with some edges more; the others are of any
    // form.
    void add_edges(ProcedureId procedure) {
        const bool is_chain = random_.percent(70);
        const bool has_cycles = random_.percent(50);
        const std::vector<NodeId>& nodes = nodes_of_[raw(procedure)];
        for (uint32_t at = 0; at < nodes.size(); ++at) {
            const NodeKind kind = kinds_[raw(nodes[at])];
            if (kind == NodeKind::ret) continue;
            const auto ahead = static_cast<uint32_t>(nodes.size()) - at - 1;
            if (is_chain && ahead > 0) builder_.add_edge(nodes[at], nodes[at + 1], random_cost(kind));
            for (uint32_t left = random_.below(3); left > 0; --left) {
                if (!shape_.thesis_only && kind != NodeKind::call && random_.percent(20))
                    builder_.add_edge(nodes[at], random_.pick(random_.pick(nodes_of_)), random_cost(kind));
                else if (has_cycles)
                    builder_.add_edge(nodes[at], random_.pick(nodes), random_cost(kind));
                else if (ahead > 0)
                    builder_.add_edge(nodes[at], nodes[at + 1 + random_.below(ahead)], random_cost(kind));
            }
        }
    }

    Cost random_cost(NodeKind kind) {
        const bool odd_one = !shape_.thesis_only && random_.percent(10);
        return (kind == NodeKind::stable) != odd_one ? Cost::charged : Cost::free;
    }

    Random& random_;
    const Shape& shape_;
    GraphBuilder builder_;
    std::vector<ProcedureId> procedures_;
    std::vector<TargetId> targets_;
    std::vector<NodeKind> kinds_;
    std::vector<std::vector<NodeId>> nodes_of_;
};

inline Graph random_graph(Random& random, const Shape& shape) { return RandomGraph(random, shape).build(); }

// A tree of frames, up to `deepest` deep, that stacks share.
class RandomFrames {
public:
    RandomFrames(Random& random, const Graph& graph, size_t count, uint32_t deepest) {
        std::vector<NodeId> calls;
        for (const NodeId node : graph.nodes()) {
            if (graph.kind(node) == NodeKind::call) calls.push_back(node);
        }
        stacks_.push_back(nullptr);
        depths_.push_back(0);
        while (!calls.empty() && stacks_.size() <= count) {
            const size_t parent = random.percent(75) ? stacks_.size() - 1 : random.below(stacks_.size());
            if (depths_[parent] == deepest) continue;
            frames_.push_back({random.pick(calls), stacks_[parent]});
            stacks_.push_back(&frames_.back());
            depths_.push_back(depths_[parent] + 1);
        }
    }
    // The empty stack, and the stack of each frame.
    const std::vector<const PendingCall*>& stacks() const { return stacks_; }
    uint32_t depth() const { return depths_.empty() ? 0 : *std::max_element(depths_.begin(), depths_.end()); }

private:
    std::deque<PendingCall> frames_;
    std::vector<const PendingCall*> stacks_;
    std::vector<uint32_t> depths_;
};

// The call nodes of a stack, top first, as the text format writes them.
inline std::vector<NodeId> calls_of(const PendingCall* stack) {
    std::vector<NodeId> calls;
    for (; stack != nullptr; stack = stack->parent) calls.push_back(stack->call);
    return calls;
}

} // namespace espalier::pda::test
