#include "lang/expand/machine_expander.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

CoreId expand_machine(Expansion& all, DatumId d, const Context& ctx) {
    const Span at = all.syntax.span(d);
    const auto parts = all.reports.list(d, "a machine");
    if (!parts) return all.core.unspecified(at);
    const size_t errors = all.diagnostics.error_count();
    MachineForm machine;
    machine.scope = all.names.new_scope(ctx.scope);
    MachineReader reader(all, machine);
    if (const CoreId wrong = reader.read_head((*parts)[1]); wrong != no_core) return wrong;
    for (size_t i = 2; i < parts->size(); ++i) reader.read_state((*parts)[i], no_state);
    if (machine.states.empty() && all.diagnostics.error_count() > errors) return all.core.unspecified(at);
    if (machine.states.empty())
        return all.reports.fail(d, "the machine `" + std::string(name_of(machine.name)) + "` has no state");
    if (all.reports.gave_up()) return all.core.unspecified(at);

    MachineExpander expander(all, machine);
    const CoreId body = expander.body(at);
    if (all.diagnostics.error_count() == errors) expander.warn_unreachable();
    MachineDef def{machine.name, at, {}};
    for (const StateForm& s : machine.states) def.states.push_back({s.name, s.span, s.parent, s.final, s.target});
    all.program.machines.push_back(std::move(def));
    return all.core.lambda(machine.params, body, machine.name, false, at);
}

CoreId MachineExpander::call(LocalId procedure, Span at) { return core_.call(core_.local_ref(procedure, at), {}, at); }

CoreId MachineExpander::body(Span at) {
    Cells cells;
    for (StateForm& s : machine_.states) name_procedures(s, cells);
    name_waits();
    Procedures procedures;
    for (uint32_t i = 0; i < machine_.states.size(); ++i) make_procedures(i, procedures);
    const CoreId start = call(machine_.states[0].enter, at);
    const CoreId fix = make_letrec(program_, procedures.locals, procedures.lambdas, start, at);
    return cells.locals.empty() ? fix : core_.let(cells.locals, cells.inits, fix, at);
}

void MachineExpander::name_procedures(StateForm& s, Cells& cells) {
    for (const auto& [name, init] : s.locals) {
        if (s.scope->find(syntax_.ident(name)) != nullptr)
            reports_.fail(name, "the local `" + syntax_.show(name) + "` appears twice in this state");
        const LocalId local = core_.new_local(name);
        program_[local].assigned = true;
        s.scope->bind(syntax_.ident(name), {Binding::Kind::local, index(local)});
        cells.locals.push_back(local);
        cells.inits.push_back(core_.unspecified(syntax_.span(name)));
    }
    for (const StateForm::After& t : s.timers) {
        cells.locals.push_back(t.timer);
        cells.inits.push_back(core_.prim(Prim::make_timer, {}, s.span));
    }
    s.enter = core_.temporary("enter", s.span);
    if (!s.children.empty()) s.entry_procedure = core_.temporary("entry", s.span);
    if (!s.exit.empty() || !s.timers.empty()) s.exit_procedure = core_.temporary("exit", s.span);
}

void MachineExpander::name_waits() {
    for (uint32_t i = 0; i < machine_.states.size(); ++i) {
        StateForm& s = machine_.states[i];
        if (!machine_.is_leaf(i)) continue;
        const bool waits = machine_.waits(i);
        if (waits && (!s.final || s.parent != no_state)) s.wait = core_.temporary("wait", s.span);
        if (!waits && !s.final && !s.broken)
            reports_.fail(s.span, "the state `" + machine_.name_of_state(i) + "` waits for nothing",
                          "give it a clause, or make it (final)");
    }
}

void MachineExpander::make_procedures(uint32_t i, Procedures& out) {
    const StateForm& s = machine_.states[i];
    const std::string name = std::string(name_of(machine_.name)) + "/" + machine_.name_of_state(i);
    auto add = [&](LocalId local, CoreId body, const std::string& full_name) {
        out.locals.push_back(local);
        out.lambdas.push_back(core_.thunk(body, full_name, s.span));
        program_[local].lambda = out.lambdas.back();
    };
    if (s.entry_procedure != no_local) add(s.entry_procedure, entry_body(i), name + " entry");
    add(s.enter, enter_body(i), name);
    if (s.wait != no_local) add(s.wait, wait_body(i), name + " wait");
    if (s.exit_procedure != no_local) add(s.exit_procedure, exit_body(i), name + " exit");
}

CoreId MachineExpander::entry_body(uint32_t id) {
    StateForm& s = machine_.states[id];
    const Context ctx{s.scope, &s.numbering, nullptr};
    std::vector<CoreId> parts{core_.node(core::Mark{s.target}, s.span)};
    for (const auto& [name, init] : s.locals) {
        const LocalId local{s.scope->find(syntax_.ident(name))->id};
        const CoreId value = all_.walk.expand(init, ctx);
        parts.push_back(core_.node(core::LocalSet{local, value}, syntax_.span(name)));
    }
    for (const StateForm::After& t : s.timers) {
        const Span at = syntax_.span(t.delay);
        const CoreId timer = core_.local_ref(t.timer, at);
        parts.push_back(core_.node(core::StartTimer{timer, all_.walk.expand(t.delay, ctx)}, at));
    }
    if (!s.entry.empty())
        parts.push_back(all_.bodies.expand(s.entry, {names_.new_scope(s.scope), &s.numbering, nullptr}, s.span));
    return core_.seq(parts, s.span);
}

CoreId MachineExpander::exit_body(uint32_t id) {
    StateForm& s = machine_.states[id];
    std::vector<CoreId> parts;
    if (!s.exit.empty())
        parts.push_back(all_.bodies.expand(s.exit, {names_.new_scope(s.scope), &s.numbering, nullptr}, s.span));
    for (const StateForm::After& t : s.timers)
        parts.push_back(core_.node(core::StopTimer{core_.local_ref(t.timer, s.span)}, s.span));
    return core_.seq(parts, s.span);
}

CoreId MachineExpander::enter_body(uint32_t id) {
    const StateForm& s = machine_.states[id];
    std::vector<CoreId> parts;
    if (s.entry_procedure != no_local) {
        parts.push_back(call(s.entry_procedure, s.span));
        parts.push_back(enter_initial(id));
        return core_.seq(parts, s.span);
    }
    parts.push_back(entry_body(id));
    if (s.final) {
        if (const CoreId end = finish(id); end != no_core) parts.push_back(end);
    } else {
        parts.push_back(s.wait == no_local ? core_.unspecified(s.span) : call(s.wait, s.span));
    }
    return core_.seq(parts, s.span);
}

CoreId MachineExpander::enter_initial(uint32_t id) {
    const StateForm& s = machine_.states[id];
    std::optional<uint32_t> first;
    if (s.initial) first = reader_.state_named(*s.initial);
    if (first && machine_.states[*first].parent != id) {
        reports_.fail(*s.initial, "the initial state must stand directly inside `" + machine_.name_of_state(id) + "`");
        first.reset();
    }
    return first ? call(machine_.states[*first].enter, s.span) : core_.unspecified(s.span);
}

// A final state of the machine itself returns; an inner one takes the outer state's `done`.
CoreId MachineExpander::finish(uint32_t id) {
    StateForm& s = machine_.states[id];
    const uint32_t outer = s.parent;
    if (outer == no_state)
        return s.value ? all_.walk.expand(*s.value, {s.scope, &s.numbering, nullptr}) : core_.unspecified(s.span);
    StateForm& around = machine_.states[outer];
    if (!around.done) {
        reports_.fail(s.span, "the state `" + machine_.name_of_state(outer) +
                                  "` needs a (done ...) for its final state `" + machine_.name_of_state(id) + "`");
        return no_core;
    }
    const DatumId done = *around.done;
    const auto forms = syntax_.elements(done);
    auto [it, fresh] = around.numbered_from.try_emplace(static_cast<uint32_t>(done), around.numbering.next);
    Numbering numbering{it->second, around.numbering.scope};
    const CoreId taken =
        action({outer, id}, done, std::span(*forms).subspan(1), names_.new_scope(around.scope), numbering, nullptr);
    around.numbering.next.advance_to(numbering.next);
    return taken;
}

CoreId MachineExpander::wait_body(uint32_t leaf) {
    std::vector<CoreClause> clauses;
    const Span at = machine_.states[leaf].span;
    for (uint32_t owner = leaf; owner != no_state; owner = machine_.states[owner].parent) {
        std::vector<CoreClause> own;
        for (DatumId d : machine_.states[owner].clauses) {
            if (auto c = clause(owner, leaf, d)) own.push_back(std::move(*c));
        }
        all_.waits.warn_shadowed(own);
        for (CoreClause& c : own) clauses.push_back(std::move(c));
    }
    for (uint32_t owner = leaf; owner != no_state; owner = machine_.states[owner].parent) {
        for (DatumId source : machine_.states[owner].ignores) clauses.push_back(ignored(owner, leaf, source));
    }
    if (clauses.empty()) return core_.unspecified(at);
    return all_.waits.select(std::move(clauses), at);
}

// (on trigger …) or (after delay …)
std::optional<CoreClause> MachineExpander::clause(uint32_t owner, uint32_t leaf, DatumId d) {
    const auto parts = syntax_.elements(d);
    StateForm& s = machine_.states[owner];
    auto [it, fresh] = s.numbered_from.try_emplace(static_cast<uint32_t>(d), s.numbering.next);
    Numbering numbering{it->second, s.numbering.scope};
    CoreClause clause;
    std::span<const DatumId> rest = std::span(*parts).subspan(2);
    Scope* scope = nullptr;
    std::function<CoreId()> restart;
    if (syntax_.named((*parts)[0], "on")) {
        scope = all_.triggers.parse((*parts)[1], rest, {s.scope, &numbering, nullptr}, clause);
    } else {
        const DatumId delay = (*parts)[1];
        const Span at = syntax_.span(delay);
        const std::string text = print_datum(data_, delay);
        const LocalId timer = std::find_if(s.timers.begin(), s.timers.end(), [&](const StateForm::After& t) {
                                  return t.text == text;
                              })->timer;
        clause.kind = SelectClause::Kind::timer;
        clause.span = syntax_.span(d);
        clause.source = core_.local_ref(timer, at);
        scope = names_.new_scope(s.scope);
        if (!all_.triggers.parse_where(rest, {scope, &numbering, nullptr}, clause)) scope = nullptr;
        // Where the machine stays, the timer starts again.
        restart = [this, timer, delay, at, &s, &numbering] {
            const CoreId ref = core_.local_ref(timer, at);
            return core_.node(core::StartTimer{ref, all_.walk.expand(delay, {s.scope, &numbering, nullptr})}, at);
        };
    }
    if (scope == nullptr) return std::nullopt;
    clause.body = action({owner, leaf}, d, rest, scope, numbering, restart);
    s.numbering.next.advance_to(numbering.next);
    return clause;
}

// What no clause takes on an ignored port or channel happens without effect.
CoreClause MachineExpander::ignored(uint32_t owner, uint32_t leaf, DatumId source) {
    const StateForm& s = machine_.states[owner];
    const Span at = syntax_.span(source);
    Numbering numbering{{}, s.numbering.scope};
    CoreClause clause;
    clause.source = all_.walk.expand(source, {s.scope, &numbering, nullptr});
    clause.whole = core_.temporary("message", at);
    clause.from_port = core_.temporary("from-port", at);
    clause.span = at;
    all_.ports.check_direction(clause, at);
    all_.wheres.add_test(clause);
    clause.body = call(machine_.states[leaf].wait, at);
    return clause;
}

void MachineExpander::warn_unreachable() {
    std::vector<bool> reached(machine_.states.size(), false);
    std::vector<uint32_t> work;
    auto reach = [&](uint32_t s) {
        for (; s != no_state && !reached[s]; s = machine_.states[s].parent) {
            reached[s] = true;
            work.push_back(s);
        }
    };
    reach(0);
    while (!work.empty()) {
        const StateForm& s = machine_.states[work.back()];
        work.pop_back();
        for (uint32_t t : s.arrows) reach(t);
        if (!s.initial || !syntax_.is_identifier(*s.initial)) continue;
        for (uint32_t c : s.children) {
            if (machine_.states[c].name == syntax_.base_name(*s.initial)) reach(c);
        }
    }
    for (uint32_t i = 0; i < machine_.states.size(); ++i) {
        if (!reached[i])
            diagnostics_.warning(machine_.states[i].span,
                                 "no arrow leads to the state `" + machine_.name_of_state(i) + "`");
    }
}

} // namespace espalier
