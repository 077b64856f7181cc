// Calls between procedures: the pushdown automaton with each procedure drawn together to one node.
#include <algorithm>
#include <map>

#include "testgen/graph/dot.hpp"
#include "testgen/graph/graph.hpp"
#include "testgen/graph/text.hpp"

namespace espalier {

namespace {

enum class Link : uint8_t { call, tail_call, spawn, where };

struct Procedure {
    size_t variants = 0;
    size_t checkpoints = 0; // in all variants, each counted once
    bool waits = false;     // for the environment
};

class CallPicture {
public:
    CallPicture(const Model& model, const Flow& flow)
        : program_(*model.program), flow_(flow), graph_(flow.graph()), text_(model),
          procedures_(program_.lambdas.size()) {}
    std::string draw();

private:
    void count();
    void collect(pda::NodeId node);
    void draw_procedure(LambdaId id, Dot& dot) const;
    LambdaId lambda(pda::NodeId node) const { return flow_[flow_.place(node).variant].lambda; }
    static std::string id(LambdaId lambda) { return "l" + std::to_string(index(lambda)); }

    const Program& program_;
    const Flow& flow_;
    const pda::Graph& graph_;
    SourceText text_;
    std::vector<Procedure> procedures_;
    std::map<std::pair<LambdaId, LambdaId>, std::vector<Link>> links_;
};

void CallPicture::count() {
    for (const Variant& v : flow_.variants()) ++procedures_[index(v.lambda)].variants;
    for (uint32_t l = 0; l < program_.lambdas.size(); ++l) {
        const Lambda& lambda = program_.lambdas[l];
        for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b)
            for (const Operation& o : program_.operations(program_.blocks[b]))
                procedures_[l].checkpoints += marked(o.kind) ? 1 : 0;
    }
}

void CallPicture::collect(pda::NodeId node) {
    const Place& place = flow_.place(node);
    if (graph_.kind(node) == pda::NodeKind::stable) procedures_[index(lambda(node))].waits = true;
    if (place.label == no_label) return;
    const Terminator& t = program_[place.block].terminator;
    const bool at_terminator = t.label == place.label;
    const auto add = [&](LambdaId to, Link link) {
        std::vector<Link>& links = links_[{lambda(node), to}];
        if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
    };
    const bool spawn = graph_.kind(node) == pda::NodeKind::spawn;
    for (pda::ProcedureId callee : graph_.callees(node))
        add(lambda(graph_.root(callee)), !spawn ? Link::call : at_terminator ? Link::where : Link::spawn);
    if (at_terminator && std::holds_alternative<terminator::TailCall>(t.kind))
        for (pda::EdgeId e : graph_.edges(node)) add(lambda(graph_.to(e)), Link::tail_call);
}

void CallPicture::draw_procedure(LambdaId l, Dot& dot) const {
    const Lambda& lambda = program_[l];
    const Procedure& p = procedures_[index(l)];
    const bool top = l == program_.top;
    std::string details = top ? text_.model_name() : text_.place(lambda.span);
    const auto count = [&](size_t n, const char* what) {
        details += (details.empty() ? "" : ", ") + std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    if (p.checkpoints > 0) count(p.checkpoints, "checkpoint");
    if (p.variants > 1) count(p.variants, "variant");
    if (p.variants == 0) details += (details.empty() ? "" : ", ") + std::string("never called");
    const std::string name = top ? "top level" : shortened(name_of(lambda.name), 40);
    const std::string markup =
        "<B>" + html_lines(name) + "</B><BR/><FONT POINT-SIZE=\"8\">" + html_lines(details) + "</FONT>";
    std::string style = p.variants == 0 ? "\"rounded,dashed\"" : top ? "\"filled,bold\"" : "\"rounded,filled\"";
    const char* colour = p.waits ? "\"#ffe28a\"" : lambda.prelude ? "\"#e4e4e4\"" : "white";
    dot.node(id(l), {{"label", html(markup)}, {"style", std::move(style)}, {"fillcolor", colour}});
}

std::string CallPicture::draw() {
    count();
    for (pda::NodeId n : graph_.nodes()) collect(n);
    Attributes layout = {{"rankdir", "LR"}, {"nodesep", "0.15"}, {"ranksep", "0.6"}};
    if (links_.size() > 200) layout.insert(layout.end(), {{"nslimit", "1"}, {"mclimit", "0.2"}, {"splines", "line"}});
    Dot dot(text_.model_name() + ": procedures", layout);
    dot.legend({{"#ffe28a", "black", "name", "waits for the environment"},
                {"#e4e4e4", "black", "name", "of the prelude"},
                {"white", "#1f5fa8", "──▶", "calls"},
                {"white", "#c8601a", "╌╌▶", "tail-calls"},
                {"white", "#8a3fa0", "┄┄▷", "spawns"}});
    for (uint32_t l = 0; l < program_.lambdas.size(); ++l)
        if (procedures_[l].variants > 0 || !program_.lambdas[l].prelude) draw_procedure(LambdaId{l}, dot);
    for (const auto& [ends, links] : links_) {
        for (Link link : links) {
            Attributes a;
            switch (link) {
            case Link::call: a = {{"color", "\"#1f5fa8\""}}; break;
            case Link::tail_call: a = {{"color", "\"#c8601a\""}, {"style", "dashed"}}; break;
            case Link::spawn:
                a = {{"color", "\"#8a3fa0\""}, {"style", "dotted"}, {"penwidth", "2"}, {"arrowhead", "empty"}};
                break;
            case Link::where: a = {{"color", "\"#888888\""}, {"style", "dotted"}, {"label", "\"where\""}}; break;
            }
            dot.edge(id(ends.first), id(ends.second), a);
        }
    }
    return std::move(dot).finish();
}

} // namespace

std::string draw_calls(const Model& model, const Flow& flow) { return CallPicture(model, flow).draw(); }

} // namespace espalier
