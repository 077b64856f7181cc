#include "lang/expand/machine_reader.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

CoreId MachineReader::read_head(DatumId d) {
    const auto head = syntax_.elements(d);
    if (!head) return reports_.fail(d, "malformed machine head", "its shape is (name parameter ...)");
    machine_.name = syntax_.base_name((*head)[0]);
    for (size_t i = 1; i < head->size(); ++i) {
        const DatumId p = (*head)[i];
        if (!syntax_.is_identifier(p))
            return reports_.fail(p, "a parameter must be a name, found `" + syntax_.show(p) + "`");
        if (machine_.scope->find(syntax_.ident(p)) != nullptr)
            return reports_.fail(p, "the parameter `" + syntax_.show(p) + "` appears twice");
        machine_.names.push_back(p);
        machine_.params.push_back(core_.new_local(p));
        machine_.scope->bind(syntax_.ident(p), {Binding::Kind::local, index(machine_.params.back())});
    }
    return no_core;
}

std::optional<uint32_t> MachineReader::state_named(DatumId name) {
    if (!syntax_.is_identifier(name)) {
        reports_.fail(name, "expected the name of a state, found `" + syntax_.show(name) + "`");
        return std::nullopt;
    }
    const std::string_view wanted = name_of(syntax_.base_name(name));
    if (const auto known = machine_.by_name.find(wanted); known != machine_.by_name.end()) return known->second;
    Scope names;
    for (const StateForm& s : machine_.states) names.bind(Ident{index(s.name)}, {});
    reports_.fail(name,
                  "the machine `" + std::string(name_of(machine_.name)) + "` has no state `" + syntax_.show(name) + "`",
                  names_.suggest(wanted, &names, [](const Binding&) { return true; }));
    return std::nullopt;
}

void MachineReader::read_state(DatumId d, uint32_t parent) {
    const auto parts = syntax_.elements(d);
    if (!parts || parts->size() < 2 || !syntax_.named((*parts)[0], "state") || !syntax_.is_identifier((*parts)[1])) {
        reports_.fail(d, "expected a state, found `" + syntax_.show(d) + "`", "its shape is (state name ...)");
        return;
    }
    if (!growth_.enter(syntax_.span(d))) return;
    const uint32_t id = add_state((*parts)[1], parent);
    {
        const Growth::Level level(growth_);
        for (size_t i = 2; i < parts->size(); ++i) {
            if (!read_part(id, (*parts)[i])) machine_.states[id].broken = true;
        }
    }
    check_state(machine_.states[id]);
    make_timers(machine_.states[id]);
}

uint32_t MachineReader::add_state(DatumId name, uint32_t parent) {
    const auto id = static_cast<uint32_t>(machine_.states.size());
    StateForm s;
    s.name = syntax_.base_name(name);
    s.span = syntax_.span(name);
    const auto [first, made] = machine_.by_name.try_emplace(name_of(s.name), id);
    if (!made) {
        diagnostics_.error(s.span, "the state `" + syntax_.show(name) + "` is defined twice in this machine")
            .notes.push_back({Severity::note, machine_.states[first->second].span, "first defined here", {}, {}});
    }
    s.parent = parent;
    s.scope = names_.new_scope(parent == no_state ? machine_.scope : machine_.states[parent].scope);
    const std::string full_name = std::string(name_of(machine_.name)) + "/" + std::string(name_of(s.name));
    s.numbering.scope = intern(full_name);
    s.target = core_.target(TargetKind::state, full_name, {}, s.span);
    machine_.states.push_back(std::move(s));
    if (parent != no_state) machine_.states[parent].children.push_back(id);
    return id;
}

void MachineReader::check_state(const StateForm& s) {
    const std::string name(name_of(s.name));
    if (s.children.empty() && s.initial) reports_.fail(*s.initial, "`initial` belongs to a state with states inside");
    if (!s.children.empty() && !s.initial)
        reports_.fail(s.span, "the composite state `" + name + "` needs an (initial state)");
    if (s.final && (!s.children.empty() || !s.clauses.empty() || !s.exit.empty() || !s.ignores.empty()))
        reports_.fail(s.span, "the final state `" + name + "` can have an entry, nothing else");
    if (s.final && s.value && s.parent != no_state)
        reports_.fail(*s.value, "only a final state of the machine itself has a value",
                      "a nested final state takes the outer state's (done ...)");
    if (s.done && s.children.empty()) reports_.fail(*s.done, "`done` belongs to a state with states inside");
}

bool MachineReader::read_part(uint32_t id, DatumId part) {
    const auto parts = syntax_.elements(part);
    if (!parts || parts->empty() || !syntax_.is_identifier((*parts)[0])) {
        reports_.fail(
            part, "expected a part of a state, found `" + syntax_.show(part) + "`",
            "(on ...), (after ...), (entry ...), (exit ...), (locals ...), (ignores ...), (initial ...), (final ...), "
            "(done ...) or (state ...)");
        return false;
    }
    const std::string_view word = name_of(syntax_.base_name((*parts)[0]));
    const Parts operands = std::span(*parts).subspan(1);
    if (word == "state") {
        read_state(part, id);
        return true;
    }
    StateForm& s = machine_.states[id];
    if (word == "on" || word == "after") return read_clause(s, part, word, operands);
    if (word == "entry" || word == "exit") return read_action(s, word, operands);
    if (word == "locals") return read_locals(s, operands);
    if (word == "initial") return read_initial(s, part, operands);
    if (word == "final") return read_final(s, part, operands);
    if (word == "done") return read_done(s, part);
    if (word != "ignores") return no_part((*parts)[0]);
    s.ignores.insert(s.ignores.end(), operands.begin(), operands.end());
    return true;
}

bool MachineReader::read_clause(StateForm& s, DatumId part, std::string_view word, Parts operands) {
    if (operands.empty()) {
        reports_.fail(part, "malformed `" + std::string(word) + "`",
                      word == "on" ? "its shape is (on trigger (where test) action ... -> target)"
                                   : "its shape is (after delay (where test) action ... -> target)");
        return false;
    }
    s.clauses.push_back(part);
    return true;
}

bool MachineReader::read_action(StateForm& s, std::string_view word, Parts forms) {
    for (DatumId f : forms) {
        if (!names_.is_form(f, s.scope, Form::to)) continue;
        reports_.fail(f, "an `" + std::string(word) + "` may not contain an arrow");
        return false;
    }
    std::vector<DatumId>& action = word == "entry" ? s.entry : s.exit;
    action.insert(action.end(), forms.begin(), forms.end());
    return true;
}

bool MachineReader::read_locals(StateForm& s, Parts locals) {
    for (DatumId l : locals) {
        const auto pair = syntax_.elements(l);
        if (!pair || pair->size() != 2 || !syntax_.is_identifier((*pair)[0])) {
            reports_.fail(l, "malformed local", "its shape is (name expression)");
            return false;
        }
        s.locals.emplace_back((*pair)[0], (*pair)[1]);
    }
    return true;
}

bool MachineReader::read_initial(StateForm& s, DatumId part, Parts operands) {
    if (operands.size() != 1 || s.initial) {
        reports_.fail(part, "a composite state has one (initial state)");
        return false;
    }
    s.initial = operands[0];
    return true;
}

bool MachineReader::read_final(StateForm& s, DatumId part, Parts operands) {
    if (operands.size() > 1 || s.final) {
        reports_.fail(part, "malformed `final`", "its shape is (final) or (final value)");
        return false;
    }
    s.final = true;
    if (!operands.empty()) s.value = operands[0];
    return true;
}

bool MachineReader::read_done(StateForm& s, DatumId part) {
    if (s.done) {
        reports_.fail(part, "a state has one (done ...)");
        return false;
    }
    s.done = part;
    return true;
}

bool MachineReader::no_part(DatumId word) {
    Scope words;
    for (std::string_view w :
         {"state", "on", "after", "entry", "exit", "ignores", "locals", "initial", "final", "done"})
        words.bind(Ident{index(intern(w))}, {});
    const std::string_view name = name_of(syntax_.base_name(word));
    reports_.fail(word, "`" + std::string(name) + "` is not a part of a state",
                  names_.suggest(name, &words, [](const Binding&) { return true; }));
    return false;
}

void MachineReader::make_timers(StateForm& s) {
    for (DatumId c : s.clauses) {
        if (!syntax_.named(data_.car(c), "after")) continue;
        const DatumId delay = data_.car(data_.cdr(c));
        const std::string text = print_datum(data_, delay);
        if (std::none_of(s.timers.begin(), s.timers.end(), [&](const StateForm::After& t) { return t.text == text; }))
            s.timers.push_back({text, delay, core_.temporary("after " + text, syntax_.span(delay))});
    }
}

} // namespace espalier
