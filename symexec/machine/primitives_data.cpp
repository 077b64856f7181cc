// Vectors, bytevectors and text.
#include "symexec/machine/machine.hpp"

namespace espalier::sym {

namespace {

Kind sequence_kind(Prim prim) {
    return prim == Prim::vector || prim == Prim::make_vector || prim == Prim::vector_length ||
                   prim == Prim::vector_ref || prim == Prim::vector_set
               ? Kind::vector
               : Kind::bytevector;
}

} // namespace

// Of a vector or bytevector, in the store or in the program's text; nothing where v is none.
std::optional<std::vector<Value>> Machine::elements(const State& s, Value v, Kind kind) const {
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

// A symbolic index forks over the cells; out of range comes last.
uint32_t Machine::index_into(State& s, Value i, uint32_t count, const char* operation, const char* what) {
    if (terms_.is_sort(i, Sort::integer)) {
        const Subject subject{Subject::Kind::index, count, i};
        std::vector<Value> ways;
        for (uint32_t n = 0; n < count; ++n) ways.push_back(terms_.equal_integers(i, Value::fixnum(n)));
        ways.push_back(
            terms_.negation(terms_.both(terms_.at_most(Value::fixnum(0), i), terms_.less(i, Value::fixnum(count)))));
        const uint32_t way = pick(s, subject, ways);
        if (way < count) return way;
        throw Fault{std::string(operation) + ": index out of range for " + what + " of length " +
                    std::to_string(count)};
    }
    if (i.is_fixnum() && i.as_fixnum() >= 0 && i.as_fixnum() < count) return static_cast<uint32_t>(i.as_fixnum());
    if (i.is_term() || !number::is_integer(i))
        throw Fault{std::string(operation) + ": " + describe(s, i) + " is not an index"};
    throw Fault{std::string(operation) + ": index " + number::to_text(i) + " is out of range for " + what +
                " of length " + std::to_string(count)};
}

Value Machine::sequence(State& s, Prim prim, std::span<const Value> args) {
    const std::string name = author_name(prim);
    const Kind kind = sequence_kind(prim);
    const char* what = kind == Kind::vector ? "a vector" : "a bytevector";
    const auto allocate = [&](uint32_t count, Value fill) {
        const uint32_t a = s.store.allocate(1, header(kind, count));
        s.store.allocate(count, fill);
        return a;
    };
    const auto byte_of = [&](Value v) {
        v = forced(s, v);
        if (terms_.is_sort(v, Sort::integer)) {
            if (decide(s, terms_.both(terms_.at_most(Value::fixnum(0), v), terms_.at_most(v, Value::fixnum(255)))))
                return v;
        } else if (v.is_fixnum() && v.as_fixnum() >= 0 && v.as_fixnum() <= 255) {
            return v;
        }
        throw Fault{name + ": " + describe(s, v) + " is not a byte (0 to 255)"};
    };
    if (prim == Prim::vector) {
        const uint32_t a = allocate(static_cast<uint32_t>(args.size()), Value::unspecified());
        for (uint32_t i = 0; i < args.size(); ++i) s.store.set(a + 1 + i, args[i]);
        return Value::address(a);
    }
    if (prim == Prim::make_vector || prim == Prim::make_bytevector) {
        const Value n = settled(s, args[0]);
        if (n.is_term()) throw Unsupported(name + " of a symbolic length");
        if (!number::is_integer(n) || number::compare(n, Value::fixnum(0), "<") < 0)
            throw Fault{name + ": " + describe(s, n) + " is not a length"};
        if (!n.is_fixnum() || n.as_fixnum() > most_elements)
            throw Fault{name + ": a length of " + number::to_text(n) + " is too much"};
        const Value fill = kind == Kind::bytevector ? byte_of(args[1]) : args[1];
        return Value::address(allocate(static_cast<uint32_t>(n.as_fixnum()), fill));
    }
    const Value object = forced(s, args[0]);
    const bool stored = is_kind(s.store, object, kind);
    const bool literal = is_type(object, kind == Kind::vector ? ObjectType::vector : ObjectType::bytevector);
    if (!stored && !literal) throw Fault{name + ": " + describe(s, object) + " is not " + what};
    const uint32_t count = stored ? number_of(s.store.get(object.payload())) : object.as_object()->count;
    if (prim == Prim::vector_length || prim == Prim::bytevector_length) return Value::fixnum(count);
    const uint32_t i = index_into(s, forced(s, args[1]), count, name.c_str(), what);
    if (prim == Prim::vector_ref || prim == Prim::bytevector_ref) {
        if (stored) return s.store.get(object.payload() + 1 + i);
        return kind == Kind::vector ? as_vector(object).elements[i] : Value::fixnum(as_bytevector(object).bytes[i]);
    }
    const Value element = kind == Kind::bytevector ? byte_of(args[2]) : args[2];
    if (!stored) throw Fault{name + ": a constant of the program's text may not be changed"};
    s.store.set(object.payload() + 1 + i, element);
    return Value::unspecified();
}

// Equality and length of symbolic strings are exact; where the characters matter, a string must be known, or one of
// few.
Value Machine::text(State& s, Prim prim, std::span<const Value> args) {
    std::vector<Value> operands;
    for (Value v : args) operands.push_back(resolved(s, forced(s, v)));
    const auto is_text = [&](Value v) {
        return is_type(v, ObjectType::string) || is_type(v, ObjectType::fresh) || terms_.is_sort(v, Sort::string);
    };
    switch (prim) {
    case Prim::string_length:
        if (terms_.is_sort(operands[0], Sort::string)) return terms_.length(operands[0]);
        break;
    case Prim::string_eq:
        if (is_text(operands[0]) && is_text(operands[1])) return equal_condition(s, operands[0], operands[1], true);
        break;
    case Prim::string_ref:
    case Prim::substring: // an index into a constant forks over its characters
        operands[0] = settled(s, operands[0]);
        for (size_t i = 1; i < operands.size() && is_type(operands[0], ObjectType::string); ++i)
            if (terms_.is_sort(operands[i], Sort::integer))
                operands[i] = Value::fixnum(
                    index_into(s, operands[i], operands[0].as_object()->count + (prim == Prim::substring ? 1 : 0),
                               author_name(prim).c_str(), "a string"));
        break;
    case Prim::string_concatenate:
    case Prim::list_to_string: operands[0] = list_of_constants(s, prim, operands[0]); break;
    case Prim::string_to_utf8: return stored_bytes(s, of_constants(s, prim, operands));
    case Prim::utf8_to_string: operands[0] = constant_bytes(s, operands[0]); break;
    default: break;
    }
    return of_constants(s, prim, operands);
}

Value Machine::list_of_constants(State& s, Prim prim, Value list) {
    std::vector<Value> items;
    Value rest = list;
    for (; is_pair(rest); rest = forced(s, as_pair(rest).cdr)) items.push_back(forced(s, as_pair(rest).car));
    for (Value& v : items) {
        v = settled(s, v);
        if (v.is_term()) throw Unsupported(author_name(prim) + " of a symbolic value");
    }
    return heap_.list(items, rest);
}

// Only few values of a byte: there may be many bytes.
Value Machine::constant_bytes(State& s, Value bytevector) {
    const auto bytes = elements(s, bytevector, Kind::bytevector);
    if (!bytes) return bytevector;
    std::vector<uint8_t> plain;
    for (Value b : *bytes) {
        const Value byte = settled(s, b, 16);
        if (byte.is_term()) throw Unsupported("utf8->string of symbolic bytes");
        plain.push_back(static_cast<uint8_t>(byte.as_fixnum()));
    }
    return heap_.bytevector(plain);
}

Value Machine::stored_bytes(State& s, Value bytevector) {
    const auto bytes = *elements(s, bytevector, Kind::bytevector);
    const uint32_t a = s.store.allocate(1, header(Kind::bytevector, static_cast<uint32_t>(bytes.size())));
    s.store.allocate(static_cast<uint32_t>(bytes.size()), Value::fixnum(0));
    for (uint32_t i = 0; i < bytes.size(); ++i) s.store.set(a + 1 + i, bytes[i]);
    return Value::address(a);
}

} // namespace espalier::sym
