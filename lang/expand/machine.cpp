// Machines: states become procedures that tail-call each other, so that arrows use no stack.
//
// For each state S of a machine there are, inside the machine's own lambda,
//   enter S    marks the state, sets its locals, starts its timers, runs its entry; then a composite state enters its
//              initial one, a leaf waits, a final one returns or takes the outer `done`
//   wait S     (leaves) one select over the clauses of S and of all states around it, inner ones first
//   exit S     (where there is something to do) its exit action, then its timers are stopped
// The clauses of an outer state are expanded once for each leaf inside it, because what an arrow leaves depends on the
// leaf: exits run from the leaf up to the state that is common to it and the arrow's target.
#include <algorithm>

#include "lang/expand/machine.hpp"

namespace espalier {

CoreId Expander::expand_machine(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a machine");
    if (!parts) return unspecified(span(d));
    const size_t errors = diagnostics_.error_count();
    Machine m;
    m.datum = d;
    const auto head = elements((*parts)[1]);
    if (!head) return fail((*parts)[1], "malformed machine head", "its shape is (name parameter ...)");
    m.name = base_name((*head)[0]);
    m.scope = new_scope(ctx.scope);
    for (size_t i = 1; i < head->size(); ++i) {
        const DatumId p = (*head)[i];
        if (!is_identifier(p)) return fail(p, "a parameter must be a name, found `" + show(p) + "`");
        if (m.scope->find(ident(p)) != nullptr) return fail(p, "the parameter `" + show(p) + "` appears twice");
        m.names.push_back(p);
        m.params.push_back(new_local(p));
        m.scope->bind(ident(p), {Binding::Kind::local, index(m.params.back())});
    }
    for (size_t i = 2; i < parts->size(); ++i) parse_state(m, (*parts)[i], no_state);
    if (m.states.empty() && diagnostics_.error_count() > errors) return unspecified(span(d));
    if (m.states.empty()) return fail(d, "the machine `" + std::string(name_of(m.name)) + "` has no state");
    if (gave_up_) return unspecified(span(d));

    const CoreId body = machine_body(m, span(d));
    if (diagnostics_.error_count() == errors) warn_unreachable(m);
    MachineDef def{m.name, span(d), {}};
    for (const State& s : m.states) def.states.push_back({s.name, s.span, s.parent, s.final, s.target});
    program_.machines.push_back(std::move(def));
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({program_.add_list(m.params), false, body, span(d)});
    return node(core::Lambda{first, 1, m.name, false}, span(d));
}

CoreId Expander::machine_body(Machine& m, Span at) {
    std::vector<LocalId> cells, procedures;
    std::vector<CoreId> inits, lambdas;
    const std::string prefix = std::string(name_of(m.name)) + "/";
    for (State& s : m.states) {
        for (const auto& [name, init] : s.locals) {
            if (s.scope->find(ident(name)) != nullptr)
                fail(name, "the local `" + show(name) + "` appears twice in this state");
            const LocalId local = new_local(name);
            program_[local].assigned = true;
            s.scope->bind(ident(name), {Binding::Kind::local, index(local)});
            cells.push_back(local);
            inits.push_back(unspecified(span(name)));
        }
        for (const State::After& t : s.timers) {
            cells.push_back(t.timer);
            inits.push_back(prim(Prim::make_timer, {}, s.span));
        }
        s.enter = temporary("enter", s.span);
        if (!s.children.empty()) s.entry_procedure = temporary("entry", s.span);
        if (!s.exit.empty() || !s.timers.empty()) s.exit_procedure = temporary("exit", s.span);
    }
    for (uint32_t i = 0; i < m.states.size(); ++i) {
        State& s = m.states[i];
        if (!m.is_leaf(i)) continue;
        const bool waits = m.waits(i);
        if (waits && (!s.final || s.parent != no_state)) s.wait = temporary("wait", s.span);
        if (!waits && !s.final && !s.broken)
            fail(s.span, "the state `" + std::string(name_of(s.name)) + "` waits for nothing",
                 "give it a clause, or make it (final)");
    }
    auto add = [&](LocalId local, CoreId body, const std::string& name, Span span) {
        procedures.push_back(local);
        lambdas.push_back(thunk(body, name, span));
        program_[local].lambda = lambdas.back();
    };
    for (uint32_t i = 0; i < m.states.size(); ++i) {
        const std::string name = prefix + std::string(name_of(m.states[i].name));
        if (m.states[i].entry_procedure != no_local)
            add(m.states[i].entry_procedure, entry_body(m, i), name + " entry", m.states[i].span);
        add(m.states[i].enter, enter_body(m, i), name, m.states[i].span);
        if (m.states[i].wait != no_local) add(m.states[i].wait, wait_body(m, i), name + " wait", m.states[i].span);
        if (m.states[i].exit_procedure != no_local)
            add(m.states[i].exit_procedure, exit_body(m, i), name + " exit", m.states[i].span);
    }
    const CoreId start = call(local_ref(m.states[0].enter, at), {}, at);
    const CoreId fix = make_letrec(program_, procedures, lambdas, start, at);
    if (cells.empty()) return fix;
    return node(core::Let{program_.add_list(cells), program_.add_list(inits), fix}, at);
}

CoreId Expander::entry_body(Machine& m, uint32_t id) {
    State& s = m.states[id];
    const Context ctx{s.scope, &s.numbering, nullptr};
    std::vector<CoreId> parts{node(core::Mark{s.target}, s.span)};
    for (const auto& [name, init] : s.locals) {
        const LocalId local{s.scope->find(ident(name))->id};
        const CoreId value = expand(init, ctx);
        parts.push_back(node(core::LocalSet{local, value}, span(name)));
    }
    for (const State::After& t : s.timers) {
        const CoreId timer = local_ref(t.timer, span(t.delay));
        parts.push_back(node(core::StartTimer{timer, expand(t.delay, ctx)}, span(t.delay)));
    }
    if (!s.entry.empty()) parts.push_back(expand_body(s.entry, {new_scope(s.scope), &s.numbering, nullptr}, s.span));
    return seq(parts, s.span);
}

CoreId Expander::exit_body(Machine& m, uint32_t id) {
    State& s = m.states[id];
    std::vector<CoreId> parts;
    if (!s.exit.empty()) parts.push_back(expand_body(s.exit, {new_scope(s.scope), &s.numbering, nullptr}, s.span));
    for (const State::After& t : s.timers) parts.push_back(node(core::StopTimer{local_ref(t.timer, s.span)}, s.span));
    return seq(parts, s.span);
}

CoreId Expander::enter_body(Machine& m, uint32_t id) {
    const Span at = m.states[id].span;
    std::vector<CoreId> parts;
    if (m.states[id].entry_procedure != no_local) {
        parts.push_back(call(local_ref(m.states[id].entry_procedure, at), {}, at));
        std::optional<uint32_t> first;
        if (m.states[id].initial) first = state_named(m, *m.states[id].initial);
        if (first && m.states[*first].parent != id) {
            fail(*m.states[id].initial,
                 "the initial state must stand directly inside `" + std::string(name_of(m.states[id].name)) + "`");
            first.reset();
        }
        parts.push_back(first ? call(local_ref(m.states[*first].enter, at), {}, at) : unspecified(at));
        return seq(parts, at);
    }
    parts.push_back(entry_body(m, id));
    if (!m.states[id].final) {
        parts.push_back(m.states[id].wait == no_local ? unspecified(at)
                                                      : call(local_ref(m.states[id].wait, at), {}, at));
        return seq(parts, at);
    }
    const uint32_t outer = m.states[id].parent;
    if (outer == no_state) {
        State& s = m.states[id];
        parts.push_back(s.value ? expand(*s.value, {s.scope, &s.numbering, nullptr}) : unspecified(at));
    } else if (!m.states[outer].done) {
        fail(at, "the state `" + std::string(name_of(m.states[outer].name)) +
                     "` needs a (done ...) for its final state `" + std::string(name_of(m.states[id].name)) + "`");
    } else {
        const DatumId done = *m.states[outer].done;
        const auto forms = elements(done);
        State& s = m.states[outer];
        auto [it, fresh] = s.numbered_from.try_emplace(static_cast<uint32_t>(done), s.numbering.next);
        Numbering numbering{it->second, s.numbering.scope};
        parts.push_back(
            action(m, outer, id, done, std::span(*forms).subspan(1), new_scope(s.scope), numbering, nullptr));
        m.states[outer].numbering.next.advance_to(numbering.next);
    }
    return seq(parts, at);
}

CoreId Expander::wait_body(Machine& m, uint32_t leaf_id) {
    std::vector<CoreClause> clauses;
    const Span at = m.states[leaf_id].span;
    for (uint32_t owner = leaf_id; owner != no_state; owner = m.states[owner].parent) {
        std::vector<CoreClause> own;
        for (DatumId c : std::vector<DatumId>(m.states[owner].clauses)) {
            const auto parts = elements(c);
            State& s = m.states[owner];
            auto [it, fresh] = s.numbered_from.try_emplace(static_cast<uint32_t>(c), s.numbering.next);
            Numbering numbering{it->second, s.numbering.scope};
            const Context ctx{s.scope, &numbering, nullptr};
            CoreClause clause;
            std::span<const DatumId> rest = std::span(*parts).subspan(2);
            Scope* scope = nullptr;
            std::function<CoreId()> restart;
            if (named((*parts)[0], "on")) {
                scope = parse_trigger((*parts)[1], rest, ctx, clause);
            } else {
                const std::string text = print_datum(data_, (*parts)[1]);
                const auto timer = std::find_if(s.timers.begin(), s.timers.end(),
                                                [&](const State::After& t) { return t.text == text; });
                const LocalId local = timer->timer;
                clause.kind = SelectClause::Kind::timer;
                clause.span = span(c);
                clause.source = local_ref(local, span((*parts)[1]));
                scope = new_scope(s.scope);
                if (!parse_where(rest, {scope, &numbering, nullptr}, clause)) scope = nullptr;
                // Where the machine stays, the timer starts again.
                restart = [this, local, delay = (*parts)[1], state_scope = s.scope, &numbering] {
                    const CoreId ref = local_ref(local, span(delay));
                    return node(core::StartTimer{ref, expand(delay, {state_scope, &numbering, nullptr})}, span(delay));
                };
            }
            if (scope == nullptr) continue;
            clause.body = action(m, owner, leaf_id, c, rest, scope, numbering, restart);
            m.states[owner].numbering.next.advance_to(numbering.next);
            own.push_back(std::move(clause));
        }
        warn_shadowed(own);
        for (CoreClause& c : own) clauses.push_back(std::move(c));
    }
    // What no clause takes on an ignored port or channel happens without effect.
    for (uint32_t owner = leaf_id; owner != no_state; owner = m.states[owner].parent) {
        for (DatumId source : std::vector<DatumId>(m.states[owner].ignores)) {
            Numbering numbering{{}, m.states[owner].numbering.scope};
            CoreClause clause;
            clause.source = expand(source, {m.states[owner].scope, &numbering, nullptr});
            clause.whole = temporary("message", span(source));
            clause.from_port = temporary("from-port", span(source));
            clause.span = span(source);
            check_direction(clause, span(source));
            add_input_test(clause);
            clause.body = call(local_ref(m.states[leaf_id].wait, span(source)), {}, span(source));
            clauses.push_back(std::move(clause));
        }
    }
    if (clauses.empty()) return unspecified(at);
    return select(std::move(clauses), at);
}

CoreId Expander::action(Machine& m, uint32_t owner, uint32_t leaf_id, DatumId clause, std::span<const DatumId> forms,
                        Scope* scope, Numbering& numbering, const std::function<CoreId()>& before_staying) {
    // Places would not do as names: a macro's template may hold several clauses and arrows, all of which stand at its
    // use.
    const uint64_t key = uint64_t{static_cast<uint32_t>(clause)} << 32U;
    uint32_t arrows_seen = 0;
    ArrowContext arrows;
    arrows.stay = [&](Span at) {
        if (m.states[leaf_id].wait == no_local) {
            return fail(at,
                        "the state `" + std::string(name_of(m.states[leaf_id].name)) +
                            "` cannot stay here: nothing is waited for",
                        "take an arrow");
        }
        std::vector<CoreId> parts;
        if (before_staying) parts.push_back(before_staying());
        parts.push_back(call(local_ref(m.states[leaf_id].wait, at), {}, at));
        return seq(parts, at);
    };
    arrows.arrow = [&](std::span<const DatumId> parts, Span at, const Context& ctx) {
        ++arrows_seen;
        return expand_arrow(m, owner, leaf_id, key + arrows_seen, parts, at, ctx);
    };
    // … -> target, at the end of a clause, is the form (-> target) at the end of its action.
    std::vector<DatumId> body(forms.begin(), forms.end());
    for (size_t i = 0; i < body.size(); ++i) {
        if (!is_identifier(body[i]) || !is_form(body[i], scope, Form::to)) continue;
        Span at = span(body[i]);
        if (i + 1 < body.size()) at = join(at, span(body.back()));
        DatumId form = data_.null(at);
        for (size_t k = body.size(); k-- > i;) form = data_.pair(at, body[k], form);
        body.resize(i);
        body.push_back(form);
        break;
    }
    const Context ctx{new_scope(scope), &numbering, &arrows};
    const CoreId done = body.empty() ? arrows.stay(span(clause)) : expand_body(body, ctx, span(clause));
    if (arrows_seen > 0) return done;
    // A clause without an arrow is a transition from the state to itself.
    const CoreId parts[] = {node(core::Mark{transition(m, owner, key, {}, span(clause))}, span(clause)), done};
    return seq(parts, span(clause));
}

// A clause of an outer state is expanded for each leaf inside it: its transitions are the same ones each time.
TargetId Expander::transition(Machine& m, uint32_t owner, uint64_t key, std::string to, Span at) {
    State& s = m.states[owner];
    auto it = s.transitions.find(key);
    if (it == s.transitions.end()) {
        const std::string name = std::string(name_of(m.name)) + "/" + std::string(name_of(s.name)) + "#" +
                                 std::to_string(s.transitions.size() + 1);
        it = s.transitions.emplace(key, target(TargetKind::transition, name, std::move(to), at)).first;
    }
    return it->second;
}

CoreId Expander::expand_arrow(Machine& m, uint32_t owner, uint32_t leaf_id, uint64_t key,
                              std::span<const DatumId> parts, Span at, const Context& outer) {
    const char* shape = "an arrow's target is state, (state value ...) or state (with (variable value) ...)";
    const Context ctx = outer.not_tail();
    if (parts.empty()) return fail(at, "an arrow needs a target", shape);
    std::vector<DatumId> values;
    std::vector<std::pair<LocalId, DatumId>> sets;
    DatumId name = parts[0];
    if (data_.is_pair(parts[0])) {
        const auto items = elements(parts[0]);
        if (!items || parts.size() != 1) return fail(at, "malformed arrow", shape);
        name = items->front();
        if (items->size() - 1 != m.params.size()) {
            return fail(parts[0],
                        "the machine `" + std::string(name_of(m.name)) + "` has " + std::to_string(m.params.size()) +
                            (m.params.size() == 1 ? " variable" : " variables") + ", this arrow gives " +
                            std::to_string(items->size() - 1),
                        "use (with (variable value) ...) to set some of them");
        }
        for (size_t i = 1; i < items->size(); ++i) sets.emplace_back(m.params[i - 1], (*items)[i]);
    } else if (parts.size() == 2 && data_.is_pair(parts[1]) && named(data_.car(parts[1]), "with")) {
        const auto items = elements(parts[1]);
        if (!items) return fail(parts[1], "malformed `with`", shape);
        for (size_t i = 1; i < items->size(); ++i) {
            const auto pair = elements((*items)[i]);
            if (!pair || pair->size() != 2 || !is_identifier((*pair)[0]))
                return fail((*items)[i], "malformed `with`", shape);
            const auto p =
                std::find_if(m.names.begin(), m.names.end(), [&](DatumId n) { return ident(n) == ident((*pair)[0]); });
            if (p == m.names.end()) {
                Scope names;
                for (DatumId n : m.names) names.bind(ident(n), {});
                return fail((*pair)[0],
                            "`" + show((*pair)[0]) + "` is not a variable of the machine `" +
                                std::string(name_of(m.name)) + "`",
                            suggest(name_of(base_name((*pair)[0])), &names, [](const Binding&) { return true; }));
            }
            const LocalId variable = m.params[static_cast<size_t>(p - m.names.begin())];
            if (std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return set.first == variable; })) {
                return fail((*pair)[0], "the variable `" + show((*pair)[0]) + "` appears twice");
            }
            sets.emplace_back(variable, (*pair)[1]);
        }
    } else if (parts.size() != 1) {
        return fail(at, "malformed arrow", shape);
    }
    const auto to = state_named(m, name);
    if (!to) return unspecified(at);
    m.states[owner].arrows.push_back(*to);

    const CoreId mark = node(core::Mark{transition(m, owner, key, std::string(name_of(m.states[*to].name)), at)}, at);

    std::vector<LocalId> temps;
    std::vector<CoreId> inits, steps;
    for (const auto& [local, value] : sets) {
        temps.push_back(temporary(name_of(program_[local].name), span(value)));
        inits.push_back(expand(value, ctx));
    }
    // Exits, innermost first, up to the innermost state around both the leaf and the target.
    uint32_t common = m.states[*to].parent;
    while (common != no_state && (common == leaf_id || !m.contains(common, leaf_id))) common = m.states[common].parent;
    for (uint32_t x = leaf_id; x != common; x = m.states[x].parent) {
        if (m.states[x].exit_procedure != no_local)
            steps.push_back(call(local_ref(m.states[x].exit_procedure, at), {}, at));
    }
    for (size_t i = 0; i < sets.size(); ++i) {
        program_[sets[i].first].assigned = true;
        steps.push_back(node(core::LocalSet{sets[i].first, local_ref(temps[i], at)}, at));
    }
    // Entries, outermost first; the target's own leads on to its initial state or to its wait.
    std::vector<uint32_t> around;
    for (uint32_t x = m.states[*to].parent; x != common; x = m.states[x].parent) around.push_back(x);
    for (size_t i = around.size(); i-- > 0;)
        steps.push_back(call(local_ref(m.states[around[i]].entry_procedure, at), {}, at));
    steps.push_back(call(local_ref(m.states[*to].enter, at), {}, at));
    CoreId body = seq(steps, at);
    if (!temps.empty()) body = node(core::Let{program_.add_list(temps), program_.add_list(inits), body}, at);
    const CoreId all[] = {mark, body};
    return seq(all, at);
}

void Expander::warn_unreachable(const Machine& m) {
    std::vector<bool> reached(m.states.size(), false);
    std::vector<uint32_t> work;
    auto reach = [&](uint32_t s) {
        for (; s != no_state && !reached[s]; s = m.states[s].parent) {
            reached[s] = true;
            work.push_back(s);
        }
    };
    reach(0);
    while (!work.empty()) {
        const State& s = m.states[work.back()];
        work.pop_back();
        for (uint32_t t : s.arrows) reach(t);
        if (s.initial) {
            for (uint32_t c : s.children) {
                if (is_identifier(*s.initial) && m.states[c].name == base_name(*s.initial)) reach(c);
            }
        }
    }
    for (uint32_t i = 0; i < m.states.size(); ++i) {
        if (!reached[i])
            diagnostics_.warning(m.states[i].span,
                                 "no arrow leads to the state `" + std::string(name_of(m.states[i].name)) + "`");
    }
}

} // namespace espalier
