#include "testgen/explain/way.hpp"

#include <algorithm>

#include "testgen/explain/dead_ends.hpp"

namespace espalier {

using Kind = WayStep::Kind;

namespace {

// A pattern's constant, which is compared with what came.
bool is_literal(std::string_view text) {
    return !text.empty() && (text[0] == '"' || text[0] == '\'' || text[0] == '#' || (text[0] >= '0' && text[0] <= '9'));
}

uint64_t key(Span span) { return static_cast<uint64_t>(static_cast<uint32_t>(span.file)) << 32 | span.begin; }

} // namespace

WayTeller::WayTeller(const Program& program, const Flow& flow, const Sources& sources, const Places& places)
    : program_(program), flow_(flow), sources_(sources), places_(places) {
    for (const MachineDef& m : program.machines)
        for (const StateDef& s : m.states)
            states_.emplace(key(s.span), std::string(name_of(m.name)) + "/" + std::string(name_of(s.name)));
}

std::vector<WayStep> WayTeller::tell(pda::NodeId start, const std::vector<pda::Step>& path, TargetId target) const {
    std::vector<WayStep> way;
    uint32_t stable = 0;
    pda::NodeId from = start;
    for (size_t i = 0; i < path.size(); ++i) {
        const pda::Step& step = path[i];
        const Place& at = flow_.place(from);
        const bool charged = step.edge != pda::no_edge && flow_.graph().cost(step.edge) > 0;
        if (charged) ++stable;
        const size_t before = way.size();
        if (flow_.graph().procedure(step.node) != flow_.graph().procedure(from) && step.kind != pda::Step::Kind::ret)
            enter(step, from, way);
        else if (at.block != no_block &&
                 std::holds_alternative<terminator::Select>(program_[at.block].terminator.kind) &&
                 at.label == program_[at.block].terminator.label)
            wait(at, step, charged ? stable : 0, way);
        else if (step.kind == pda::Step::Kind::edge)
            decide(at, step, way);
        for (size_t added = before; added < way.size(); ++added) way[added].step = i;
        from = step.node;
    }
    const Target& t = program_.targets[index(target)];
    way.push_back({Kind::target, t.span, target_id(t), path.empty() ? 0 : path.size() - 1});
    return way;
}

// A place in prelude code is, for the author, where that was called.
Span WayTeller::author_span(const Place& at) const {
    return places_.span(prelude(at.variant) ? flow_[at.variant].site : at.label);
}

void WayTeller::enter(const pda::Step& step, pda::NodeId from, std::vector<WayStep>& way) const {
    const Lambda& callee = program_[flow_[flow_.place(step.node).variant].lambda];
    if (callee.prelude) return;
    const Span at = author_span(flow_.place(from));
    if (!at.known()) return;
    if (const auto state = states_.find(key(callee.span)); state != states_.end()) {
        const std::string text = "state " + state->second;
        const bool known = !way.empty() && way.back().kind == Kind::state && way.back().what == text;
        if (!known) way.push_back({Kind::state, at, text}); // a state has several λs
        return;
    }
    const std::string_view name = name_of(callee.name);
    if (step.kind == pda::Step::Kind::spawn)
        way.push_back({Kind::thread, at, "start a thread"});
    else if (name == "lambda")
        way.push_back({Kind::procedure, at, "call the procedure at " + sources_.place(callee.span)});
    else
        way.push_back({Kind::procedure, at, "call `" + std::string(name) + "`"});
}

std::string to_text(const WayStep& step) {
    const bool takes = step.kind == Kind::message || step.kind == Kind::other;
    return (takes ? "take " : "") + step.what;
}

void WayTeller::wait(const Place& at, const pda::Step& step, uint32_t stable, std::vector<WayStep>& way) const {
    const auto& select = std::get<terminator::Select>(program_[at.block].terminator.kind);
    for (const SelectClause& c : program_.select_clauses(select)) {
        if (flow_.node(at.variant, c.test) != step.node) continue;
        const bool time = c.kind == SelectClause::Kind::after || c.kind == SelectClause::Kind::timer;
        const Span span = prelude(at.variant) || !c.span.known() ? author_span(at) : c.span;
        way.push_back({time                                  ? Kind::time
                       : c.kind == SelectClause::Kind::other ? Kind::other
                                                             : Kind::message,
                       span, clause_text(c), 0, stable});
        return;
    }
    if (stable > 0) way.push_back({Kind::message, author_span(at), "anything", 0, stable});
}

std::string WayTeller::clause_text(const SelectClause& c) const {
    switch (c.kind) {
    case SelectClause::Kind::after: return "time passes";
    case SelectClause::Kind::timer: return "timeout";
    case SelectClause::Kind::other: return "what no other clause takes";
    case SelectClause::Kind::message: break;
    }
    if (c.filter == SelectClause::Filter::message)
        return std::string(name_of(program_.messages[index(c.message)].name));
    return c.filter == SelectClause::Filter::bare ? "a value" : "any message";
}

// Which way a branch or a choice goes; nothing where both ways lead to the same place.
void WayTeller::decide(const Place& at, const pda::Step& step, std::vector<WayStep>& way) const {
    if (at.block == no_block || prelude(at.variant)) return;
    const Terminator& t = program_[at.block].terminator;
    if (at.label != t.label) return;
    if (const auto* b = std::get_if<terminator::Branch>(&t.kind)) {
        const bool then = flow_.node(at.variant, b->then_block) == step.node;
        const bool other = flow_.node(at.variant, b->else_block) == step.node;
        if (then == other || !t.span.known()) return;
        const auto took = std::find_if(way.rbegin(), way.rend(), [](const WayStep& s) { return s.stable > 0; });
        if (then && took != way.rend() && took->at == t.span) return; // that the message is what it was taken for
        const std::string text = quoted(sources_, t.span);
        const std::string_view after = then ? " is true" : " is false";
        way.push_back({Kind::branch, t.span,
                       is_literal(sources_.text(t.span)) ? (then ? "match " : "do not match ") + text
                                                         : text + std::string(after)});
    } else if (const auto* c = std::get_if<terminator::Choose>(&t.kind)) {
        for (uint32_t i = 0; i < c->count; ++i)
            if (flow_.node(at.variant, program_.choices[c->first + i]) == step.node) {
                way.push_back({Kind::choice, t.span, "choose alternative " + std::to_string(i + 1)});
                return;
            }
    }
}

} // namespace espalier
