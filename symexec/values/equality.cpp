#include "symexec/values/equality.hpp"

#include <set>
#include <tuple>

namespace espalier::sym {

namespace {

// Where both have parts and are alike so far, these become tasks, the first of them to be done first.
bool open_both(const State& s, Value a, Value b, std::vector<std::pair<Value, Value>>& tasks) {
    if (is_pair(a) && is_pair(b)) {
        tasks.emplace_back(as_pair(a).cdr, as_pair(b).cdr);
        tasks.emplace_back(as_pair(a).car, as_pair(b).car);
        return true;
    }
    if (is_type(a, ObjectType::message) && is_type(b, ObjectType::message)) {
        const Message &m = as_message(a), &n = as_message(b);
        if (m.message != n.message) return false;
        for (uint32_t i = m.count; i-- > 0;) tasks.emplace_back(m.fields[i], n.fields[i]);
        return true;
    }
    for (const Kind kind : {Kind::vector, Kind::bytevector}) {
        const auto x = elements(s, a, kind), y = elements(s, b, kind);
        if (!x || !y) continue;
        if (x->size() != y->size()) return false;
        for (size_t i = x->size(); i-- > 0;) tasks.emplace_back((*x)[i], (*y)[i]);
        return true;
    }
    return false;
}
} // namespace

// Of a vector or bytevector, in the store or in the program's text; nothing where v is none.
std::optional<std::vector<Value>> elements(const State& s, Value v, Kind kind) {
    std::vector<Value> all;
    if (is_kind(s.store, v, kind)) {
        const uint32_t count = number_of(s.store.get(v.payload()));
        for (uint32_t i = 0; i < count; ++i) all.push_back(s.store.get(v.payload() + 1 + i));
    } else if (kind == Kind::vector && is_type(v, ObjectType::vector)) {
        all.assign(as_vector(v).elements, as_vector(v).elements + v.as_object()->count);
    } else if (kind == Kind::bytevector && is_type(v, ObjectType::bytevector)) {
        for (uint32_t i = 0; i < v.as_object()->count; ++i) all.push_back(Value::fixnum(as_bytevector(v).bytes[i]));
    } else {
        return std::nullopt;
    }
    return all;
}

// What is nested becomes a task, so depth costs no C++ stack; past a number
// of them those that were met are remembered, as in lang's equal?: parts may be shared, and vectors contain themselves.
Value Equality::condition(State& s, Value a, Value b, bool deep) {
    const auto no = Value::boolean(false);
    constexpr size_t forgetful_tasks = 1000;
    std::vector<std::pair<Value, Value>> tasks{{a, b}};
    std::set<std::pair<uint64_t, uint64_t>> seen;
    std::vector<Value> all;
    for (size_t done = 0; !tasks.empty(); ++done) {
        std::tie(a, b) = tasks.back();
        tasks.pop_back();
        if (a == b) continue;
        a = fresh_.resolved(s, decider_.forced(s, a));
        b = fresh_.resolved(s, decider_.forced(s, b));
        if (a == b) continue;
        if (done > forgetful_tasks && !seen.insert({a.bits(), b.bits()}).second) continue;
        const Value args[] = {a, b};
        Value here = no;
        if (a.is_term() || b.is_term())
            here = of_term(s, a, b, deep);
        else if (deep && open_both(s, a, b, tasks))
            continue;
        else if (!a.is_address() && !b.is_address())
            here = context_.compute(deep ? Prim::equal : Prim::eqv, args);
        if (here == no) return no;
        all.push_back(here);
    }
    return terms_.all_of(all);
}

// One of them, at least, is symbolic.
Value Equality::of_term(State& s, Value a, Value b, bool deep) {
    if (!a.is_term()) std::swap(a, b);
    if (is_type(b, ObjectType::fresh)) return Value::boolean(fresh_.compare(s, a, b));
    const auto no = Value::boolean(false);
    const Sort sort = terms_[a].sort;
    if (b.is_term() && terms_[b].sort != sort) return no;
    if (sort == Sort::rational && (b.is_term() || number::is_number(b)))
        return fractions_.arithmetic(s, Prim::num_eq, a, b);
    if (sort == Sort::integer && (b.is_term() || number::is_integer(b))) return terms_.equal_integers(a, b);
    if (sort == Sort::boolean && (b.is_term() || b.is_boolean())) return terms_.iff(a, b);
    if (sort == Sort::symbol && (b.is_term() || b.is_symbol())) return terms_.same(a, b);
    if (sort == Sort::string && deep && (b.is_term() || is_type(b, ObjectType::string))) return terms_.same(a, b);
    return no;
}

bool Equality::belongs(State& s, TypeId type, Value v) {
    if (!v.is_term() && !v.is_address() && !is_pair(v)) return espalier::belongs(context_.program, type, v);
    return decider_.decide(s, belongs_condition(s, type, v));
}

// Recursive on the type, which is as deep as the author wrote it.
Value Equality::belongs_condition(State& s, TypeId type, Value v) {
    const auto no = Value::boolean(false);
    const auto& kind = context_.program.types[index(type)].kind;
    if (terms_.is_sort(v, Sort::lazy)) {
        const auto parts = terms_.operands(v);
        const bool same_type = parts[2] == Value::fixnum(index(type));
        if (same_type && !std::holds_alternative<type::ListOf>(kind)) return Value::boolean(true);
        v = decider_.forced(s, v);
    }
    if (const auto* l = std::get_if<type::ListOf>(&kind)) return belongs_list(s, *l, v);
    if (const auto* b = std::get_if<type::Bytes>(&kind); b != nullptr && v.is_address())
        return Value::boolean(is_kind(s.store, v, Kind::bytevector) && number_of(s.store.get(v.payload())) <= b->max);
    if (v.is_address()) return no;
    if (!v.is_term()) return Value::boolean(espalier::belongs(context_.program, type, v));
    return belongs_term(s, type, v);
}

Value Equality::belongs_list(State& s, const type::ListOf& type, Value v) {
    const auto no = Value::boolean(false);
    std::vector<Value> all;
    for (v = decider_.forced(s, v); is_pair(v); v = decider_.forced(s, as_pair(v).cdr)) {
        if (all.size() == type.max) return no;
        all.push_back(belongs_condition(s, type.element, as_pair(v).car));
    }
    return v.is_null() ? terms_.all_of(all) : no;
}

Value Equality::belongs_term(State& s, TypeId type, Value v) {
    const auto yes = Value::boolean(true), no = Value::boolean(false);
    const auto& kind = context_.program.types[index(type)].kind;
    const Sort sort = terms_[v].sort;
    if (const auto* i = std::get_if<type::Int>(&kind)) {
        if (sort != Sort::integer) return no;
        Value all = yes;
        if (i->low) all = terms_.both(all, terms_.at_most(*i->low, v));
        if (i->high) all = terms_.both(all, terms_.at_most(v, *i->high));
        return all;
    }
    if (std::holds_alternative<type::Bool>(kind)) return Value::boolean(sort == Sort::boolean);
    if (std::holds_alternative<type::String>(kind)) return Value::boolean(sort == Sort::string);
    if (const auto* e = std::get_if<type::Enum>(&kind)) {
        std::vector<Value> any;
        for (Value each : e->values) any.push_back(condition(s, v, each, true));
        return terms_.any_of(any);
    }
    return no;
}

} // namespace espalier::sym
