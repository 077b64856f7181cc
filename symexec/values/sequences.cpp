// Vectors and bytevectors.
#include "symexec/values/collections.hpp"

namespace espalier::sym {

namespace {

Kind sequence_kind(Prim prim) {
    return prim == Prim::vector || prim == Prim::make_vector || prim == Prim::vector_length ||
                   prim == Prim::vector_ref || prim == Prim::vector_set
               ? Kind::vector
               : Kind::bytevector;
}

} // namespace

uint32_t Sequences::index_into(State& s, Value i, uint32_t count, const char* operation, const char* what) {
    const Subject subject{Subject::Kind::index, count, i};
    if (terms_.is_sort(i, Sort::integer) && s.decisions.find(subject) == nullptr)
        i = few_.known_value(s, i).value_or(i); // the path has been asked before
    if (terms_.is_sort(i, Sort::integer)) {
        const uint32_t way = decider_.pick(s, subject, count + 1, [&] {
            std::vector<Value> ways;
            for (uint32_t n = 0; n < count; ++n) ways.push_back(terms_.equal_integers(i, Value::fixnum(n)));
            ways.push_back(terms_.negation(
                terms_.both(terms_.at_most(Value::fixnum(0), i), terms_.less(i, Value::fixnum(count)))));
            return ways;
        });
        if (way < count) return way;
        throw Fault{std::string(operation) + ": index out of range for " + what + " of length " +
                    std::to_string(count)};
    }
    if (i.is_fixnum() && i.as_fixnum() >= 0 && i.as_fixnum() < count) return static_cast<uint32_t>(i.as_fixnum());
    if (i.is_term() || !number::is_integer(i))
        throw Fault{std::string(operation) + ": " + describe(program_, s, i) + " is not an index"};
    throw Fault{std::string(operation) + ": index " + number::to_text(i) + " is out of range for " + what +
                " of length " + std::to_string(count)};
}

Value Sequences::byte_of(State& s, const std::string& operation, Value v) {
    v = decider_.forced(s, v);
    if (terms_.is_sort(v, Sort::integer)) {
        if (decider_.decide(s, terms_.both(terms_.at_most(Value::fixnum(0), v), terms_.at_most(v, Value::fixnum(255)))))
            return v;
    } else if (v.is_fixnum() && v.as_fixnum() >= 0 && v.as_fixnum() <= 255) {
        return v;
    }
    throw Fault{operation + ": " + describe(program_, s, v) + " is not a byte (0 to 255)"};
}

Value Sequences::make(State& s, Prim prim, std::span<const Value> args) {
    const std::string name = author_name(prim);
    const Kind kind = sequence_kind(prim);
    const auto allocate = [&](uint32_t count, Value fill) {
        const uint32_t a = s.store.allocate(1, header(kind, count));
        s.store.allocate(count, fill);
        return a;
    };
    if (prim == Prim::vector) {
        const uint32_t a = allocate(static_cast<uint32_t>(args.size()), Value::unspecified());
        for (uint32_t i = 0; i < args.size(); ++i) s.store.set(a + 1 + i, args[i]);
        return Value::address(a);
    }
    const Value n = few_.settled(s, args[0]);
    if (n.is_term()) throw Unsupported(name + " of a symbolic length");
    if (!number::is_integer(n) || number::compare(n, Value::fixnum(0), "<") < 0)
        throw Fault{name + ": " + describe(program_, s, n) + " is not a length"};
    if (!n.is_fixnum() || n.as_fixnum() > most_elements)
        throw Fault{name + ": a length of " + number::to_text(n) + " is too much"};
    const Value fill = kind == Kind::bytevector ? byte_of(s, name, args[1]) : args[1];
    return Value::address(allocate(static_cast<uint32_t>(n.as_fixnum()), fill));
}

Value Sequences::compute(State& s, Prim prim, std::span<const Value> args) {
    if (prim == Prim::vector || prim == Prim::make_vector || prim == Prim::make_bytevector) return make(s, prim, args);
    const std::string name = author_name(prim);
    const Kind kind = sequence_kind(prim);
    const char* what = kind == Kind::vector ? "a vector" : "a bytevector";
    const Value object = decider_.forced(s, args[0]);
    const bool stored = is_kind(s.store, object, kind);
    const bool literal = is_type(object, kind == Kind::vector ? ObjectType::vector : ObjectType::bytevector);
    if (!stored && !literal) throw Fault{name + ": " + describe(program_, s, object) + " is not " + what};
    const uint32_t count = stored ? number_of(s.store.get(object.payload())) : object.as_object()->count;
    if (prim == Prim::vector_length || prim == Prim::bytevector_length) return Value::fixnum(count);
    const uint32_t i = index_into(s, decider_.forced(s, args[1]), count, name.c_str(), what);
    if (prim == Prim::vector_ref || prim == Prim::bytevector_ref) {
        if (stored) return s.store.get(object.payload() + 1 + i);
        return kind == Kind::vector ? as_vector(object).elements[i] : Value::fixnum(as_bytevector(object).bytes[i]);
    }
    const Value element = kind == Kind::bytevector ? byte_of(s, name, args[2]) : args[2];
    if (!stored) throw Fault{name + ": a constant of the program's text may not be changed"};
    s.store.set(object.payload() + 1 + i, element);
    return Value::unspecified();
}

} // namespace espalier::sym
