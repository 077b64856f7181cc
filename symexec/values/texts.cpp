#include "symexec/values/texts.hpp"

namespace espalier::sym {

namespace {

// What a primitive that takes constants asks of an operand that is an input. A rational may be an integer; no input is
// a character, or anything else that a term of `lazy` would stand for.
struct Wanted {
    Sort sort;
    const char* name;
};
Wanted wanted_by(Prim prim, size_t operand) {
    switch (prim) {
    case Prim::symbol_to_string: return {Sort::symbol, "a symbol"};
    case Prim::string_length:
    case Prim::string_append:
    case Prim::string_concatenate:
    case Prim::string_eq:
    case Prim::string_lt:
    case Prim::string_to_symbol:
    case Prim::string_upcase:
    case Prim::string_downcase:
    case Prim::string_foldcase:
    case Prim::string_to_utf8: return {Sort::string, "a string"};
    case Prim::string_ref:
    case Prim::substring: return operand == 0 ? Wanted{Sort::string, "a string"} : Wanted{Sort::integer, "an index"};
    case Prim::utf8_to_string:
        return operand == 0 ? Wanted{Sort::lazy, "a bytevector"} : Wanted{Sort::integer, "an index"};
    case Prim::number_to_string:
        return operand == 0 ? Wanted{Sort::rational, "a number"} : Wanted{Sort::integer, "a radix"};
    case Prim::string_to_number:
        return operand == 0 ? Wanted{Sort::string, "a string"} : Wanted{Sort::integer, "a radix"};
    case Prim::make_string: return operand == 0 ? Wanted{Sort::integer, "a length"} : Wanted{Sort::lazy, "a character"};
    case Prim::integer_to_char: return {Sort::integer, "the number of a character"};
    case Prim::isqrt: return {Sort::integer, "an integer"};
    case Prim::numerator:
    case Prim::denominator:
    case Prim::floor:
    case Prim::ceiling:
    case Prim::truncate:
    case Prim::round: return {Sort::rational, "a number"};
    default: return {Sort::lazy, "a character"};
    }
}

Value stored_bytes(State& s, Value bytevector) {
    const auto bytes = *elements(s, bytevector, Kind::bytevector);
    const uint32_t a = s.store.allocate(1, header(Kind::bytevector, static_cast<uint32_t>(bytes.size())));
    s.store.allocate(static_cast<uint32_t>(bytes.size()), Value::fixnum(0));
    for (uint32_t i = 0; i < bytes.size(); ++i) s.store.set(a + 1 + i, bytes[i]);
    return Value::address(a);
}
} // namespace

Value Texts::of_constants(State& s, Prim prim, std::vector<Value> operands) {
    for (size_t i = 0; i < operands.size(); ++i) {
        Value& v = operands[i];
        v = values_.resolved(s, v);
        if (!v.is_term()) continue;
        const Wanted wanted = wanted_by(prim, i);
        const Sort sort = terms_[v].sort;
        if (sort == wanted.sort || (sort == Sort::integer && wanted.sort == Sort::rational)) continue;
        throw Fault{author_name(prim) + ": " + describe(context_.program, s, v) + " is not " + wanted.name};
    }
    for (Value& v : operands) {
        v = few_.settled(s, v);
        if (v.is_term()) throw Unsupported(author_name(prim) + " of a symbolic value");
    }
    return context_.compute(prim, operands);
}

Value Texts::compute(State& s, Prim prim, std::span<const Value> args) {
    std::vector<Value> operands;
    for (Value v : args) operands.push_back(values_.resolved(s, v));
    const auto is_text = [&](Value v) {
        return is_type(v, ObjectType::string) || is_type(v, ObjectType::fresh) || terms_.is_sort(v, Sort::string);
    };
    switch (prim) {
    case Prim::string_length:
        if (terms_.is_sort(operands[0], Sort::string)) return terms_.length(operands[0]);
        break;
    case Prim::string_eq:
        if (is_text(operands[0]) && is_text(operands[1]))
            return values_.equality.condition(s, operands[0], operands[1], true);
        break;
    case Prim::string_ref:
    case Prim::substring: // an index into a constant forks over its characters
        operands[0] = few_.settled(s, operands[0]);
        for (size_t i = 1; i < operands.size() && is_type(operands[0], ObjectType::string); ++i)
            if (terms_.is_sort(operands[i], Sort::integer))
                operands[i] = Value::fixnum(sequences_.index_into(
                    s, operands[i], operands[0].as_object()->count + (prim == Prim::substring ? 1 : 0),
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

Value Texts::list_of_constants(State& s, Prim prim, Value list) {
    std::vector<Value> items;
    Value rest = list;
    for (; is_pair(rest); rest = values_.forced(s, as_pair(rest).cdr))
        items.push_back(values_.forced(s, as_pair(rest).car));
    for (Value& v : items) {
        v = few_.settled(s, v);
        if (v.is_term()) throw Unsupported(author_name(prim) + " of a symbolic value");
    }
    return context_.heap.list(items, rest);
}

// Only few values of a byte: there may be many bytes.
Value Texts::constant_bytes(State& s, Value bytevector) {
    const auto bytes = elements(s, bytevector, Kind::bytevector);
    if (!bytes) return bytevector;
    std::vector<uint8_t> plain;
    for (Value b : *bytes) {
        const Value byte = few_.settled(s, b, 16);
        if (byte.is_term()) throw Unsupported("utf8->string of symbolic bytes");
        plain.push_back(static_cast<uint8_t>(byte.as_fixnum()));
    }
    return context_.heap.bytevector(plain);
}

} // namespace espalier::sym
