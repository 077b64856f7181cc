// The actions of a machine's clauses, and the arrows at their ends.
#include <algorithm>

#include "lang/expand/expansion.hpp"
#include "lang/expand/machine_expander.hpp"

namespace espalier {

namespace {
constexpr const char* shape = "an arrow's target is state, (state value ...) or state (with (variable value) ...)";
}

CoreId MachineExpander::action(Place place, DatumId clause, Parts forms, Scope* scope, Numbering& numbering,
                               const std::function<CoreId()>& before_staying) {
    // Places would not do as names: a macro's template may hold several clauses and arrows, all of which stand at its
    // use.
    const uint64_t key = uint64_t{static_cast<uint32_t>(clause)} << 32U;
    const Span at = syntax_.span(clause);
    uint32_t arrows_seen = 0;
    ArrowContext arrows;
    arrows.stay = [&](Span span) { return stay(place.leaf, before_staying, span); };
    arrows.arrow = [&](Parts parts, Span span, const Context& ctx) {
        ++arrows_seen;
        return arrow(place, key + arrows_seen, parts, span, ctx);
    };
    const std::vector<DatumId> body = with_arrow_form(forms, scope);
    const Context ctx{names_.new_scope(scope), &numbering, &arrows};
    const CoreId done = body.empty() ? arrows.stay(at) : all_.bodies.expand(body, ctx, at);
    if (arrows_seen > 0) return done;
    // A clause without an arrow is a transition from the state to itself.
    const CoreId parts[] = {core_.node(core::Mark{transition(place.owner, key, {}, at)}, at), done};
    return core_.seq(parts, at);
}

CoreId MachineExpander::stay(uint32_t leaf, const std::function<CoreId()>& before_staying, Span at) {
    const LocalId wait = machine_.states[leaf].wait;
    if (wait == no_local) {
        return reports_.fail(at,
                             "the state `" + machine_.name_of_state(leaf) + "` cannot stay here: nothing is waited for",
                             "take an arrow");
    }
    std::vector<CoreId> parts;
    if (before_staying) parts.push_back(before_staying());
    parts.push_back(call(wait, at));
    return core_.seq(parts, at);
}

// … -> target, at the end of a clause, is the form (-> target) at the end of its action.
std::vector<DatumId> MachineExpander::with_arrow_form(Parts forms, Scope* scope) {
    const auto first =
        std::find_if(forms.begin(), forms.end(), [&](DatumId d) { return names_.is_form(d, scope, Form::to); });
    std::vector<DatumId> body(forms.begin(), first);
    if (first == forms.end()) return body;
    const size_t i = body.size();
    Span at = syntax_.span(forms[i]);
    if (i + 1 < forms.size()) at = join(at, syntax_.span(forms.back()));
    DatumId form = data_.null(at);
    for (size_t k = forms.size(); k-- > i;) form = data_.pair(at, forms[k], form);
    body.push_back(form);
    return body;
}

// A clause of an outer state is expanded for each leaf inside it: its transitions are the same ones each time.
TargetId MachineExpander::transition(uint32_t owner, uint64_t key, std::string to, Span at) {
    StateForm& s = machine_.states[owner];
    auto it = s.transitions.find(key);
    if (it == s.transitions.end()) {
        const std::string name = std::string(name_of(machine_.name)) + "/" + std::string(name_of(s.name)) + "#" +
                                 std::to_string(s.transitions.size() + 1);
        it = s.transitions.emplace(key, core_.target(TargetKind::transition, name, std::move(to), at)).first;
    }
    return it->second;
}

CoreId MachineExpander::arrow(Place place, uint64_t key, Parts parts, Span at, const Context& ctx) {
    if (parts.empty()) return reports_.fail(at, "an arrow needs a target", shape);
    Sets sets;
    if (const CoreId wrong = arrow_values(parts, at, sets); wrong != no_core) return wrong;
    const auto to = reader_.state_named(data_.is_pair(parts[0]) ? data_.car(parts[0]) : parts[0]);
    if (!to) return core_.unspecified(at);
    machine_.states[place.owner].arrows.push_back(*to);
    const TargetId target = transition(place.owner, key, machine_.name_of_state(*to), at);
    const CoreId mark = core_.node(core::Mark{target}, at);
    const CoreId all[] = {mark, move(place, *to, sets, at, ctx.not_tail())};
    return core_.seq(all, at);
}

CoreId MachineExpander::arrow_values(Parts parts, Span at, Sets& out) {
    if (data_.is_pair(parts[0])) {
        if (!syntax_.elements(parts[0]) || parts.size() != 1) return reports_.fail(at, "malformed arrow", shape);
        return all_values(parts[0], out);
    }
    if (parts.size() == 2 && data_.is_pair(parts[1]) && syntax_.named(data_.car(parts[1]), "with"))
        return some_values(parts[1], out);
    return parts.size() == 1 ? no_core : reports_.fail(at, "malformed arrow", shape);
}

// (state value …)
CoreId MachineExpander::all_values(DatumId target, Sets& out) {
    const std::vector<DatumId> items = *syntax_.elements(target);
    const size_t count = machine_.params.size();
    if (items.size() - 1 != count) {
        return reports_.fail(target,
                             "the machine `" + std::string(name_of(machine_.name)) + "` has " + std::to_string(count) +
                                 (count == 1 ? " variable" : " variables") + ", this arrow gives " +
                                 std::to_string(items.size() - 1),
                             "use (with (variable value) ...) to set some of them");
    }
    for (size_t i = 1; i < items.size(); ++i) out.emplace_back(machine_.params[i - 1], items[i]);
    return no_core;
}

// (with (variable value) …)
CoreId MachineExpander::some_values(DatumId with, Sets& out) {
    const auto items = syntax_.elements(with);
    if (!items) return reports_.fail(with, "malformed `with`", shape);
    const std::vector<DatumId>& names = machine_.names;
    for (size_t i = 1; i < items->size(); ++i) {
        const auto pair = syntax_.elements((*items)[i]);
        if (!pair || pair->size() != 2 || !syntax_.is_identifier((*pair)[0]))
            return reports_.fail((*items)[i], "malformed `with`", shape);
        const DatumId name = (*pair)[0];
        const auto p = std::find_if(names.begin(), names.end(),
                                    [&](DatumId n) { return syntax_.ident(n) == syntax_.ident(name); });
        if (p == names.end()) {
            Scope known;
            for (DatumId n : names) known.bind(syntax_.ident(n), {});
            return reports_.fail(
                name,
                "`" + syntax_.show(name) + "` is not a variable of the machine `" +
                    std::string(name_of(machine_.name)) + "`",
                names_.suggest(name_of(syntax_.base_name(name)), &known, [](const Binding&) { return true; }));
        }
        const LocalId variable = machine_.params[static_cast<size_t>(p - names.begin())];
        if (std::any_of(out.begin(), out.end(), [&](const auto& set) { return set.first == variable; }))
            return reports_.fail(name, "the variable `" + syntax_.show(name) + "` appears twice");
        out.emplace_back(variable, (*pair)[1]);
    }
    return no_core;
}

// From the leaf to the target: exits, new values, entries.
CoreId MachineExpander::move(Place place, uint32_t to, const Sets& sets, Span at, const Context& ctx) {
    std::vector<StateForm>& states = machine_.states;
    std::vector<LocalId> temps;
    std::vector<CoreId> inits, steps;
    for (const auto& [local, value] : sets) {
        temps.push_back(core_.temporary(name_of(program_[local].name), syntax_.span(value)));
        inits.push_back(all_.walk.expand(value, ctx));
    }
    // Exits, innermost first, up to the innermost state around both the leaf and the target.
    uint32_t common = states[to].parent;
    while (common != no_state && (common == place.leaf || !machine_.contains(common, place.leaf)))
        common = states[common].parent;
    for (uint32_t x = place.leaf; x != common; x = states[x].parent) {
        if (states[x].exit_procedure != no_local) steps.push_back(call(states[x].exit_procedure, at));
    }
    for (size_t i = 0; i < sets.size(); ++i) {
        program_[sets[i].first].assigned = true;
        steps.push_back(core_.node(core::LocalSet{sets[i].first, core_.local_ref(temps[i], at)}, at));
    }
    // Entries, outermost first; the target's own leads on to its initial state or to its wait.
    std::vector<uint32_t> around;
    for (uint32_t x = states[to].parent; x != common; x = states[x].parent) around.push_back(x);
    for (size_t i = around.size(); i-- > 0;) steps.push_back(call(states[around[i]].entry_procedure, at));
    steps.push_back(call(states[to].enter, at));
    const CoreId body = core_.seq(steps, at);
    return temps.empty() ? body : core_.let(temps, inits, body, at);
}

} // namespace espalier
