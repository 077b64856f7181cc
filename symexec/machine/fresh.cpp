// Values that the system under test chooses, met by inputs.
//
// A fresh value is opaque, and equal to itself only. An input field compared with one forks: the tester sends that very
// value (which it must have received before), or one that differs. An input that is a fresh value is as opaque as the
// value itself, so a field that the path has already computed with cannot be one.
#include <algorithm>

#include "symexec/machine/machine.hpp"
#include "symexec/state/parts_once.hpp"

namespace espalier::sym {

namespace {

const Fresh& as_fresh(Value v) { return *static_cast<const Fresh*>(v.as_object()); }

} // namespace

// The fresh value that the path found an input to be; else v itself.
Value Machine::resolved(const State& s, Value v) const {
    if (s.fresh.facts.empty() || !v.is_term() || terms_[v].op != Op::variable) return v;
    const uint32_t n = terms_.ordinal(v);
    for (const FreshFacts::Fact& f : s.fresh.facts)
        if (f.equal && f.ordinal == n) return f.fresh;
    return v;
}

bool Machine::compare_with_fresh(State& s, Value variable, Value fresh) {
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

bool Machine::may_be(const State& s, Value variable, const Fresh& fresh) const {
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

// From its first output on, the tester can send it.
void Machine::note_written(State& s, Value v) {
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

Value Machine::copy_fresh(Value v, Heap& heap) const {
    auto* copy = static_cast<Fresh*>(heap.allocate(ObjectType::fresh, sizeof(Fresh), as_fresh(v).count));
    copy->of = as_fresh(v).of;
    copy->distinct_from_all = as_fresh(v).distinct_from_all;
    copy->differs_from = Value::null();
    copy->told_apart = nullptr;
    return Value::object(copy);
}

void Machine::fresh_uses(const State& s, Value v, std::vector<uint32_t>& place, std::vector<FreshUse>& uses) const {
    struct Open {
        Value of; // a message, or what is left of a list
        uint32_t next;
    };
    std::vector<Open> open;
    const auto visit = [&](Value part) {
        part = as_looked_into(s, part);
        if (part.is_term() && terms_[part].op == Op::variable) {
            for (const FreshFacts::Fact& f : s.fresh.facts)
                if (f.ordinal == terms_.ordinal(part)) uses.push_back({place, f.number, f.equal});
        } else if (is_type(part, ObjectType::message) || is_pair(part)) {
            open.push_back({part, 0});
            place.push_back(0);
        }
    };
    visit(v);
    while (!open.empty()) {
        auto& [of, next] = open.back();
        const bool is_list = is_pair(of);
        if (!is_list && (!is_type(of, ObjectType::message) || next == of.as_object()->count)) {
            open.pop_back();
            place.pop_back();
            continue;
        }
        place.back() = next;
        const Value part = is_list ? as_pair(of).car : as_message(of).fields[next];
        if (is_list) of = as_looked_into(s, as_pair(of).cdr);
        ++next;
        visit(part);
    }
}

// A message, list or enum that the path made up its mind about; else v itself, or bytes, which are nothing fresh.
Value Machine::as_looked_into(const State& s, Value v) const {
    while (terms_.is_sort(v, Sort::lazy)) {
        const Value content = s.store.get(static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum()));
        if (content.is_unbound() || content.is_address()) return content;
        v = content;
    }
    return v;
}

} // namespace espalier::sym
