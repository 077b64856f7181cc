// Reading a machine: which states it has, and what stands in them.
#include <algorithm>

#include "lang/expand/machine.hpp"

namespace espalier {

std::optional<uint32_t> Expander::state_named(const Machine& m, DatumId name) {
    if (is_identifier(name)) {
        const std::string_view wanted = name_of(base_name(name));
        if (const auto known = m.by_name.find(wanted); known != m.by_name.end()) return known->second;
        Scope names;
        for (const State& s : m.states) names.bind(Ident{index(s.name)}, {});
        fail(name, "the machine `" + std::string(name_of(m.name)) + "` has no state `" + show(name) + "`",
             suggest(wanted, &names, [](const Binding&) { return true; }));
    } else {
        fail(name, "expected the name of a state, found `" + show(name) + "`");
    }
    return std::nullopt;
}

void Expander::parse_state(Machine& m, DatumId d, uint32_t parent) {
    const auto parts = elements(d);
    if (!parts || parts->size() < 2 || !named((*parts)[0], "state") || !is_identifier((*parts)[1])) {
        fail(d, "expected a state, found `" + show(d) + "`", "its shape is (state name ...)");
        return;
    }
    if (!enter(span(d))) return;
    const auto id = static_cast<uint32_t>(m.states.size());
    const auto [first, made] = m.by_name.try_emplace(name_of(base_name((*parts)[1])), id);
    if (!made) {
        diagnostics_.error(span((*parts)[1]), "the state `" + show((*parts)[1]) + "` is defined twice in this machine")
            .notes.push_back({Severity::note, m.states[first->second].span, "first defined here", {}, {}});
    }
    State s;
    s.name = base_name((*parts)[1]);
    s.span = span((*parts)[1]);
    s.parent = parent;
    s.scope = new_scope(parent == no_state ? m.scope : m.states[parent].scope);
    s.numbering.scope = intern(std::string(name_of(m.name)) + "/" + std::string(name_of(s.name)));
    s.target = target(TargetKind::state, std::string(name_of(m.name)) + "/" + std::string(name_of(s.name)), {}, s.span);
    m.states.push_back(std::move(s));
    if (parent != no_state) m.states[parent].children.push_back(id);
    ++depth_;
    for (size_t i = 2; i < parts->size(); ++i) {
        if (!parse_state_item(m, id, (*parts)[i])) m.states[id].broken = true;
    }
    --depth_;
    State& self = m.states[id];
    if (self.children.empty() == self.initial.has_value()) {
        if (self.children.empty()) {
            fail(*self.initial, "`initial` belongs to a state with states inside");
        } else {
            fail(self.span, "the composite state `" + std::string(name_of(self.name)) + "` needs an (initial state)");
        }
    }
    if (self.final &&
        (!self.children.empty() || !self.clauses.empty() || !self.exit.empty() || !self.ignores.empty())) {
        fail(self.span, "the final state `" + std::string(name_of(self.name)) + "` can have an entry, nothing else");
    }
    if (self.final && self.value && self.parent != no_state) {
        fail(*self.value, "only a final state of the machine itself has a value",
             "a nested final state takes the outer state's (done ...)");
    }
    if (self.done && self.children.empty()) fail(*self.done, "`done` belongs to a state with states inside");
    parse_after_timers(m, id);
}

bool Expander::parse_state_item(Machine& m, uint32_t id, DatumId item) {
    const auto parts = elements(item);
    if (!parts || parts->empty() || !is_identifier((*parts)[0])) {
        fail(item, "expected a part of a state, found `" + show(item) + "`",
             "(on ...), (after ...), (entry ...), (exit ...), (locals ...), (ignores ...), (initial ...), (final ...), "
             "(done ...) or (state ...)");
        return false;
    }
    const std::string_view word = name_of(base_name((*parts)[0]));
    const std::span<const DatumId> rest = std::span(*parts).subspan(1);
    State& s = m.states[id];
    auto without_arrow = [&](std::span<const DatumId> forms) {
        for (DatumId f : forms) {
            if (!is_identifier(f) || !is_form(f, s.scope, Form::to)) continue;
            fail(f, "an `" + std::string(word) + "` may not contain an arrow");
            return false;
        }
        return true;
    };
    if (word == "state") {
        parse_state(m, item, id);
    } else if (word == "on" || word == "after") {
        if (rest.empty()) {
            fail(item, "malformed `" + std::string(word) + "`",
                 word == "on" ? "its shape is (on trigger (where test) action ... -> target)"
                              : "its shape is (after delay (where test) action ... -> target)");
            return false;
        }
        s.clauses.push_back(item);
    } else if (word == "entry") {
        if (!without_arrow(rest)) return false;
        s.entry.insert(s.entry.end(), rest.begin(), rest.end());
    } else if (word == "exit") {
        if (!without_arrow(rest)) return false;
        s.exit.insert(s.exit.end(), rest.begin(), rest.end());
    } else if (word == "ignores") {
        s.ignores.insert(s.ignores.end(), rest.begin(), rest.end());
    } else if (word == "locals") {
        for (DatumId l : rest) {
            const auto pair = elements(l);
            if (!pair || pair->size() != 2 || !is_identifier((*pair)[0])) {
                fail(l, "malformed local", "its shape is (name expression)");
                return false;
            }
            s.locals.emplace_back((*pair)[0], (*pair)[1]);
        }
    } else if (word == "initial") {
        if (rest.size() != 1 || s.initial) {
            fail(item, "a composite state has one (initial state)");
            return false;
        }
        s.initial = rest[0];
    } else if (word == "final") {
        if (rest.size() > 1 || s.final) {
            fail(item, "malformed `final`", "its shape is (final) or (final value)");
            return false;
        }
        s.final = true;
        if (!rest.empty()) s.value = rest[0];
    } else if (word == "done") {
        if (s.done) {
            fail(item, "a state has one (done ...)");
            return false;
        }
        s.done = item;
    } else {
        Scope words;
        for (std::string_view w :
             {"state", "on", "after", "entry", "exit", "ignores", "locals", "initial", "final", "done"})
            words.bind(Ident{index(intern(w))}, {});
        fail((*parts)[0], "`" + std::string(word) + "` is not a part of a state",
             suggest(word, &words, [](const Binding&) { return true; }));
        return false;
    }
    return true;
}

// `after` clauses with the same delay share a timer.
void Expander::parse_after_timers(Machine& m, uint32_t id) {
    State& s = m.states[id];
    for (DatumId c : s.clauses) {
        if (!named(data_.car(c), "after")) continue;
        const DatumId delay = data_.car(data_.cdr(c));
        const std::string text = print_datum(data_, delay);
        if (std::none_of(s.timers.begin(), s.timers.end(), [&](const State::After& t) { return t.text == text; })) {
            s.timers.push_back({text, delay, temporary("after " + text, span(delay))});
        }
    }
}

} // namespace espalier
