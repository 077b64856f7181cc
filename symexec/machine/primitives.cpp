// The symbolic meaning of each primitive.
//
// Operands without symbolic parts and outside the store take the concrete meaning. The switch has no default: a
// primitive that is declared and has no meaning here does not compile. What the solver layer cannot express ends the
// path, under the primitive's name.
#include <algorithm>

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

namespace {

bool is_plain(Value v) { return !v.is_term() && !v.is_address(); }

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

} // namespace

Value Machine::concrete_primitive(Prim prim, std::span<const Value> args) {
    return concrete(prim)(concrete_, args.data(), static_cast<uint32_t>(args.size()));
}

std::string Machine::describe(const State& s, Value v) const {
    if (v.is_term()) return "an input value";
    if (!v.is_address()) return to_text(&program_, v, Style::write, 200);
    switch (kind_of(s.store.get(v.payload()))) {
    case Kind::vector: return "a vector";
    case Kind::bytevector: return "a bytevector";
    case Kind::record: return "a record";
    case Kind::channel: return "a channel";
    case Kind::timer: return "a timer";
    case Kind::table: return "a hash table";
    }
    return {};
}

Value Machine::primitive(State& s, Prim prim, std::span<const Value> args) {
    const Effect effect = info(prim).effect;
    // Lists may have symbolic elements.
    const bool is_concrete = effect == Effect::pure && std::all_of(args.begin(), args.end(), is_plain) &&
                             prim != Prim::string_concatenate && prim != Prim::list_to_string;
    const Value result = is_concrete ? concrete_primitive(prim, args) : symbolic_primitive(s, prim, args);
    note_work(result);
    return result;
}

Value Machine::symbolic_primitive(State& s, Prim prim, std::span<const Value> args) {
    switch (prim) {
    case Prim::cons: return heap_.cons(args[0], args[1]);
    case Prim::values: return heap_.values(args);
    case Prim::display: return Value::unspecified(); // for `run` only

    case Prim::eq:
    case Prim::eqv:
    case Prim::equal: return equality(s, prim, args[0], args[1]);
    case Prim::not_: {
        const Value v = truth(s, args[0]);
        return terms_.is_sort(v, Sort::boolean) ? terms_.negation(v) : Value::boolean(v.is_false());
    }
    case Prim::is_boolean:
    case Prim::is_symbol:
    case Prim::is_char:
    case Prim::is_string:
    case Prim::is_pair:
    case Prim::is_null:
    case Prim::is_vector:
    case Prim::is_bytevector:
    case Prim::is_procedure:
    case Prim::is_hash_table:
    case Prim::is_number:
    case Prim::is_integer: return of_kind(s, prim, forced(s, args[0]));

    case Prim::add:
    case Prim::sub:
    case Prim::mul:
    case Prim::div:
    case Prim::num_eq:
    case Prim::lt:
    case Prim::le:
    case Prim::gt:
    case Prim::ge:
    case Prim::quotient:
    case Prim::remainder:
    case Prim::modulo:
    case Prim::floor_quotient:
    case Prim::bitwise_and:
    case Prim::bitwise_or:
    case Prim::bitwise_xor:
    case Prim::arithmetic_shift: return arithmetic(s, prim, forced(s, args[0]), forced(s, args[1]));
    case Prim::bitwise_not: return arithmetic(s, Prim::sub, Value::fixnum(-1), forced(s, args[0]));
    case Prim::numerator:
    case Prim::floor:
    case Prim::ceiling:
    case Prim::truncate:
    case Prim::round:
        if (terms_.is_sort(args[0], Sort::integer)) return args[0];
        if (terms_.is_sort(args[0], Sort::rational)) return rounded(s, prim, args[0]);
        break;
    case Prim::denominator:
        if (terms_.is_sort(args[0], Sort::integer)) return Value::fixnum(1);
        if (terms_.is_sort(args[0], Sort::rational)) return rounded(s, prim, args[0]);
        break;
    case Prim::isqrt:
        if (terms_.is_sort(args[0], Sort::integer)) return integer_square_root(s, args[0]);
        break;

    case Prim::car:
    case Prim::cdr: {
        const Value p = forced(s, args[0]);
        if (is_pair(p)) return prim == Prim::car ? as_pair(p).car : as_pair(p).cdr;
        throw Fault{author_name(prim) + ": " + describe(s, p) + " is not a pair"};
    }
    case Prim::list_to_values: {
        std::vector<Value> items;
        Value rest = forced(s, args[0]);
        for (; is_pair(rest); rest = forced(s, as_pair(rest).cdr)) items.push_back(as_pair(rest).car);
        if (!rest.is_null()) throw Fault{"values: " + describe(s, args[0]) + " is not a list"};
        return heap_.values(items);
    }
    case Prim::values_ref:
    case Prim::values_to_list: return concrete_primitive(prim, args); // looks at no element

    case Prim::symbol_to_string:
    case Prim::string_length:
    case Prim::string_eq:
    case Prim::string_concatenate:
    case Prim::list_to_string:
    case Prim::string_append:
    case Prim::string_ref:
    case Prim::substring:
    case Prim::string_to_utf8:
    case Prim::utf8_to_string: return text(s, prim, args);

    case Prim::vector:
    case Prim::make_vector:
    case Prim::vector_length:
    case Prim::vector_ref:
    case Prim::vector_set:
    case Prim::make_bytevector:
    case Prim::bytevector_length:
    case Prim::bytevector_ref:
    case Prim::bytevector_set: return sequence(s, prim, args);

    case Prim::make_hash_table:
    case Prim::hash_table_ref:
    case Prim::hash_table_set:
    case Prim::hash_table_delete:
    case Prim::hash_table_contains:
    case Prim::hash_table_count:
    case Prim::hash_table_keys:
    case Prim::hash_table_values:
    case Prim::hash_table_clear: return hash_table(s, prim, args);

    case Prim::make_channel: {
        const uint32_t a = s.store.allocate(4, Value::null());
        s.store.set(a, header(Kind::channel, index(label_))); // where it was made
        s.store.set(a + 3, Value::fixnum(++s.channels));
        return Value::address(a);
    }
    case Prim::make_timer:
    case Prim::make_early_timer: {
        const uint32_t a = s.store.allocate(4, Value::boolean(false));
        s.store.set(a, header(Kind::timer, ++s.timers));
        s.store.set(a + 3, Value::boolean(prim == Prim::make_early_timer));
        return Value::address(a);
    }
    case Prim::error: throw Fault{concrete_error(args)};

    case Prim::number_to_string:
    case Prim::string_to_number:
    case Prim::string_to_symbol:
    case Prim::char_to_integer:
    case Prim::integer_to_char:
    case Prim::char_upcase:
    case Prim::char_downcase:
    case Prim::char_is_alphabetic:
    case Prim::char_is_numeric:
    case Prim::char_is_whitespace:
    case Prim::char_is_upper_case:
    case Prim::char_is_lower_case:
    case Prim::digit_value:
    case Prim::string_lt:
    case Prim::make_string:
    case Prim::string_upcase:
    case Prim::string_downcase:
    case Prim::string_foldcase: break;
    }
    return of_constants(s, prim, {args.begin(), args.end()});
}

// Of what has few values, or is known by now, each is taken by itself. An operand in the store is a mistake of the
// author, which the concrete meaning names; so is one that is of the wrong kind whatever its value.
Value Machine::of_constants(State& s, Prim prim, std::vector<Value> operands) {
    for (size_t i = 0; i < operands.size(); ++i) {
        Value& v = operands[i];
        v = resolved(s, forced(s, v));
        if (!v.is_term()) continue;
        const Wanted wanted = wanted_by(prim, i);
        const Sort sort = terms_[v].sort;
        if (sort == wanted.sort || (sort == Sort::integer && wanted.sort == Sort::rational)) continue;
        throw Fault{author_name(prim) + ": " + describe(s, v) + " is not " + wanted.name};
    }
    for (Value& v : operands) {
        v = settled(s, v);
        if (v.is_term()) throw Unsupported(author_name(prim) + " of a symbolic value");
    }
    return concrete_primitive(prim, operands);
}

std::string Machine::concrete_error(std::span<const Value> args) {
    try {
        concrete_primitive(Prim::error, args);
    } catch (const PrimitiveError& e) {
        return e.what();
    }
    return {};
}

Value Machine::of_kind(State& s, Prim prim, Value v) {
    bool yes = false;
    if (v.is_term()) {
        const Sort sort = terms_[v].sort;
        yes = (prim == Prim::is_boolean && sort == Sort::boolean) ||
              (prim == Prim::is_symbol && sort == Sort::symbol) || (prim == Prim::is_string && sort == Sort::string) ||
              ((prim == Prim::is_number || prim == Prim::is_integer) && sort == Sort::integer) ||
              (prim == Prim::is_number && sort == Sort::rational);
    } else if (v.is_address()) {
        const Kind kind = kind_of(s.store.get(v.payload()));
        yes = (prim == Prim::is_vector && kind == Kind::vector) ||
              (prim == Prim::is_bytevector && kind == Kind::bytevector) ||
              (prim == Prim::is_hash_table && kind == Kind::table);
    } else {
        return concrete_primitive(prim, {&v, 1});
    }
    return Value::boolean(yes);
}

} // namespace espalier::sym
