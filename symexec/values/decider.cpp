#include "symexec/values/decider.hpp"

namespace espalier::sym {

// Of what is not looked into yet, only an enum's value may be #f.
Value Decider::truth(State& s, Value v) {
    if (!terms_.is_sort(v, Sort::lazy)) return v;
    const auto type = static_cast<uint32_t>(terms_.operands(v)[2].as_fixnum());
    return std::holds_alternative<type::Enum>(program_.types[type].kind) ? forced(s, v) : Value::boolean(true);
}

bool Decider::decide(State& s, Value condition) {
    condition = truth(s, condition);
    if (!terms_.is_sort(condition, Sort::boolean)) return condition.is_true();
    const Subject subject{.kind = Subject::Kind::truth, .of = condition};
    if (const Decision* made = s.decisions.find(subject)) return made->way_of(2) == 0;
    throw Fork{{condition, terms_.negation(condition)}, subject};
}

uint32_t Decider::pick(State& s, const Subject& subject, size_t count,
                       const std::function<std::vector<Value>()>& conditions) {
    if (const Decision* made = s.decisions.find(subject)) return made->way_of(count);
    throw Fork{conditions(), subject};
}

// A lazy value, and what its term says of it.
struct Decider::Lazy {
    Value term;
    uint32_t cell;
    TypeId type;
    uint32_t bound;
};

Value Decider::forced(State& s, Value v) {
    if (!terms_.is_sort(v, Sort::lazy)) return v;
    const auto parts = terms_.operands(v);
    const Lazy lazy{v, static_cast<uint32_t>(parts[1].as_fixnum()), TypeId{static_cast<uint32_t>(parts[2].as_fixnum())},
                    static_cast<uint32_t>(parts[3].as_fixnum())};
    if (const Value known = s.store.get(lazy.cell); !known.is_unbound()) return known;
    uint32_t way = 0;
    if (const size_t count = ways(lazy); count > 1) {
        const Subject subject{.kind = Subject::Kind::content, .of = v};
        const Decision* made = s.decisions.find(subject);
        if (made == nullptr) throw Fork{std::vector<Value>(count, Value::boolean(true)), subject};
        way = made->way_of(count);
        s.decisions.drop(made); // from here on the cell says it
    }
    const size_t asked = s.to_ask.size();
    Value original;
    const Value found = content(s, lazy, way, original);
    s.store.set(lazy.cell, found);
    s.store.set(lazy.cell + 1, original);
    if (s.to_ask.size() > asked) throw Ask{};
    return found;
}

std::optional<Value> Decider::seen(const State& s, Value v) const {
    if (!terms_.is_sort(v, Sort::lazy)) return v;
    const Value known = s.store.get(static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum()));
    return known.is_unbound() ? std::nullopt : std::optional(known);
}

size_t Decider::ways(const Lazy& lazy) const {
    const auto& kind = program_.types[index(lazy.type)].kind;
    if (const auto* e = std::get_if<type::Enum>(&kind)) return e->values.size();
    if (std::holds_alternative<type::ListOf>(kind)) return lazy.bound == 0 ? 1 : 2;
    if (std::holds_alternative<type::Bytes>(kind)) return size_t{lazy.bound} + 1;
    if (const auto* m = std::get_if<type::OneOf>(&kind)) return m->messages.size();
    return 1;
}

Value Decider::content(State& s, const Lazy& lazy, uint32_t way, Value& original) {
    const auto& kind = program_.types[index(lazy.type)].kind;
    if (const auto* e = std::get_if<type::Enum>(&kind)) return e->values[way];
    if (const auto* l = std::get_if<type::ListOf>(&kind)) {
        if (way == 0) return Value::null();
        const Value first = inputs_.symbolic(s, l->element, 1);
        return heap_.cons(first, inputs_.new_lazy(s, lazy.type, lazy.bound - 1));
    }
    if (std::holds_alternative<type::Bytes>(kind)) return bytes(s, way, original);
    if (const auto* m = std::get_if<type::OneOf>(&kind)) return inputs_.symbolic_message(s, m->messages[way], 1);
    throw Unsupported("a lazy value of a simple type");
}

// The bytes as they were sent are kept beside those that the model may change.
Value Decider::bytes(State& s, uint32_t count, Value& original) {
    std::vector<Value> bytes;
    for (uint32_t i = 0; i < count; ++i) bytes.push_back(inputs_.new_byte(s));
    const uint32_t a = s.store.allocate(1 + count, Value::unspecified());
    s.store.set(a, header(Kind::bytevector, count));
    for (uint32_t i = 0; i < count; ++i) s.store.set(a + 1 + i, bytes[i]);
    original = heap_.vector(bytes);
    return Value::address(a);
}

} // namespace espalier::sym
