// The pushdown automaton as a picture: how the analysis sees a model.
//
// An edge from a call to where it returns to is dashed, because control goes through the callee first; the callee's own
// return nodes have no edges. In a large automaton lines between procedures would cover everything, and laying them out
// would take minutes: there a call names its callees and, in SVG, leads to the first one when clicked.
#include "testgen/graph/dot.hpp"
#include "testgen/graph/graph.hpp"
#include "testgen/graph/pda_text.hpp"

namespace espalier {

namespace {

using pda::EdgeId;
using pda::NodeId;
using pda::NodeKind;

constexpr size_t most_nodes_with_lines = 200;
constexpr size_t most_nodes_with_curves = 2000;
constexpr size_t most_named_callees = 4;

constexpr const char* stable_colour = "#ffe28a";
constexpr const char* target_colour = "#b7e3b0";
constexpr const char* send_colour = "#d5e8f7";
constexpr const char* call_colour = "#1f5fa8";
constexpr const char* tail_call_colour = "#c8601a";
constexpr const char* spawn_colour = "#8a3fa0";
constexpr const char* after_colour = "#888888";

class PdaPicture {
public:
    PdaPicture(const Model& model, const Flow& flow)
        : program_(*model.program), flow_(flow), graph_(flow.graph()), text_(model, flow),
          links_(graph_.node_count() > most_nodes_with_lines) {}
    std::string draw() const;

private:
    void draw_legend(Dot& dot) const;
    void draw_procedure(VariantId v, const std::vector<NodeId>& nodes, Dot& dot) const;
    void draw_node(NodeId node, Dot& dot) const;
    void draw_calls(NodeId node, Dot& dot) const;
    void draw_edges(NodeId node, Dot& dot) const;
    Attributes style(NodeId node) const;
    std::string label(NodeId node) const;
    static std::string id(NodeId node) { return "n" + std::to_string(pda::raw(node)); }
    static std::string id(VariantId v) { return "p" + std::to_string(index(v)); }

    const Program& program_;
    const Flow& flow_;
    const pda::Graph& graph_;
    PdaText text_;
    bool links_; // instead of lines from procedure to procedure
};

std::string PdaPicture::draw() const {
    Attributes layout = {{"nodesep", "0.2"}, {"ranksep", "0.3"}};
    if (links_)
        layout.insert(layout.end(), {{"pack", "16"}, {"packmode", "\"graph\""}, {"nslimit", "1"}, {"mclimit", "0.3"}});
    if (graph_.node_count() > most_nodes_with_curves) layout.emplace_back("splines", "line");
    Dot dot(text_.model_name() + ": pushdown automaton", layout);
    draw_legend(dot);
    std::vector<std::vector<NodeId>> nodes(graph_.procedure_count());
    for (NodeId n : graph_.nodes()) nodes[pda::raw(graph_.procedure(n))].push_back(n);
    for (uint32_t v = 0; v < flow_.variants().size(); ++v)
        draw_procedure(VariantId{v}, nodes[pda::raw(flow_[VariantId{v}].procedure)], dot);
    for (NodeId n : graph_.nodes()) {
        if (!links_) draw_calls(n, dot);
        draw_edges(n, dot);
    }
    return std::move(dot).finish();
}

void PdaPicture::draw_legend(Dot& dot) const {
    std::vector<LegendEntry> entries = {{stable_colour, "black", "wait", "stable state: waits for the environment"},
                                        {target_colour, "black", "name", "checkpoint"},
                                        {send_colour, "black", "send", "to a channel"},
                                        {"white", "black", "+1", "cost"},
                                        {"white", after_colour, "╌╌▶", "goes on after the call"}};
    if (links_) {
        entries.push_back({"white", call_colour, "→ name", "calls, tail-calls or starts it (in SVG, a link)"});
    } else {
        entries.insert(entries.end(), {{"white", call_colour, "──▶", "call"},
                                       {"white", tail_call_colour, "╌╌▶", "tail call"},
                                       {"white", spawn_colour, "┄┄▷", "spawn"}});
    }
    dot.legend(entries);
}

void PdaPicture::draw_procedure(VariantId v, const std::vector<NodeId>& nodes, Dot& dot) const {
    const std::string origin = text_.origin(v);
    const std::string markup = "<B>" + html_lines(text_.name(v)) + "</B>" +
                               (origin.empty() ? "" : "<BR/><FONT POINT-SIZE=\"9\">" + html_lines(origin) + "</FONT>");
    const bool prelude = program_[flow_[v].lambda].prelude;
    dot.begin_cluster(id(v), {{"label", html(markup)},
                              {"id", id(v)},
                              {"style", "\"rounded,filled\""},
                              {"color", "\"#888888\""},
                              {"fillcolor", prelude ? "\"#ededed\"" : "\"#fafafa\""}});
    // The analysis makes a procedure's nodes from its end to its beginning; a picture starts at the beginning.
    for (size_t i = nodes.size(); i-- > 0;) draw_node(nodes[i], dot);
    dot.end_cluster();
}

Attributes PdaPicture::style(NodeId node) const {
    const auto filled = [](const char* shape, const char* colour) {
        return Attributes{{"shape", shape}, {"style", "filled"}, {"fillcolor", quoted(colour)}};
    };
    const auto dot = [&](const char* shape, const char* size) {
        return Attributes{{"shape", shape}, {"style", "filled"}, {"fillcolor", "black"},
                          {"width", size},  {"height", size},    {"fixedsize", "true"}};
    };
    const auto outlined = [](const char* colour) {
        return Attributes{{"style", "filled"}, {"fillcolor", "white"}, {"color", quoted(colour)}, {"penwidth", "1.5"}};
    };
    switch (graph_.kind(node)) {
    case NodeKind::entry: return dot("circle", "0.12");
    case NodeKind::ret: return dot("doublecircle", "0.1");
    case NodeKind::stable: {
        Attributes a = filled("ellipse", stable_colour);
        a.emplace_back("penwidth", "2");
        return a;
    }
    case NodeKind::checkpoint: return text_.is_send(node) ? filled("cds", send_colour) : filled("box", target_colour);
    case NodeKind::call: return outlined(call_colour);
    case NodeKind::spawn: return outlined(spawn_colour);
    case NodeKind::branch: return filled("hexagon", "white");
    case NodeKind::plain: return text_.is_tail_call(node) ? outlined(tail_call_colour) : filled("box", "white");
    }
    return {};
}

std::string PdaPicture::label(NodeId node) const {
    std::string out = text_.node(node);
    if (!links_) return out;
    const std::vector<VariantId> callees = text_.callees(node);
    for (size_t i = 0; i < callees.size() && i < most_named_callees; ++i) out += "\n→ " + text_.name(callees[i]);
    if (callees.size() > most_named_callees)
        out += "\n→ " + std::to_string(callees.size() - most_named_callees) + " more";
    return out;
}

void PdaPicture::draw_node(NodeId node, Dot& dot) const {
    Attributes a = {{"label", quoted(label(node))}};
    const Attributes look = style(node);
    a.insert(a.end(), look.begin(), look.end());
    a.emplace_back("tooltip", quoted(text_.tooltip(node)));
    const std::vector<VariantId> callees = text_.callees(node);
    if (links_ && !callees.empty()) a.emplace_back("URL", "\"#" + id(callees[0]) + "\"");
    dot.node(id(node), a);
}

void PdaPicture::draw_calls(NodeId node, Dot& dot) const {
    const VariantId own = flow_.place(node).variant;
    const bool spawn = graph_.kind(node) == NodeKind::spawn;
    const bool tail_call = text_.is_tail_call(node);
    for (VariantId callee : text_.callees(node)) {
        const char* colour = spawn ? spawn_colour : tail_call ? tail_call_colour : call_colour;
        Attributes a = {{"color", quoted(colour)}, {"penwidth", "1.5"}};
        if (callee != own) a.emplace_back("lhead", "cluster_" + id(callee)); // Graphviz: only from outside
        if (spawn) a.insert(a.end(), {{"style", "dotted"}, {"arrowhead", "empty"}});
        if (tail_call) a.emplace_back("style", "dashed");
        // Variants are numbered as they are found: what leads back must not turn the picture upside down.
        if (callee <= own) a.emplace_back("constraint", "false");
        dot.edge(id(node), id(graph_.root(flow_[callee].procedure)), a);
    }
}

void PdaPicture::draw_edges(NodeId node, Dot& dot) const {
    if (text_.is_tail_call(node)) return;
    const std::vector<std::string> labels = text_.edges(node);
    size_t at = 0;
    for (EdgeId e : graph_.edges(node)) {
        Attributes a;
        if (!labels[at].empty()) a.emplace_back("label", quoted(" " + labels[at] + " "));
        if (graph_.cost(e) > 0) a.emplace_back("penwidth", "2");
        if (graph_.kind(node) == NodeKind::call)
            a.insert(a.end(), {{"color", quoted(after_colour)}, {"style", "dashed"}});
        dot.edge(id(node), id(graph_.to(e)), a);
        ++at;
    }
}

} // namespace

std::string draw_pda(const Model& model, const Flow& flow) { return PdaPicture(model, flow).draw(); }

} // namespace espalier
