#include "testgen/graph/pda_text.hpp"

#include "testgen/graph/dot.hpp"

namespace espalier {

using pda::EdgeId;
using pda::NodeId;
using pda::NodeKind;

namespace {

constexpr size_t text_limit = 34;
constexpr size_t target_limit = 60; // names of targets are worth reading
constexpr size_t tooltip_limit = 200;

} // namespace

PdaText::PdaText(const Model& model, const Flow& flow)
    : program_(*model.program), flow_(flow), graph_(flow.graph()), text_(model), sends_(graph_.target_count(), true) {
    for (uint32_t t = 0; t < program_.targets.size(); ++t) sends_[pda::raw(flow.target(TargetId{t}))] = false;
}

std::string PdaText::name(VariantId v) const {
    const LambdaId lambda = flow_[v].lambda;
    return lambda == program_.top ? "top level" : shortened(name_of(program_[lambda].name), text_limit);
}

std::string PdaText::origin(VariantId v) const {
    const LambdaId lambda = flow_[v].lambda;
    std::string out = lambda == program_.top ? std::string() : text_.place(program_[lambda].span);
    const std::string site = text_.place(text_.span(flow_[v].site));
    if (!site.empty()) out += (out.empty() ? "from " : ", from ") + site;
    return out;
}

bool PdaText::is_send(NodeId node) const {
    return graph_.kind(node) == NodeKind::checkpoint && sends_[pda::raw(graph_.target(node))];
}

bool PdaText::is_tail_call(NodeId node) const {
    const TerminatorKind* t = terminator(node);
    return graph_.kind(node) == NodeKind::plain && t != nullptr && std::holds_alternative<terminator::TailCall>(*t);
}

std::vector<VariantId> PdaText::callees(NodeId node) const {
    std::vector<VariantId> result;
    for (pda::ProcedureId p : graph_.callees(node)) result.push_back(flow_.place(graph_.root(p)).variant);
    if (is_tail_call(node))
        for (EdgeId e : graph_.edges(node)) result.push_back(flow_.place(graph_.to(e)).variant);
    return result;
}

// Of the place that the node stands for, unless that is an operation.
const TerminatorKind* PdaText::terminator(NodeId node) const {
    const Place& place = flow_.place(node);
    if (place.label == no_label) return nullptr;
    const Terminator& t = program_[place.block].terminator;
    return t.label == place.label ? &t.kind : nullptr;
}

std::string PdaText::with_place(std::string text, NodeId node) const {
    const std::string place = text_.place(text_.span(flow_.place(node).label));
    return place.empty() ? text : std::move(text) + "\n" + place;
}

std::string PdaText::node(NodeId node) const {
    const std::string text = text_.text(text_.span(flow_.place(node).label), text_limit);
    const TerminatorKind* t = terminator(node);
    switch (graph_.kind(node)) {
    case NodeKind::entry:
    case NodeKind::ret: return {};
    case NodeKind::checkpoint:
        return with_place(is_send(node) ? text : shortened(graph_.name(graph_.target(node)), target_limit), node);
    case NodeKind::spawn: return with_place(t != nullptr ? "where of messages" : text, node);
    case NodeKind::stable: return with_place("wait", node);
    case NodeKind::call:
    case NodeKind::branch: return with_place(text, node);
    case NodeKind::plain: break;
    }
    if (t != nullptr && std::holds_alternative<terminator::Refuse>(*t)) return "refuse";
    if (t != nullptr && std::holds_alternative<terminator::Select>(*t)) return with_place("wait", node);
    if (graph_.edges(node).empty()) return with_place(text.empty() ? "stop" : "stop: " + text, node);
    return with_place(text, node);
}

std::string PdaText::tooltip(NodeId node) const {
    const Span span = text_.span(flow_.place(node).label);
    const std::string kind(to_string(graph_.kind(node)));
    return span.known() ? kind + " " + text_.place(span) + "  " + text_.text(span, tooltip_limit) : kind;
}

// Edges are in the order of their clauses; a clause that is never taken has none.
void PdaText::add_clauses(NodeId node, const terminator::Select& select, std::vector<std::string>& labels) const {
    const auto clauses = program_.select_clauses(select);
    const VariantId variant = flow_.place(node).variant;
    size_t clause = 0;
    size_t at = 0;
    for (EdgeId e : graph_.edges(node)) {
        while (clause < clauses.size() && flow_.node(variant, clauses[clause].test) != graph_.to(e)) ++clause;
        if (clause < clauses.size()) labels[at] = text_.clause(clauses[clause++], text_limit);
        ++at;
    }
}

std::vector<std::string> PdaText::edges(NodeId node) const {
    std::vector<std::string> labels(graph_.edges(node).size());
    const TerminatorKind* t = graph_.kind(node) == NodeKind::spawn ? nullptr : terminator(node);
    const auto* select = t == nullptr ? nullptr : std::get_if<terminator::Select>(t);
    const auto* branch = t == nullptr ? nullptr : std::get_if<terminator::Branch>(t);
    if (select != nullptr) add_clauses(node, *select, labels);
    size_t at = 0;
    for (EdgeId e : graph_.edges(node)) {
        std::string& label = labels[at++];
        if (branch != nullptr) {
            const bool yes = flow_.node(flow_.place(node).variant, branch->then_block) == graph_.to(e);
            label = yes ? "yes" : "no";
        }
        if (graph_.cost(e) > 0) label += (label.empty() ? "+" : "  +") + std::to_string(graph_.cost(e));
    }
    return labels;
}

} // namespace espalier
