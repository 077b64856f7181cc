// The pushdown automaton as a picture: how the analysis sees a model.
//
// An edge from a call to where it returns to is dashed, because control goes through the callee first; the callee's own
// return nodes have no edges. Jumps and spawns do not pull on the layout: most of them lead back.
#include "testgen/graph.hpp"
#include "testgen/graph_dot.hpp"
#include "testgen/graph_text.hpp"

namespace espalier {

namespace {

using pda::EdgeId;
using pda::NodeId;
using pda::NodeKind;

constexpr size_t text_limit = 34;

constexpr const char* stable_colour = "#ffe28a";
constexpr const char* target_colour = "#b7e3b0";
constexpr const char* send_colour = "#d5e8f7";

class PdaPicture {
public:
    PdaPicture(const Model& model, const Flow& flow)
        : program_(*model.program), flow_(flow), graph_(flow.graph()), text_(model),
          sends_(graph_.target_count(), true) {
        for (uint32_t t = 0; t < program_.targets.size(); ++t) sends_[pda::raw(flow.target(TargetId{t}))] = false;
    }
    std::string draw();

private:
    void draw_procedure(VariantId v, Dot& dot, const std::vector<NodeId>& nodes) const;
    void draw_node(NodeId node, Dot& dot) const;
    void draw_edges(NodeId node, Dot& dot) const;
    std::string label(NodeId node) const;
    std::vector<std::string> edge_labels(NodeId node) const;
    std::vector<std::string> clause_labels(NodeId node, const term::Select& select) const;

    const TerminatorKind* terminator(NodeId node) const;
    std::string id(NodeId node) const { return "n" + std::to_string(pda::raw(node)); }
    std::string with_place(std::string text, NodeId node) const;

    const Program& program_;
    const Flow& flow_;
    const pda::Graph& graph_;
    SourceText text_;
    std::vector<bool> sends_; // by target of the graph
};

std::string PdaPicture::draw() {
    Attributes layout = {{"nodesep", "0.2"}, {"ranksep", "0.3"}};
    if (graph_.node_count() > 400) { // a good layout would take minutes
        layout.insert(layout.end(), {{"nslimit", "1"}, {"nslimit1", "1"}, {"mclimit", "0.2"}, {"splines", "line"}});
    }
    Dot dot(text_.model_name() + ": pushdown automaton", layout);
    dot.legend({{stable_colour, "oval", "stable state: waits for the environment"},
                {target_colour, "name", "checkpoint"},
                {send_colour, "send", "to a channel"},
                {"white", "─ blue", "call"},
                {"white", "╌ grey", "goes on after the call"},
                {"white", "╌ orange", "tail call"},
                {"white", "┄ purple", "spawn"},
                {"white", "+1", "cost"}});
    std::vector<std::vector<NodeId>> nodes(graph_.procedure_count());
    for (NodeId n : graph_.nodes()) nodes[pda::raw(graph_.procedure(n))].push_back(n);
    for (uint32_t v = 0; v < flow_.variants().size(); ++v)
        draw_procedure(VariantId{v}, dot, nodes[pda::raw(flow_[VariantId{v}].procedure)]);
    for (NodeId n : graph_.nodes()) draw_edges(n, dot);
    return std::move(dot).finish();
}

void PdaPicture::draw_procedure(VariantId v, Dot& dot, const std::vector<NodeId>& nodes) const {
    const Variant& variant = flow_[v];
    const Lambda& lambda = program_[variant.lambda];
    const bool top = variant.lambda == program_.top;
    std::string title = top ? "top level" : shortened(name_of(lambda.name), text_limit);
    std::string below = top ? std::string() : text_.place(lambda.span);
    if (const std::string site = text_.place(text_.span(variant.site)); !site.empty())
        below += (below.empty() ? "" : ", ") + ("from " + site);
    const std::string markup = "<B>" + html_text(title) + "</B>" +
                               (below.empty() ? "" : "<BR/><FONT POINT-SIZE=\"9\">" + html_text(below) + "</FONT>");
    dot.begin_cluster("p" + std::to_string(index(v)), {{"label", html(markup)},
                                                       {"style", "\"rounded,filled\""},
                                                       {"color", "\"#888888\""},
                                                       {"fillcolor", lambda.prelude ? "\"#eeeeee\"" : "\"#fafafa\""}});
    // The builder makes a procedure's nodes from its end to its beginning; a picture starts at the beginning.
    for (size_t i = nodes.size(); i-- > 0;) draw_node(nodes[i], dot);
    dot.end_cluster();
}

// Of the place that the node stands for, unless that is an operation.
const TerminatorKind* PdaPicture::terminator(NodeId node) const {
    const Place& place = flow_.place(node);
    if (place.label == no_label) return nullptr;
    const Terminator& t = program_[place.block].terminator;
    return t.label == place.label ? &t.kind : nullptr;
}

std::string PdaPicture::with_place(std::string text, NodeId node) const {
    const std::string place = text_.place(text_.span(flow_.place(node).label));
    return place.empty() ? text : std::move(text) + "\n" + place;
}

std::string PdaPicture::label(NodeId node) const {
    const std::string text = text_.text(text_.span(flow_.place(node).label), text_limit);
    const TerminatorKind* t = terminator(node);
    switch (graph_.kind(node)) {
    case NodeKind::entry:
    case NodeKind::ret: return {};
    case NodeKind::checkpoint: {
        const bool send = sends_[pda::raw(graph_.target(node))];
        return with_place(send ? text : shortened(graph_.name(graph_.target(node)), 2 * text_limit), node);
    }
    case NodeKind::spawn: return with_place(t != nullptr ? "messages' where" : text, node);
    case NodeKind::stable: return with_place("wait", node);
    case NodeKind::call:
    case NodeKind::branch: return with_place(text, node);
    case NodeKind::plain: break;
    }
    if (t != nullptr && std::holds_alternative<term::Refuse>(*t)) return "refuse";
    if (t != nullptr && std::holds_alternative<term::Select>(*t)) return with_place("wait", node);
    if (graph_.edges(node).empty()) return with_place(text.empty() ? "stop" : "stop: " + text, node);
    return with_place(text, node);
}

void PdaPicture::draw_node(NodeId node, Dot& dot) const {
    const Span span = text_.span(flow_.place(node).label);
    Attributes a = {{"label", quoted(label(node))}};
    const auto filled = [&](const char* shape, const char* colour) {
        a.insert(a.end(), {{"shape", shape}, {"style", "filled"}, {"fillcolor", quoted(colour)}});
    };
    switch (graph_.kind(node)) {
    case NodeKind::entry:
        filled("circle", "black");
        a.insert(a.end(), {{"width", "0.12"}, {"height", "0.12"}, {"fixedsize", "true"}});
        break;
    case NodeKind::ret:
        filled("doublecircle", "black");
        a.insert(a.end(), {{"width", "0.1"}, {"height", "0.1"}, {"fixedsize", "true"}});
        break;
    case NodeKind::stable:
        filled("ellipse", stable_colour);
        a.emplace_back("penwidth", "2");
        break;
    case NodeKind::checkpoint:
        if (sends_[pda::raw(graph_.target(node))])
            filled("cds", send_colour);
        else
            filled("box", target_colour);
        break;
    case NodeKind::call:
        filled("box", "white"), a.insert(a.end(), {{"color", "\"#1f5fa8\""}, {"penwidth", "1.5"}});
        break;
    case NodeKind::spawn:
        filled("box", "white"), a.insert(a.end(), {{"color", "\"#8a3fa0\""}, {"penwidth", "1.5"}});
        break;
    case NodeKind::branch: filled("hexagon", "white"); break;
    case NodeKind::plain: filled("box", "white"); break;
    }
    if (span.known()) a.emplace_back("tooltip", quoted(text_.place(span) + "  " + text_.text(span, 200)));
    dot.node(id(node), a);
}

// A clause's edges are in the order of the clauses; those that are never taken have none.
std::vector<std::string> PdaPicture::clause_labels(NodeId node, const term::Select& select) const {
    std::vector<std::string> labels(graph_.edges(node).size());
    const auto clauses = program_.select_clauses(select);
    size_t next = 0;
    size_t at = 0;
    for (EdgeId e : graph_.edges(node)) {
        while (next < clauses.size() && flow_.node(flow_.place(node).variant, clauses[next].test) != graph_.to(e))
            ++next;
        if (next < clauses.size()) labels[at] = text_.clause(clauses[next++], text_limit);
        ++at;
    }
    return labels;
}

std::vector<std::string> PdaPicture::edge_labels(NodeId node) const {
    std::vector<std::string> labels(graph_.edges(node).size());
    const TerminatorKind* t = terminator(node);
    if (t == nullptr || graph_.kind(node) == NodeKind::spawn) return labels;
    if (const auto* select = std::get_if<term::Select>(t)) return clause_labels(node, *select);
    if (const auto* branch = std::get_if<term::Branch>(t)) {
        size_t at = 0;
        for (EdgeId e : graph_.edges(node)) {
            const bool yes = flow_.node(flow_.place(node).variant, branch->then_block) == graph_.to(e);
            labels[at++] = yes ? "yes" : "no";
        }
    }
    return labels;
}

void PdaPicture::draw_edges(NodeId node, Dot& dot) const {
    const NodeKind kind = graph_.kind(node);
    const TerminatorKind* t = terminator(node);
    const bool tail_call = kind == NodeKind::plain && t != nullptr && std::holds_alternative<term::TailCall>(*t);
    for (pda::ProcedureId callee : graph_.callees(node)) {
        Attributes a = {{"lhead", "cluster_p" + std::to_string(pda::raw(callee))}};
        if (callee == graph_.procedure(node)) a.clear(); // Graphviz: its tail would be inside its head
        if (kind == NodeKind::spawn)
            a.insert(a.end(),
                     {{"color", "\"#8a3fa0\""}, {"style", "dotted"}, {"penwidth", "2"}, {"arrowhead", "empty"}});
        else
            a.insert(a.end(), {{"color", "\"#1f5fa8\""}, {"penwidth", "1.5"}});
        dot.edge(id(node), id(graph_.root(callee)), a);
    }
    const std::vector<std::string> labels = edge_labels(node);
    size_t at = 0;
    for (EdgeId e : graph_.edges(node)) {
        std::string text = labels[at++];
        if (graph_.cost(e) > 0) text += (text.empty() ? "" : "  ") + ("+" + std::to_string(graph_.cost(e)));
        Attributes a;
        if (!text.empty()) a.emplace_back("label", quoted(" " + text));
        if (graph_.cost(e) > 0) a.emplace_back("penwidth", "2");
        if (tail_call)
            a.insert(a.end(), {{"color", "\"#c8601a\""}, {"style", "dashed"}, {"constraint", "false"}});
        else if (kind == NodeKind::call)
            a.insert(a.end(), {{"color", "\"#888888\""}, {"style", "dashed"}});
        dot.edge(id(node), id(graph_.to(e)), a);
    }
}

} // namespace

std::string draw_pda(const Model& model, const Flow& flow) { return PdaPicture(model, flow).draw(); }

} // namespace espalier
