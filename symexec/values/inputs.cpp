#include "symexec/values/inputs.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

constexpr uint32_t deepest_message = 16;

bool all_symbols(const type::Enum& e) {
    return std::all_of(e.values.begin(), e.values.end(), [](Value v) { return v.is_symbol(); });
}
bool all_integers(const type::Enum& e) {
    return std::all_of(e.values.begin(), e.values.end(), [](Value v) { return number::is_integer(v); });
}

bool all_strings(const type::Enum& e) {
    return std::all_of(e.values.begin(), e.values.end(), [](Value v) { return is_type(v, ObjectType::string); });
}
// Of the values of an enum that are all of one kind; nothing where they are not, and each is a case of its own.
std::optional<Sort> sort_of(const type::Enum& e) {
    if (all_integers(e)) return Sort::integer;
    if (all_symbols(e)) return Sort::symbol;
    if (all_strings(e)) return Sort::string;
    return std::nullopt;
}

// The value of an integer type that is nearest to zero.
Value nearest_to_zero(const type::Int& i) {
    const Value zero = Value::fixnum(0);
    if (i.low && number::compare(*i.low, zero, ">") > 0) return *i.low;
    if (i.high && number::compare(*i.high, zero, "<") < 0) return *i.high;
    return zero;
}

} // namespace

Inputs::Inputs(Context& context)
    : program_(context.program), terms_(context.terms), heap_(context.heap), domains_(program_.types.size()),
      byte_(terms_.add_domain({Sort::integer, Value::fixnum(0), Value::fixnum(255), {}, Value::fixnum(0)})),
      natural_(terms_.add_domain({Sort::integer, Value::fixnum(0), {}, {}, Value::fixnum(0)})) {}

Value Inputs::new_variable(State& s, DomainId domain) {
    const Value v = terms_.variable(s.variables++, domain);
    const Value condition = terms_.domain_condition(v);
    if (condition.is_term()) s.path.push(condition); // its fallback satisfies it, so the path's model still does
    return v;
}

Value Inputs::new_lazy(State& s, TypeId type, uint32_t bound) {
    const uint32_t cell = s.store.allocate(2, Value::unbound());
    return terms_.lazy(s.variables++, cell, type, bound);
}

DomainId Inputs::domain_of(TypeId type) {
    auto& known = domains_[index(type)];
    if (known) return *known;
    Domain d;
    const auto& kind = program_.types[index(type)].kind;
    if (const auto* i = std::get_if<type::Int>(&kind)) {
        d = {Sort::integer, i->low, i->high, {}, nearest_to_zero(*i)};
    } else if (std::holds_alternative<type::Bool>(kind)) {
        d = {Sort::boolean, {}, {}, {}, Value::boolean(false)};
    } else if (const auto* e = std::get_if<type::Enum>(&kind)) {
        d = {sort_of(*e).value(), {}, {}, e->values, e->values[0]};
    } else {
        d = {Sort::string, {}, {}, {}, terms_.heap().string("")};
    }
    d.type = type;
    known = terms_.add_domain(std::move(d));
    return *known;
}

Value Inputs::symbolic(State& s, TypeId type, uint32_t depth) {
    const auto& kind = program_.types[index(type)].kind;
    if (const auto* e = std::get_if<type::Enum>(&kind)) {
        if (e->values.size() == 1) return e->values[0];
        if (!sort_of(*e)) return new_lazy(s, type, 0);
    } else if (const auto* b = std::get_if<type::Bytes>(&kind)) {
        return new_lazy(s, type, b->max);
    } else if (const auto* l = std::get_if<type::ListOf>(&kind)) {
        return new_lazy(s, type, l->max);
    } else if (const auto* m = std::get_if<type::OneOf>(&kind)) {
        if (m->messages.size() == 1 && depth < deepest_message) return symbolic_message(s, m->messages[0], depth + 1);
        const Value v = new_lazy(s, type, 0);
        // Where every alternative has a condition, not even a value that the model ignores is free.
        if (!has_fallback(type, 0)) s.to_ask.push_back(v);
        return v;
    }
    return new_variable(s, domain_of(type));
}

Value Inputs::symbolic_message(State& s, MessageId message, uint32_t depth) {
    const MessageDef& def = program_.messages[index(message)];
    std::vector<Value> fields;
    for (const FieldDef& f : def.fields) fields.push_back(symbolic(s, f.type, depth));
    Message* m = heap_.message(message, fields.size());
    std::copy(fields.begin(), fields.end(), static_cast<Value*>(m->fields));
    if (def.where != GlobalId{UINT32_MAX}) s.to_ask.push_back(Value::object(m));
    return Value::object(m);
}

bool Inputs::has_fallback(TypeId type, uint32_t depth) const {
    const auto* m = std::get_if<type::OneOf>(&program_.types[index(type)].kind);
    return m == nullptr ||
           (depth <= deepest_message &&
            std::any_of(m->messages.begin(), m->messages.end(), [&](MessageId id) { return has_fallback(id, depth); }));
}

bool Inputs::has_fallback(MessageId id, uint32_t depth) const {
    const MessageDef& def = program_.messages[index(id)];
    return def.where == GlobalId{UINT32_MAX} &&
           std::all_of(def.fields.begin(), def.fields.end(),
                       [&](const FieldDef& f) { return has_fallback(f.type, depth + 1); });
}

Value Inputs::fallback(TypeId type, Heap& heap, uint32_t depth) const {
    if (depth > deepest_message) throw Unsupported("a message type without a finite value");
    const auto& kind = program_.types[index(type)].kind;
    if (const auto* i = std::get_if<type::Int>(&kind)) return nearest_to_zero(*i);
    if (std::holds_alternative<type::Bool>(kind)) return Value::boolean(false);
    if (const auto* e = std::get_if<type::Enum>(&kind)) return e->values[0];
    if (std::holds_alternative<type::String>(kind)) return heap.string("");
    if (std::holds_alternative<type::Bytes>(kind)) return heap.bytevector({});
    if (std::holds_alternative<type::ListOf>(kind)) return Value::null();
    for (MessageId id : std::get<type::OneOf>(kind).messages) {
        if (!has_fallback(id, depth)) continue;
        const MessageDef& def = program_.messages[index(id)];
        std::vector<Value> fields;
        for (const FieldDef& f : def.fields) fields.push_back(fallback(f.type, heap, depth + 1));
        Message* m = heap.message(id, fields.size());
        std::copy(fields.begin(), fields.end(), static_cast<Value*>(m->fields));
        return Value::object(m);
    }
    throw Unsupported("a message whose conditions were not looked into"); // they are, at once
}

} // namespace espalier::sym
