// Makes a Graph piece by piece, in any order, and checks it when it is complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "pda/graph.hpp"

namespace espalier::pda {

// A rule that the finished graph would break, and the procedure, node or edge that breaks it, numbered in the
// order in which they were added.
struct BuildError {
    enum class Subject : uint8_t { procedure, node, edge };
    Subject subject;
    uint32_t number;
    std::string text;
};

class GraphBuilder {
public:
    // Names and labels are for people, and may be empty or the same for several.
    ProcedureId add_procedure(std::string_view name = {});
    void set_root(ProcedureId procedure, NodeId root);
    NodeId add_node(ProcedureId procedure, NodeKind kind, std::string_view name = {}, std::string_view label = {});
    // A call or spawn node needs at least one callee. (A call that can call nothing is a plain node without
    // edges.)
    void add_callee(NodeId node, ProcedureId callee);
    // The target of that name; the same one each time.
    TargetId target(std::string_view name);
    // A checkpoint node needs exactly one target; a place with several targets is a chain of checkpoint
    // nodes.
    void set_target(NodeId node, TargetId target);
    void add_edge(NodeId from, NodeId to, Cost cost = Cost::free);

    // The graph, or everything that is wrong with it. The builder is used up.
    std::variant<Graph, std::vector<BuildError>> build() &&;

private:
    struct Edge {
        NodeId from;
        NodeId to;
        Cost cost;
    };
    std::vector<BuildError> check() const;
    void check_node(uint32_t number, bool has_callee, std::vector<BuildError>& errors) const;
    void check_edge(uint32_t number, std::vector<BuildError>& errors) const;
    std::string describe(NodeId node) const;
    std::string describe(ProcedureId procedure) const;
    void sort_edges();

    Graph graph_;
    std::vector<Edge> edges_;
    std::vector<std::pair<NodeId, ProcedureId>> callees_;
    std::unordered_map<std::string, TargetId> target_ids_;
};

} // namespace espalier::pda
