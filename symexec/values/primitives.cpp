#include "symexec/values/primitives.hpp"

#include <algorithm>

namespace espalier::sym {

namespace {

bool is_plain(Value v) { return !v.is_term() && !v.is_address(); }

} // namespace

std::optional<Value> Primitives::compute(State& s, Prim prim, std::span<const Value> args) {
    // Lists may have symbolic elements.
    const bool is_concrete = info(prim).effect == Effect::pure && std::all_of(args.begin(), args.end(), is_plain) &&
                             prim != Prim::string_concatenate && prim != Prim::list_to_string;
    return is_concrete ? context_.compute(prim, args) : symbolic(s, prim, args);
}

// The switch has no default: a primitive that is declared and has no meaning here does not compile. It is as long as
// the list of primitives.
std::optional<Value> Primitives::symbolic(State& s, Prim prim, std::span<const Value> args) {
    switch (prim) {
    case Prim::cons: return heap_.cons(args[0], args[1]);
    case Prim::values: return heap_.values(args);
    case Prim::display: return Value::unspecified(); // for `run` only

    case Prim::eq:
    case Prim::eqv:
    case Prim::equal:
        if (args[0] == args[1]) return Value::boolean(true);
        return values_.equality.condition(s, args[0], args[1], prim == Prim::equal);
    case Prim::not_: {
        const Value v = values_.decider.truth(s, args[0]);
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
    case Prim::is_integer: return is_of_kind(s, prim, values_.forced(s, args[0]));

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
    case Prim::arithmetic_shift: return of_two_numbers(s, prim, args[0], args[1]);
    case Prim::bitwise_not: return of_two_numbers(s, Prim::sub, Value::fixnum(-1), args[0]);
    case Prim::numerator:
    case Prim::denominator:
    case Prim::floor:
    case Prim::ceiling:
    case Prim::truncate:
    case Prim::round:
    case Prim::isqrt: return of_number(s, prim, args);

    case Prim::car:
    case Prim::cdr: return part_of_pair(s, prim, values_.forced(s, args[0]));
    case Prim::list_to_values: return list_to_values(s, args[0]);
    case Prim::values_ref:
    case Prim::values_to_list: return context_.compute(prim, args); // looks at no element

    case Prim::symbol_to_string:
    case Prim::string_length:
    case Prim::string_eq:
    case Prim::string_concatenate:
    case Prim::list_to_string:
    case Prim::string_append:
    case Prim::string_ref:
    case Prim::substring:
    case Prim::string_to_utf8:
    case Prim::utf8_to_string: return texts_.compute(s, prim, args);

    case Prim::vector:
    case Prim::make_vector:
    case Prim::vector_length:
    case Prim::vector_ref:
    case Prim::vector_set:
    case Prim::make_bytevector:
    case Prim::bytevector_length:
    case Prim::bytevector_ref:
    case Prim::bytevector_set: return sequences_.compute(s, prim, args);

    case Prim::make_hash_table:
    case Prim::hash_table_ref:
    case Prim::hash_table_set:
    case Prim::hash_table_delete:
    case Prim::hash_table_contains:
    case Prim::hash_table_count:
    case Prim::hash_table_keys:
    case Prim::hash_table_values:
    case Prim::hash_table_clear: return tables_.compute(s, prim, args);

    case Prim::make_channel: return make_channel(s);
    case Prim::make_timer: return make_timer(s, false);
    case Prim::make_early_timer: return make_timer(s, true);
    case Prim::error: throw Fault{error_text(args)};

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
    return texts_.of_constants(s, prim, {args.begin(), args.end()});
}

Value Primitives::of_two_numbers(State& s, Prim prim, Value a, Value b) {
    const Value left = values_.forced(s, a);
    return arithmetic_.compute(s, prim, left, values_.forced(s, b));
}

std::optional<Value> Primitives::of_number(State& s, Prim prim, std::span<const Value> args) {
    const Value v = args[0];
    if (prim == Prim::isqrt && terms_.is_sort(v, Sort::integer)) return arithmetic_.square_root(s, v);
    if (prim != Prim::isqrt && terms_.is_sort(v, Sort::integer))
        return prim == Prim::denominator ? Value::fixnum(1) : v;
    if (prim != Prim::isqrt && terms_.is_sort(v, Sort::rational)) return values_.fractions.rounded(s, prim, v);
    return texts_.of_constants(s, prim, {args.begin(), args.end()});
}

Value Primitives::part_of_pair(State& s, Prim prim, Value p) {
    if (is_pair(p)) return prim == Prim::car ? as_pair(p).car : as_pair(p).cdr;
    throw Fault{author_name(prim) + ": " + describe(context_.program, s, p) + " is not a pair"};
}

Value Primitives::list_to_values(State& s, Value list) {
    std::vector<Value> items;
    Value rest = values_.forced(s, list);
    for (; is_pair(rest); rest = values_.forced(s, as_pair(rest).cdr)) items.push_back(as_pair(rest).car);
    if (!rest.is_null()) throw Fault{"values: " + describe(context_.program, s, list) + " is not a list"};
    return heap_.values(items);
}

Value Primitives::make_channel(State& s) {
    const uint32_t a = s.store.allocate(4, Value::null());
    s.store.set(a, header(Kind::channel, index(context_.position.label()))); // where it was made
    s.store.set(a + 3, Value::fixnum(++s.channels));
    return Value::address(a);
}

Value Primitives::make_timer(State& s, bool early) {
    const uint32_t a = s.store.allocate(4, Value::boolean(false));
    s.store.set(a, header(Kind::timer, ++s.timers));
    s.store.set(a + 3, Value::boolean(early));
    return Value::address(a);
}

Value Primitives::is_of_kind(State& s, Prim prim, Value v) {
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
        return context_.compute(prim, {&v, 1});
    }
    return Value::boolean(yes);
}

std::string Primitives::error_text(std::span<const Value> args) {
    try {
        context_.compute(Prim::error, args);
    } catch (const PrimitiveError& e) {
        return e.what();
    }
    return {};
}

} // namespace espalier::sym
