// Decisions about symbolic values: where a path divides.
//
// An operation asks; where the answer was not yet decided for this state, the state is suspended, and each successor
// starts the operation again with one more decision. Started again, it may ask less than before, since the path says
// more by now, but it asks everything that it asked: what is decided is looked up before anything else is. A value that
// is looked into for the first time is a decision too (lazy initialisation: Khurshid, Păsăreanu, Visser 2003): which
// message a one-of is, whether a list goes on, how long bytes are. The choice is then written to the value's cell of
// the store, so it is made once on each path.
#include <algorithm>

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

// Everything but #f counts as true; of what is not looked into yet, only an enum's value may be #f.
Value Machine::truth(State& s, Value v) {
    if (!terms_.is_sort(v, Sort::lazy)) return v;
    const auto type = static_cast<uint32_t>(terms_.operands(v)[2].as_fixnum());
    return std::holds_alternative<type::Enum>(program_.types[type].kind) ? forced(s, v) : Value::boolean(true);
}

bool Machine::decide(State& s, Value condition) {
    condition = truth(s, condition);
    if (!terms_.is_sort(condition, Sort::boolean)) return condition.is_true();
    const Subject subject{.kind = Subject::Kind::truth, .of = condition};
    if (const Decision* made = s.decisions.find(subject)) return made->way_of(2) == 0;
    throw Fork{{condition, terms_.negation(condition)}, subject};
}

uint32_t Machine::pick(State& s, const Subject& subject, const std::vector<Value>& conditions) {
    if (const Decision* made = s.decisions.find(subject)) return made->way_of(conditions.size());
    throw Fork{conditions, subject};
}

Value Machine::forced(State& s, Value v) {
    if (!terms_.is_sort(v, Sort::lazy)) return v;
    const auto parts = terms_.operands(v);
    const auto cell = static_cast<uint32_t>(parts[1].as_fixnum());
    const TypeId type{static_cast<uint32_t>(parts[2].as_fixnum())};
    const auto bound = static_cast<uint32_t>(parts[3].as_fixnum());
    if (const Value content = s.store.get(cell); !content.is_unbound()) return content;

    const auto& kind = program_.types[index(type)].kind;
    size_t ways = 1;
    if (const auto* e = std::get_if<type::Enum>(&kind))
        ways = e->values.size();
    else if (std::holds_alternative<type::ListOf>(kind))
        ways = bound == 0 ? 1 : 2;
    else if (std::holds_alternative<type::Bytes>(kind))
        ways = size_t{bound} + 1;
    else if (const auto* m = std::get_if<type::OneOf>(&kind))
        ways = m->messages.size();
    uint32_t way = 0;
    if (ways > 1) {
        const Subject subject{.kind = Subject::Kind::content, .of = v};
        const Decision* made = s.decisions.find(subject);
        if (made == nullptr) throw Fork{std::vector<Value>(ways, Value::boolean(true)), subject};
        way = made->way_of(ways);
        s.decisions.drop(made); // from here on the cell says it
    }

    const size_t asked = s.to_ask.size();
    Value content, original;
    if (const auto* e = std::get_if<type::Enum>(&kind)) {
        content = e->values[way];
    } else if (const auto* l = std::get_if<type::ListOf>(&kind)) {
        if (way == 0) {
            content = Value::null();
        } else {
            const Value first = symbolic(s, l->element, 1);
            content = heap_.cons(first, new_lazy(s, type, bound - 1));
        }
    } else if (std::holds_alternative<type::Bytes>(kind)) {
        std::vector<Value> bytes;
        for (uint32_t i = 0; i < way; ++i) bytes.push_back(new_variable(s, byte_));
        const uint32_t a = s.store.allocate(1 + way, Value::unspecified());
        s.store.set(a, header(Kind::bytevector, way));
        for (uint32_t i = 0; i < way; ++i) s.store.set(a + 1 + i, bytes[i]);
        content = Value::address(a);
        original = heap_.vector(bytes); // as it was sent: the model may change what it received
    } else if (const auto* m = std::get_if<type::OneOf>(&kind)) {
        content = symbolic_message(s, m->messages[way], 1);
    } else {
        throw Unsupported("a lazy value of a simple type");
    }
    s.store.set(cell, content);
    s.store.set(cell + 1, original);
    if (s.to_ask.size() > asked) throw Ask{};
    return content;
}

// ── Types ──

bool Machine::belongs(State& s, TypeId type, Value v) {
    if (!v.is_term() && !v.is_address() && !is_pair(v)) return espalier::belongs(program_, type, v);
    return decide(s, belongs_condition(s, type, v));
}

// Recursive on the type, which is as deep as the author wrote it.
Value Machine::belongs_condition(State& s, TypeId type, Value v) {
    const auto yes = Value::boolean(true), no = Value::boolean(false);
    const auto& kind = program_.types[index(type)].kind;
    if (terms_.is_sort(v, Sort::lazy)) {
        const auto parts = terms_.operands(v);
        const bool same_type = parts[2] == Value::fixnum(index(type));
        if (same_type && !std::holds_alternative<type::ListOf>(kind)) return yes;
        v = forced(s, v);
    }
    if (const auto* l = std::get_if<type::ListOf>(&kind)) {
        std::vector<Value> all;
        for (v = forced(s, v); is_pair(v); v = forced(s, as_pair(v).cdr)) {
            if (all.size() == l->max) return no;
            all.push_back(belongs_condition(s, l->element, as_pair(v).car));
        }
        return v.is_null() ? terms_.all_of(all) : no;
    }
    if (const auto* b = std::get_if<type::Bytes>(&kind); b != nullptr && v.is_address())
        return Value::boolean(is_kind(s.store, v, Kind::bytevector) && number_of(s.store.get(v.payload())) <= b->max);
    if (v.is_address()) return no;
    if (!v.is_term()) return Value::boolean(espalier::belongs(program_, type, v));
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
        for (Value each : e->values) any.push_back(equal_condition(s, v, each, true));
        return terms_.any_of(any);
    }
    return no;
}

} // namespace espalier::sym
