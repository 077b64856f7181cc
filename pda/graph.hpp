// A pushdown automaton in graph form: procedures of nodes, and edges between nodes.
//
// A *call* node pushes itself and goes to the root of one of its callees; a *return* node pops a call node
// and goes on at one of that node's successors, or ends the run where the stack is empty. A *spawn* node
// starts a run of another procedure, with an empty stack, and goes on itself. An edge into another procedure
// is a jump (a tail call): it leaves the stack as it is. Leaving a node by a *charged* edge costs 1, by any
// other 0. Nothing here says what a node stands for: the maker of a graph keeps that in side tables indexed by
// NodeId.
//
// The graph is immutable and flat (arrays of offsets and ids), made by GraphBuilder or read from text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::pda {

enum class NodeId : uint32_t {};
enum class ProcedureId : uint32_t {};
enum class EdgeId : uint32_t {};
enum class TargetId : uint32_t {}; // what a checkpoint node is there for; several nodes may share one

inline constexpr NodeId no_node{UINT32_MAX};
inline constexpr EdgeId no_edge{UINT32_MAX};
inline constexpr ProcedureId no_procedure{UINT32_MAX};
inline constexpr TargetId no_target{UINT32_MAX};

// The position of an id in a side table.
template <typename Id>
constexpr uint32_t raw(Id id) {
    return static_cast<uint32_t>(id);
}

enum class NodeKind : uint8_t { entry, call, ret, stable, checkpoint, spawn, branch, plain };
std::string_view to_string(NodeKind kind);

enum class Cost : uint8_t { free = 0, charged = 1 };

// The ids from first to last, last excluded.
template <typename Id>
class IdRange {
public:
    class Iterator {
    public:
        using value_type = Id;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        explicit Iterator(uint32_t at) : at_(at) {}
        Id operator*() const { return Id{at_}; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return Iterator(at_++); }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        uint32_t at_ = 0;
    };
    IdRange(uint32_t first, uint32_t last) : first_(first), last_(last) {}
    Iterator begin() const { return Iterator(first_); }
    Iterator end() const { return Iterator(last_); }
    size_t size() const { return last_ - first_; }
    bool empty() const { return first_ == last_; }

private:
    uint32_t first_;
    uint32_t last_;
};

// A list of T for each Row, in two arrays.
template <typename Row, typename T>
class Rows {
public:
    Rows() = default;
    // Groups entries by row in linear time; those of one row keep their order.
    Rows(size_t row_count, std::span<const std::pair<Row, T>> entries)
        : first_(row_count + 1, 0), items_(entries.size()) {
        for (const auto& [row, item] : entries) ++first_[raw(row) + 1];
        for (size_t row = 0; row < row_count; ++row) first_[row + 1] += first_[row];
        std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
        for (const auto& [row, item] : entries) items_[next[raw(row)]++] = item;
    }
    std::span<const T> operator[](Row row) const {
        return {items_.data() + first_[raw(row)], items_.data() + first_[raw(row) + 1]};
    }
    friend bool operator==(const Rows&, const Rows&) = default;

private:
    std::vector<uint32_t> first_{0};
    std::vector<T> items_;
};

// Many short texts in one allocation.
class TextPool {
public:
    void add(std::string_view text);
    std::string_view operator[](uint32_t at) const;
    friend bool operator==(const TextPool&, const TextPool&) = default;

private:
    std::vector<size_t> ends_;
    std::string bytes_;
};

class Graph {
public:
    size_t node_count() const { return kinds_.size(); }
    size_t edge_count() const { return sources_.size(); }
    size_t procedure_count() const { return roots_.size(); }
    size_t target_count() const { return target_count_; }
    IdRange<NodeId> nodes() const { return {0, static_cast<uint32_t>(node_count())}; }
    IdRange<ProcedureId> procedures() const { return {0, static_cast<uint32_t>(procedure_count())}; }
    IdRange<TargetId> targets() const { return {0, static_cast<uint32_t>(target_count())}; }

    NodeKind kind(NodeId node) const { return kinds_[raw(node)]; }
    ProcedureId procedure(NodeId node) const { return procedures_[raw(node)]; }
    NodeId root(ProcedureId procedure) const { return roots_[raw(procedure)]; }
    bool is_root(NodeId node) const { return root(procedure(node)) == node; }
    // What a checkpoint node is there for; no_target for every other node.
    TargetId target(NodeId node) const { return targets_[raw(node)]; }
    // The procedures that a call node may call, or a spawn node start.
    std::span<const ProcedureId> callees(NodeId node) const { return callees_[node]; }

    // The edges that leave a node, in the order they were added. Those of a call node are its return points.
    IdRange<EdgeId> edges(NodeId node) const { return {first_edge_[raw(node)], first_edge_[raw(node) + 1]}; }
    NodeId from(EdgeId edge) const { return sources_[raw(edge)]; }
    NodeId to(EdgeId edge) const { return destinations_[raw(edge)]; }
    uint32_t cost(EdgeId edge) const { return static_cast<uint32_t>(costs_[raw(edge)]); }
    bool is_jump(EdgeId edge) const { return procedure(from(edge)) != procedure(to(edge)); }

    // The same backwards.
    std::span<const EdgeId> incoming(NodeId node) const { return incoming_[node]; }
    std::span<const NodeId> callers(ProcedureId procedure) const { return callers_[procedure]; }
    std::span<const NodeId> spawners(ProcedureId procedure) const { return spawners_[procedure]; }
    std::span<const NodeId> checkpoints(TargetId target) const { return checkpoints_[target]; }

    // As given to the builder, perhaps empty. A label is for people, such as a place in a source file.
    std::string_view name(NodeId node) const { return node_names_[raw(node)]; }
    std::string_view label(NodeId node) const { return labels_[raw(node)]; }
    std::string_view name(ProcedureId procedure) const { return procedure_names_[raw(procedure)]; }
    std::string_view name(TargetId target) const { return target_names_[raw(target)]; }

    // The same, with every edge free: what is at distance 0 in it can be reached at some distance in this one, however
    // far. (A table with a great limit would not tell: sums that pass the limit count as unreachable.)
    Graph uncharged() const;

    friend bool operator==(const Graph&, const Graph&) = default;

private:
    friend class GraphBuilder;
    std::vector<NodeKind> kinds_;
    std::vector<ProcedureId> procedures_;
    std::vector<TargetId> targets_;
    std::vector<NodeId> roots_;
    Rows<NodeId, ProcedureId> callees_;
    std::vector<uint32_t> first_edge_{0};
    std::vector<NodeId> sources_;
    std::vector<NodeId> destinations_;
    std::vector<Cost> costs_;
    Rows<NodeId, EdgeId> incoming_;
    Rows<ProcedureId, NodeId> callers_;
    Rows<ProcedureId, NodeId> spawners_;
    Rows<TargetId, NodeId> checkpoints_;
    size_t target_count_ = 0;
    TextPool node_names_;
    TextPool labels_;
    TextPool procedure_names_;
    TextPool target_names_;
};

} // namespace espalier::pda
