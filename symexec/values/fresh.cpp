#include "symexec/values/fresh.hpp"

#include <algorithm>

#include "symexec/state/parts_once.hpp"

namespace espalier::sym {

Value FreshValues::make(State& s, TypeId type, bool distinct_from_all, Value others) {
    auto* fresh = static_cast<Fresh*>(heap_.allocate(ObjectType::fresh, sizeof(Fresh), ++s.fresh_count));
    fresh->of = type;
    fresh->distinct_from_all = distinct_from_all ? 1 : 0;
    fresh->differs_from = others;
    fresh->told_apart = nullptr; // a replay will say it
    return Value::object(fresh);
}

Value FreshValues::resolved(const State& s, Value v) const {
    if (s.fresh.facts.empty() || !v.is_term() || terms_[v].op != Op::variable) return v;
    const uint32_t n = terms_.ordinal(v);
    for (const FreshFacts::Fact& f : s.fresh.facts)
        if (f.equal && f.ordinal == n) return f.fresh;
    return v;
}

bool FreshValues::compare(State& s, Value variable, Value fresh) {
    if (terms_[variable].op != Op::variable) return false; // computed with, so it is none
    const uint32_t n = terms_.ordinal(variable), number = as_fresh(fresh).count;
    for (const FreshFacts::Fact& f : s.fresh.facts)
        if (f.ordinal == n && f.number == number) return f.equal;
    bool equal = false;
    if (may_be(s, variable, as_fresh(fresh))) {
        const Subject subject{Subject::Kind::fresh, number, variable};
        const Decision* made = s.decisions.find(subject);
        if (made == nullptr) throw Fork{{Value::boolean(true), Value::boolean(true)}, subject};
        equal = made->way_of(2) == 0;
        s.decisions.drop(made); // from here on the fact says it
    }
    s.fresh.facts.push_back({n, number, equal, fresh});
    return equal;
}

bool FreshValues::may_be(const State& s, Value variable, const Fresh& fresh) const {
    const uint32_t n = terms_.ordinal(variable);
    const bool known = std::any_of(s.fresh.written.begin(), s.fresh.written.end(), [&](const FreshFacts::Written& w) {
        return w.number == fresh.count && n >= w.before;
    });
    // A run that sent it would have failed where the input was compared with another that it might be.
    const auto excludes = [&](const FreshFacts::Fact& f) {
        return f.ordinal == n && !f.equal && !known_to_differ(f.fresh, Value::object(&fresh));
    };
    if (std::any_of(s.fresh.facts.begin(), s.fresh.facts.end(), excludes)) return false;
    const auto type = terms_.domain(variable).type;
    if (!known || !type || !espalier::belongs(program_, *type, Value::object(&fresh))) return false;
    const Value own = terms_.domain_condition(variable);
    for (const auto* c = s.path.last(); c != nullptr; c = c->before) {
        const auto vars = terms_.variables(c->item);
        if (c->item != own && std::find(vars.begin(), vars.end(), n) != vars.end()) return false;
    }
    return true;
}

void FreshValues::note_written(State& s, Value v) {
    if (s.fresh_count == 0) return;
    PartsOnce parts(v);
    while (parts.next(v)) {
        if (!is_type(v, ObjectType::fresh)) continue;
        const uint32_t number = as_fresh(v).count;
        const bool known = std::any_of(s.fresh.written.begin(), s.fresh.written.end(),
                                       [&](const auto& w) { return w.number == number; });
        if (!known) s.fresh.written.push_back({number, s.variables});
    }
}

} // namespace espalier::sym
