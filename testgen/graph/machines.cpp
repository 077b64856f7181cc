// Machines as state charts. A state around others is a cluster; Graphviz draws edges between nodes only, so such a
// cluster has a dot, where arrows to it end and its initial state begins, and a note with its own clauses, where arrows
// from it begin.
#include <map>

#include "testgen/graph/dot.hpp"
#include "testgen/graph/graph.hpp"
#include "testgen/graph/machine_arrows.hpp"
#include "testgen/graph/text.hpp"

namespace espalier {

namespace {

constexpr size_t text_limit = 44;

class MachinePicture {
public:
    MachinePicture(const MachineDef& machine, const MachineArrows& arrows, std::string prefix, const SourceText& text,
                   Dot& dot)
        : machine_(machine), arrows_(arrows), prefix_(std::move(prefix)), text_(text), dot_(dot) {}
    void draw();

private:
    void draw_states(uint32_t parent);
    void draw_leaf(uint32_t state);
    void draw_composite(uint32_t state);
    void draw_start(const std::string& id, uint32_t first);
    void draw_arrows();
    std::string rows(uint32_t state) const;
    std::string words(const MachineArrow& arrow) const;
    bool leads_inside(uint32_t state) const;
    bool has_note(uint32_t state) const { return !rows(state).empty() || leads_inside(state); }

    bool composite(uint32_t state) const { return arrows_.initial[state] != no_state; }
    bool inside(uint32_t state, uint32_t outer) const {
        while (state != no_state && state != outer) state = machine_.states[state].parent;
        return state == outer;
    }
    std::string id(uint32_t state) const { return prefix_ + "s" + std::to_string(state); }
    std::string dot_id(uint32_t state) const { return id(state) + "_start"; }

    const MachineDef& machine_;
    const MachineArrows& arrows_;
    std::string prefix_;
    const SourceText& text_;
    Dot& dot_;
};

std::string MachinePicture::words(const MachineArrow& arrow) const {
    return "#" + std::to_string(arrow.number) + " " +
           (arrow.clause == nullptr ? "done" : text_.clause(*arrow.clause, text_limit));
}

bool MachinePicture::leads_inside(uint32_t state) const {
    for (const MachineArrow& a : arrows_.arrows)
        if (a.from == state && a.to != no_state && inside(a.to, state)) return true;
    return false;
}

// What happens in a state without leaving it, as rows of a table.
std::string MachinePicture::rows(uint32_t state) const {
    std::string out;
    const auto row = [&](const std::string& text) {
        out +=
            "<TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\"><FONT POINT-SIZE=\"9\">" + html_lines(text) + "</FONT></TD></TR>";
    };
    for (const MachineArrow& a : arrows_.arrows)
        if (a.from == state && a.to == no_state) row("↻ " + words(a));
    for (const SelectClause* c : arrows_.ignored[state]) row("ignores " + text_.clause(*c, text_limit));
    return out;
}

void MachinePicture::draw_leaf(uint32_t state) {
    const StateDef& s = machine_.states[state];
    const std::string inner = rows(state);
    std::string markup = "<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\"><TR><TD><B>" +
                         html_lines(name_of(s.name)) + "</B> <FONT POINT-SIZE=\"8\" COLOR=\"#777777\">" +
                         html_lines(text_.place(s.span)) + "</FONT></TD></TR>" + (inner.empty() ? "" : "<HR/>") +
                         inner + "</TABLE>";
    Attributes a = {{"label", html(markup)}, {"style", "\"rounded,filled\""}, {"fillcolor", "white"}};
    if (s.final) a.emplace_back("peripheries", "2");
    dot_.node(id(state), a);
}

void MachinePicture::draw_start(const std::string& from, uint32_t first) {
    dot_.node(from, {{"shape", "circle"},
                     {"style", "filled"},
                     {"fillcolor", "black"},
                     {"label", "\"\""},
                     {"width", "0.13"},
                     {"height", "0.13"},
                     {"fixedsize", "true"}});
    Attributes a;
    if (composite(first)) a.emplace_back("lhead", "cluster_" + id(first));
    dot_.edge(from, composite(first) ? dot_id(first) : id(first), a);
}

void MachinePicture::draw_composite(uint32_t state) {
    const StateDef& s = machine_.states[state];
    dot_.begin_cluster(id(state), {{"label", html("<B>" + html_lines(name_of(s.name)) +
                                                  "</B> <FONT POINT-SIZE=\"8\" COLOR=\"#777777\">" +
                                                  html_lines(text_.place(s.span)) + "</FONT>")},
                                   {"style", "\"rounded,filled\""},
                                   {"color", "\"#555555\""},
                                   {"fillcolor", "\"#e9f0f7\""}});
    if (has_note(state)) {
        const std::string inner = rows(state);
        const std::string markup = "<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">" +
                                   (inner.empty() ? "<TR><TD>in any of these</TD></TR>" : inner) + "</TABLE>";
        dot_.node(id(state),
                  {{"label", html(markup)}, {"shape", "note"}, {"style", "filled"}, {"fillcolor", "\"#f6f6e6\""}});
    }
    draw_start(dot_id(state), arrows_.initial[state]);
    draw_states(state);
    dot_.end_cluster();
}

void MachinePicture::draw_states(uint32_t parent) {
    for (uint32_t s = 0; s < machine_.states.size(); ++s) {
        if (machine_.states[s].parent != parent) continue;
        if (composite(s))
            draw_composite(s);
        else
            draw_leaf(s);
    }
}

// Arrows between the same two states share a line.
void MachinePicture::draw_arrows() {
    std::map<std::pair<uint32_t, uint32_t>, std::string> labels;
    for (const MachineArrow& a : arrows_.arrows) {
        if (a.to == no_state) continue;
        std::string& label = labels[{a.from, a.to}];
        label += (label.empty() ? " " : "\n ") + words(a) + " ";
    }
    for (const auto& [ends, label] : labels) {
        const auto& [from, to] = ends;
        Attributes a = {{"label", quoted(label, Lines::left)}};
        // An edge may end at a cluster's border only if it comes from outside. What begins there needs length, or its
        // label is left inside.
        if (composite(from) && !inside(to, from))
            a.insert(a.end(), {{"ltail", "cluster_" + id(from)}, {"minlen", "2"}});
        if (composite(to) && !inside(from, to)) a.emplace_back("lhead", "cluster_" + id(to));
        dot_.edge(composite(from) && !has_note(from) ? dot_id(from) : id(from), composite(to) ? dot_id(to) : id(to), a);
    }
}

void MachinePicture::draw() {
    dot_.begin_cluster(prefix_, {{"label", html("<B>machine " + html_lines(name_of(machine_.name)) +
                                                "</B> <FONT POINT-SIZE=\"8\" COLOR=\"#777777\">" +
                                                html_lines(text_.place(machine_.span)) + "</FONT>")},
                                 {"style", "\"rounded,filled\""},
                                 {"color", "\"#888888\""},
                                 {"fillcolor", "\"#fafafa\""}});
    draw_start(prefix_ + "_start", 0);
    draw_states(no_state);
    draw_arrows();
    dot_.end_cluster();
}

} // namespace

std::string draw_machines(const Model& model, const std::vector<std::string>& names, Direction direction) {
    const SourceText text(model);
    const Program& program = *model.program;
    const std::vector<MachineArrows> arrows = machine_arrows(program);
    Attributes layout = {{"newrank", "true"}, {"nodesep", "0.4"}, {"ranksep", "0.5"}};
    if (direction == Direction::right) layout.emplace_back("rankdir", "LR");
    Dot dot(text.model_name() + (arrows.empty() ? ": no machines" : ": machines"), layout);
    for (uint32_t m = 0; m < arrows.size(); ++m)
        if (names.empty() || std::count(names.begin(), names.end(), name_of(program.machines[m].name)) != 0)
            MachinePicture(program.machines[m], arrows[m], "m" + std::to_string(m), text, dot).draw();
    return std::move(dot).finish();
}

} // namespace espalier
