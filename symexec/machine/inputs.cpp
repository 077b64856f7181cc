// Inputs: symbolic values of each type of the language, and what becomes of them in a test.
#include <algorithm>
#include <unordered_set>

#include "symexec/machine/machine.hpp"

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

Value Machine::new_variable(State& s, DomainId domain) {
    const Value v = terms_.variable(s.variables++, domain);
    const Value condition = terms_.domain_condition(v);
    if (condition.is_term()) s.path.push(condition); // its fallback satisfies it, so the path's model still does
    return v;
}

Value Machine::new_lazy(State& s, TypeId type, uint32_t bound) {
    const uint32_t cell = s.store.allocate(2, Value::unbound());
    return terms_.lazy(s.variables++, cell, type, bound);
}

DomainId Machine::domain_of(TypeId type) {
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

Value Machine::symbolic(State& s, TypeId type, uint32_t depth) {
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

Value Machine::symbolic_message(State& s, MessageId message, uint32_t depth) {
    const MessageDef& def = program_.messages[index(message)];
    std::vector<Value> fields;
    for (const FieldDef& f : def.fields) fields.push_back(symbolic(s, f.type, depth));
    Message* m = heap_.message(message, fields.size());
    std::copy(fields.begin(), fields.end(), static_cast<Value*>(m->fields));
    if (def.where != GlobalId{UINT32_MAX}) s.to_ask.push_back(Value::object(m));
    return Value::object(m);
}

// ── Concrete again ──

const std::vector<Value> Machine::variables(const State& s) const {
    std::vector<Value> all;
    std::unordered_set<uint32_t> seen; // terms share parts
    std::vector<Value> left;
    const auto add = [&](std::span<const Value> parts) { left.insert(left.end(), parts.begin(), parts.end()); };
    for (const auto* n = s.path.last(); n != nullptr; n = n->before) left.push_back(n->item);
    for (const auto* e = s.events.last(); e != nullptr; e = e->before)
        if (e->item.kind == Event::Kind::input) left.push_back(e->item.value);
    while (!left.empty()) {
        const Value v = left.back();
        left.pop_back();
        if (v.is_term() && !seen.insert(v.payload()).second) continue;
        if (terms_.is_sort(v, Sort::lazy)) {
            const auto cell = static_cast<uint32_t>(terms_.operands(v)[1].as_fixnum());
            const Value content = s.store.get(cell);
            left.push_back(content.is_address() ? s.store.get(cell + 1) : content);
        } else if (v.is_term() && terms_[v].op == Op::variable) {
            if (resolved(s, v) == v) all.push_back(v); // else it is a fresh value
        } else if (v.is_term()) {
            add(terms_.operands(v));
        } else if (is_type(v, ObjectType::message)) {
            add({static_cast<const Value*>(as_message(v).fields), v.as_object()->count});
        } else if (is_type(v, ObjectType::vector)) { // bytes as they were sent
            add({static_cast<const Value*>(as_vector(v).elements), v.as_object()->count});
        } else if (is_pair(v)) {
            left.push_back(as_pair(v).cdr);
            left.push_back(as_pair(v).car);
        }
    }
    std::sort(all.begin(), all.end(), [&](Value a, Value b) { return terms_.ordinal(a) < terms_.ordinal(b); });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// What is still to be made goes on a list, with the place where it belongs: inputs are as long and as deep as the model
// looks into them. Objects do not move, and this heap is not collected.
Value Machine::concretise(const State& s, Value root, const Assignment& model, Heap& heap) {
    Value result;
    std::vector<std::pair<Value, Value*>> left{{root, &result}};
    while (!left.empty()) {
        auto [v, place] = left.back();
        left.pop_back();
        if (const auto whole = concretise_leaf(s, v, model, heap)) {
            *place = *whole;
        } else if (is_pair(v)) {
            *place = heap.cons(Value::null(), Value::null());
            left.emplace_back(as_pair(v).cdr, &as_pair(*place).cdr);
            left.emplace_back(as_pair(v).car, &as_pair(*place).car);
        } else {
            Message* copy = heap.message(as_message(v).message, v.as_object()->count);
            *place = Value::object(copy);
            for (uint32_t i = v.as_object()->count; i-- > 0;)
                left.emplace_back(as_message(v).fields[i], &copy->fields[i]);
        }
    }
    return result;
}

// Nothing where it turns out to be a pair or a message: that is what `v` is then, and its parts are still to be made.
std::optional<Value> Machine::concretise_leaf(const State& s, Value& v, const Assignment& model, Heap& heap) {
    while (terms_.is_sort(v, Sort::lazy)) {
        const auto parts = terms_.operands(v);
        const auto cell = static_cast<uint32_t>(parts[1].as_fixnum());
        const Value content = s.store.get(cell);
        if (content.is_unbound()) return fallback(TypeId{static_cast<uint32_t>(parts[2].as_fixnum())}, heap, 0);
        if (content.is_address()) return concrete_bytes(s.store.get(cell + 1), model, heap);
        v = content;
    }
    if (v.is_term() && resolved(s, v) != v) return copy_fresh(resolved(s, v), heap);
    if (v.is_term()) v = terms_.evaluate(v, model);
    if (!v.is_object()) return v;
    switch (v.as_object()->type) {
    case ObjectType::string: return heap.string(to_utf8(as_string(v)));
    case ObjectType::bignum:
    case ObjectType::rational: return number::copy(heap, v);
    case ObjectType::bytevector: return heap.bytevector({as_bytevector(v).bytes, v.as_object()->count});
    case ObjectType::pair:
    case ObjectType::message: return std::nullopt;
    default: throw Unsupported("an input that holds a value of this kind");
    }
}

// Bytes as they were sent: a vector of terms.
Value Machine::concrete_bytes(Value sent, const Assignment& model, Heap& heap) {
    const Vector& original = as_vector(sent);
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < original.count; ++i)
        bytes.push_back(static_cast<uint8_t>(terms_.evaluate(original.elements[i], model).as_fixnum()));
    return heap.bytevector(bytes);
}

// Is there a value of the type that no condition of a message's definition speaks of?
bool Machine::has_fallback(TypeId type, uint32_t depth) const {
    const auto* m = std::get_if<type::OneOf>(&program_.types[index(type)].kind);
    return m == nullptr ||
           (depth <= deepest_message &&
            std::any_of(m->messages.begin(), m->messages.end(), [&](MessageId id) { return has_fallback(id, depth); }));
}

bool Machine::has_fallback(MessageId id, uint32_t depth) const {
    const MessageDef& def = program_.messages[index(id)];
    return def.where == GlobalId{UINT32_MAX} &&
           std::all_of(def.fields.begin(), def.fields.end(),
                       [&](const FieldDef& f) { return has_fallback(f.type, depth + 1); });
}

// What a value that no path looked into may as well be: the smallest of its type.
Value Machine::fallback(TypeId type, Heap& heap, uint32_t depth) const {
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
    throw Unsupported("a message whose conditions nobody looked into"); // such a one is looked into at once
}

} // namespace espalier::sym
