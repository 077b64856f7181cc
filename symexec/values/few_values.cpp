#include "symexec/values/few_values.hpp"

#include <algorithm>

#include "symexec/values/fractions.hpp"

namespace espalier::sym {

// What this operation has decided comes first: the path knows it too by now, and may not have known it when the
// operation asked.
std::optional<Value> FewValues::known_value(State& s, Value v) {
    if (!v.is_term()) return v;
    if (const Decision* made = s.decisions.find({.kind = Subject::Kind::value, .of = v})) return made->value;
    const Value reduced = facts_of(s).reduce(v);
    return reduced.is_term() ? std::nullopt : std::optional(terms_.constant(reduced));
}

// Conditions that were left out since the path implies them say in one word what it says in many.
PathFacts& FewValues::facts_of(const State& s) {
    const auto conditions = context_.observer->conditions(s);
    said_.assign(conditions.begin(), conditions.end());
    const size_t own = said_.size();
    for (const auto* c = s.implied.last(); c != nullptr; c = c->before) said_.push_back(c->item);
    std::reverse(said_.begin() + static_cast<std::ptrdiff_t>(own), said_.end());
    facts_.follow(said_);
    return facts_;
}

Value FewValues::settled(State& s, Value v, int64_t most) {
    v = fresh_.resolved(s, decider_.forced(s, v));
    if (const auto known = known_value(s, v)) return *known;
    Fork fork{{}, {.kind = Subject::Kind::value, .of = v}};
    if (terms_.is_sort(v, Sort::boolean)) {
        fork.conditions = {v, terms_.negation(v)};
        fork.values = {Value::boolean(true), Value::boolean(false)};
    } else {
        list_values(facts_.reduce(v), most, fork);
        if (fork.values.empty()) list_solutions(s, v, most, fork);
    }
    if (fork.values.size() == 1) return fork.values[0];
    if (!fork.values.empty()) throw fork;
    if (!terms_.is_sort(v, Sort::rational)) return v;
    const auto [n, d] = as_fraction(terms_, v);
    const Value upper = settled(s, n, most), lower = settled(s, d, most);
    return upper.is_term() || lower.is_term() ? v : number::div(terms_.heap(), upper, lower);
}

// The values by what is said of each variable: those of its only one, or those of the range of a sum.
void FewValues::list_values(Value v, int64_t most, Fork& fork) {
    const auto ordinals = terms_.variables(v);
    std::vector<Value> values;
    if (ordinals.size() == 1) {
        const uint32_t n = ordinals[0];
        const Value variable = terms_.variable_in(v, n);
        const Domain& d = terms_.domain(variable);
        if (d.sort == Sort::boolean)
            values = {Value::boolean(true), Value::boolean(false)};
        else if (!d.values.empty())
            values = d.values;
        else if (d.sort == Sort::integer && d.low && d.high && d.low->is_fixnum() && d.high->is_fixnum() &&
                 d.high->as_fixnum() - d.low->as_fixnum() < most)
            for (int64_t i = d.low->as_fixnum(); i <= d.high->as_fixnum(); ++i) values.push_back(Value::fixnum(i));
        Assignment model(n + 1, Value::unbound());
        for (Value each : values) {
            fork.conditions.push_back(is_condition(variable, each));
            model[n] = each;
            fork.values.push_back(terms_.constant(terms_.evaluate(v, model)));
        }
    }
    if (!values.empty() || !terms_.is_sort(v, Sort::integer)) return;
    const Range range = facts_.range(v);
    if (!range.low || !range.high || *range.high - *range.low >= most) return;
    list_range(v, *range.low, *range.high, fork);
}

void FewValues::list_range(Value v, int64_t low, int64_t high, Fork& fork) {
    for (int64_t i = low; i <= high; ++i) {
        fork.conditions.push_back(terms_.equal_integers(v, Value::fixnum(i)));
        fork.values.push_back(Value::fixnum(i));
    }
}

// The values by what the solver says.
void FewValues::list_solutions(State& s, Value v, int64_t most, Fork& fork) {
    if (terms_.is_sort(v, Sort::rational)) return;
    const SolverWord few = context_.observer->few_values(s, v, most);
    if (!few.low || !few.high) return;
    if (terms_.is_sort(v, Sort::integer))
        list_range(v, few.low->as_fixnum(), few.high->as_fixnum(), fork);
    else
        fork.values.push_back(*few.low);
}

// That the term is this constant, of its own sort.
Value FewValues::is_condition(Value v, Value constant) {
    if (terms_.is_sort(v, Sort::boolean)) return terms_.iff(v, constant);
    return terms_.is_sort(v, Sort::integer) ? terms_.equal_integers(v, constant) : terms_.same(v, constant);
}

} // namespace espalier::sym
