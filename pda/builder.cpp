#include "pda/builder.hpp"

#include <cassert>

#include "pda/quote.hpp"

namespace espalier::pda {

ProcedureId GraphBuilder::add_procedure(std::string_view name) {
    graph_.roots_.push_back(no_node);
    graph_.procedure_names_.add(name);
    return ProcedureId{static_cast<uint32_t>(graph_.roots_.size() - 1)};
}

void GraphBuilder::set_root(ProcedureId procedure, NodeId root) { graph_.roots_[raw(procedure)] = root; }

NodeId GraphBuilder::add_node(ProcedureId procedure, NodeKind kind, std::string_view name, std::string_view label) {
    assert(raw(procedure) < graph_.procedure_count());
    graph_.kinds_.push_back(kind);
    graph_.procedures_.push_back(procedure);
    graph_.targets_.push_back(no_target);
    graph_.node_names_.add(name);
    graph_.labels_.add(label);
    return NodeId{static_cast<uint32_t>(graph_.kinds_.size() - 1)};
}

void GraphBuilder::add_callee(NodeId node, ProcedureId callee) {
    assert(raw(node) < graph_.node_count() && raw(callee) < graph_.procedure_count());
    callees_.emplace_back(node, callee);
}

TargetId GraphBuilder::target(std::string_view name) {
    const auto next = TargetId{static_cast<uint32_t>(graph_.target_count_)};
    const auto [found, is_new] = target_ids_.try_emplace(std::string(name), next);
    if (is_new) {
        graph_.target_names_.add(name);
        ++graph_.target_count_;
    }
    return found->second;
}

void GraphBuilder::set_target(NodeId node, TargetId target) {
    assert(raw(node) < graph_.node_count() && raw(target) < graph_.target_count());
    graph_.targets_[raw(node)] = target;
}

void GraphBuilder::add_edge(NodeId from, NodeId to, Cost cost) {
    assert(raw(from) < graph_.node_count() && raw(to) < graph_.node_count());
    edges_.push_back({from, to, cost});
}

std::string GraphBuilder::describe(NodeId node) const {
    const std::string_view name = graph_.name(node);
    return name.empty() ? "node " + std::to_string(raw(node)) : "node " + quote(name);
}

std::string GraphBuilder::describe(ProcedureId procedure) const {
    const std::string_view name = graph_.name(procedure);
    return name.empty() ? "procedure " + std::to_string(raw(procedure)) : "procedure " + quote(name);
}

void GraphBuilder::check_node(uint32_t number, bool has_callee, std::vector<BuildError>& errors) const {
    const auto node = NodeId{number};
    const NodeKind kind = graph_.kind(node);
    const bool needs_callee = kind == NodeKind::call || kind == NodeKind::spawn;
    const bool has_target = graph_.target(node) != no_target;
    const auto report = [&](const char* what) {
        std::string text = describe(node) + ": a " + std::string(to_string(kind)) + " node " + what;
        errors.push_back({BuildError::Subject::node, number, std::move(text)});
    };
    if (needs_callee && !has_callee) report("needs a procedure");
    if (!needs_callee && has_callee) report("has no callees");
    if (kind == NodeKind::checkpoint && !has_target) report("needs a target");
    if (kind != NodeKind::checkpoint && has_target) report("has no target");
}

void GraphBuilder::check_edge(uint32_t number, std::vector<BuildError>& errors) const {
    const Edge& edge = edges_[number];
    const NodeKind kind = graph_.kind(edge.from);
    if (kind == NodeKind::ret) {
        errors.push_back(
            {BuildError::Subject::edge, number,
             describe(edge.from) + " is a return node: it has no edges, a return goes where the stack says"});
    } else if (kind == NodeKind::call && graph_.procedure(edge.from) != graph_.procedure(edge.to)) {
        errors.push_back({BuildError::Subject::edge, number,
                          describe(edge.from) + " is a call node: its return point " + describe(edge.to) +
                              " must be in its own " + describe(graph_.procedure(edge.from))});
    }
}

std::vector<BuildError> GraphBuilder::check() const {
    std::vector<BuildError> errors;
    for (const ProcedureId procedure : graph_.procedures()) {
        const NodeId root = graph_.root(procedure);
        if (root == no_node) {
            errors.push_back(
                {BuildError::Subject::procedure, raw(procedure), describe(procedure) + " has no root node"});
        } else if (graph_.procedure(root) != procedure) {
            errors.push_back({BuildError::Subject::procedure, raw(procedure),
                              describe(procedure) + ": its root, " + describe(root) + ", is in " +
                                  describe(graph_.procedure(root))});
        }
    }
    std::vector<bool> has_callee(graph_.node_count(), false);
    for (const auto& [node, callee] : callees_) has_callee[raw(node)] = true;
    for (uint32_t number = 0; number < graph_.node_count(); ++number) check_node(number, has_callee[number], errors);
    for (uint32_t number = 0; number < edges_.size(); ++number) check_edge(number, errors);
    return errors;
}

// Edges get their ids in the order of their source nodes, so that the edges of a node are a range.
void GraphBuilder::sort_edges() {
    const size_t nodes = graph_.node_count();
    std::vector<std::pair<NodeId, uint32_t>> by_source;
    by_source.reserve(edges_.size());
    for (uint32_t number = 0; number < edges_.size(); ++number) by_source.emplace_back(edges_[number].from, number);
    const Rows<NodeId, uint32_t> sorted(nodes, by_source);

    std::vector<std::pair<NodeId, EdgeId>> incoming;
    incoming.reserve(edges_.size());
    for (const NodeId node : graph_.nodes()) {
        for (const uint32_t number : sorted[node]) {
            incoming.emplace_back(edges_[number].to, EdgeId{static_cast<uint32_t>(graph_.edge_count())});
            graph_.sources_.push_back(node);
            graph_.destinations_.push_back(edges_[number].to);
            graph_.costs_.push_back(edges_[number].cost);
        }
        graph_.first_edge_.push_back(static_cast<uint32_t>(graph_.edge_count()));
    }
    graph_.incoming_ = {nodes, incoming};
}

std::variant<Graph, std::vector<BuildError>> GraphBuilder::build() && {
    std::vector<BuildError> errors = check();
    if (!errors.empty()) return errors;

    sort_edges();
    std::vector<std::pair<ProcedureId, NodeId>> callers;
    std::vector<std::pair<ProcedureId, NodeId>> spawners;
    for (const auto& [node, callee] : callees_)
        (graph_.kind(node) == NodeKind::call ? callers : spawners).emplace_back(callee, node);
    std::vector<std::pair<TargetId, NodeId>> checkpoints;
    for (const NodeId node : graph_.nodes()) {
        if (graph_.target(node) != no_target) checkpoints.emplace_back(graph_.target(node), node);
    }
    graph_.callees_ = {graph_.node_count(), callees_};
    graph_.callers_ = {graph_.procedure_count(), callers};
    graph_.spawners_ = {graph_.procedure_count(), spawners};
    graph_.checkpoints_ = {graph_.target_count(), checkpoints};
    return std::move(graph_);
}

} // namespace espalier::pda
