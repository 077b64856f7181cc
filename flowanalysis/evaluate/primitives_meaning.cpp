// What each primitive gives on abstract operands. Those that look only at the family of an operand, or
// compute with integers, are exact on what the domain can say; the others give all of their type.
#include <algorithm>

#include "flowanalysis/evaluate/primitives.hpp"

namespace espalier::flow {

// ── Shared ──

ValueId PrimitiveApplication::numbers(Integers set, bool rational) {
    const ValueId whole = domain_.integers(std::move(set));
    return rational ? domain_.join(whole, atoms(atom::rational)) : whole;
}

ValueId PrimitiveApplication::is_one_of() {
    const Families yes = tested_families(prim_);
    const Families has = domain_.families(a());
    return domain_.boolean((has & (yes | family::opaque)) != 0, (has & ~yes) != 0);
}

ValueId PrimitiveApplication::compared(bool structural) {
    Domain& d = domain_;
    const bool opaque = has(0, family::opaque) || has(1, family::opaque);
    const bool may_differ = opaque || !(a() == b() && d.is_constant(a(), structural));
    if (knowledge_.canonical(vars_[0]) == knowledge_.canonical(vars_[1])) return d.boolean(true, opaque);
    return d.boolean(d.equal_to(a(), b(), structural) != bottom && d.equal_to(b(), a(), structural) != bottom,
                     may_differ);
}

// Is the one less than the other by at least the gap?
ValueId PrimitiveApplication::ordered(size_t less, size_t more, int64_t gap) {
    if (has(0, family::rational) || has(1, family::rational)) return truth();
    const Integers &x = ints(less), &y = ints(more);
    const auto below = [gap](int64_t p, int64_t q) { return gap == 0 ? p <= q : p < q; };
    const bool may_hold = x.low() == no_low || y.high() == no_high || below(x.low(), y.high());
    const bool may_fail = x.high() == no_high || y.low() == no_low || !below(x.high(), y.low());
    return domain_.boolean(may_hold, may_fail);
}

ValueId PrimitiveApplication::rounded() { return numbers(has(0, family::rational) ? Integers::all() : ints(0), false); }

// A new list of any length.
ValueId PrimitiveApplication::list_of(ValueId element) {
    if (element == bottom) return atoms(atom::null);
    const ObjectId pair = make(family::pair, 0, 2);
    const ValueId list = domain_.join(atoms(atom::null), domain_.object(pair));
    memory_.grow(memory_.cell(pair, 0), element);
    memory_.grow(memory_.cell(pair, 1), list);
    return list;
}

// ── Identity and type ──

ValueId PrimitiveApplication::eq() { return compared(false); }
ValueId PrimitiveApplication::eqv() { return compared(false); }
ValueId PrimitiveApplication::equal() { return compared(true); }
ValueId PrimitiveApplication::not_() {
    return domain_.boolean(domain_.falsy(a()) != bottom, domain_.truthy(a()) != bottom);
}
ValueId PrimitiveApplication::is_boolean() { return is_one_of(); }
ValueId PrimitiveApplication::is_symbol() { return is_one_of(); }
ValueId PrimitiveApplication::is_char() { return is_one_of(); }
ValueId PrimitiveApplication::is_string() { return is_one_of(); }
ValueId PrimitiveApplication::is_pair() { return is_one_of(); }
ValueId PrimitiveApplication::is_null() { return is_one_of(); }
ValueId PrimitiveApplication::is_vector() { return is_one_of(); }
ValueId PrimitiveApplication::is_bytevector() { return is_one_of(); }
ValueId PrimitiveApplication::is_procedure() { return is_one_of(); }
ValueId PrimitiveApplication::is_hash_table() { return is_one_of(); }
ValueId PrimitiveApplication::is_number() { return is_one_of(); }
ValueId PrimitiveApplication::is_integer() { return is_one_of(); }

// ── Numbers ──

// Two numbers that are not integers may add up to one.
ValueId PrimitiveApplication::add() {
    const bool both = has(0, family::rational) && has(1, family::rational);
    return numbers(both ? Integers::all() : flow::add(ints(0), ints(1)),
                   has(0, family::rational) || has(1, family::rational));
}
ValueId PrimitiveApplication::sub() {
    const bool both = has(0, family::rational) && has(1, family::rational);
    return numbers(both ? Integers::all() : subtract(ints(0), ints(1)),
                   has(0, family::rational) || has(1, family::rational));
}
ValueId PrimitiveApplication::mul() {
    const bool rational = has(0, family::rational) || has(1, family::rational);
    return numbers(rational ? Integers::all() : multiply(ints(0), ints(1)), rational);
}
ValueId PrimitiveApplication::div() { return numbers(Integers::all(), true); }
ValueId PrimitiveApplication::num_eq() { return compared(false); }
ValueId PrimitiveApplication::lt() { return ordered(0, 1, 1); }
ValueId PrimitiveApplication::le() { return ordered(0, 1, 0); }
ValueId PrimitiveApplication::gt() { return ordered(1, 0, 1); }
ValueId PrimitiveApplication::ge() { return ordered(1, 0, 0); }
ValueId PrimitiveApplication::quotient() {
    if (ints(1).low() < 1) return all_integers();
    return domain_.integers(Integers::range(std::min<int64_t>(ints(0).low(), 0), std::max<int64_t>(ints(0).high(), 0)));
}
ValueId PrimitiveApplication::remainder() {
    const int64_t most = ints(1).low() < 1 || ints(1).high() == no_high ? no_high : ints(1).high() - 1;
    return domain_.integers(Integers::range(ints(0).low() >= 0 ? 0
                                            : most == no_high  ? no_low
                                                               : -most,
                                            ints(0).high() <= 0 ? 0 : most));
}
ValueId PrimitiveApplication::modulo() {
    if (ints(1).low() < 1) return all_integers();
    return domain_.integers(Integers::range(0, ints(1).high() == no_high ? no_high : ints(1).high() - 1));
}
ValueId PrimitiveApplication::floor_quotient() { return quotient(); }
ValueId PrimitiveApplication::numerator() { return rounded(); }
ValueId PrimitiveApplication::denominator() {
    return has(0, family::rational) ? domain_.integers(Integers::range(1, no_high)) : domain_.integer(1);
}
ValueId PrimitiveApplication::floor() { return rounded(); }
ValueId PrimitiveApplication::ceiling() { return rounded(); }
ValueId PrimitiveApplication::truncate() { return rounded(); }
ValueId PrimitiveApplication::round() { return rounded(); }
ValueId PrimitiveApplication::isqrt() { return naturals(); }
ValueId PrimitiveApplication::bitwise_and() {
    // With a mask that is not negative, the result lies between 0 and the mask.
    int64_t most = no_low;
    for (size_t i = 0; i < 2; ++i)
        if (ints(i).low() >= 0) most = most == no_low ? ints(i).high() : std::min(most, ints(i).high());
    return most == no_low ? all_integers() : domain_.integers(Integers::range(0, most));
}
ValueId PrimitiveApplication::bitwise_or() {
    return ints(0).low() >= 0 && ints(1).low() >= 0 ? naturals() : all_integers();
}
ValueId PrimitiveApplication::bitwise_xor() { return bitwise_or(); }
ValueId PrimitiveApplication::bitwise_not() { return domain_.integers(subtract(Integers::one(-1), ints(0))); }
ValueId PrimitiveApplication::arithmetic_shift() { return ints(0).low() >= 0 ? naturals() : all_integers(); }
ValueId PrimitiveApplication::number_to_string() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_to_number() {
    return domain_.join(numbers(Integers::all(), true), atoms(atom::falsity));
}

// ── Pairs; car and cdr are reads of a field ──

ValueId PrimitiveApplication::cons() {
    const ObjectId pair = make(family::pair, 0, 2);
    memory_.grow(memory_.cell(pair, 0), a());
    memory_.grow(memory_.cell(pair, 1), b());
    return domain_.object(pair);
}
ValueId PrimitiveApplication::car() { return content(a(), family::pair, 0); }
ValueId PrimitiveApplication::cdr() { return content(a(), family::pair, 1); }

// ── Symbols, characters, strings ──

ValueId PrimitiveApplication::symbol_to_string() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_to_symbol() { return atoms(atom::any_symbol); }
ValueId PrimitiveApplication::char_to_integer() { return domain_.integers(Integers::range(0, 0x10ffff)); }
ValueId PrimitiveApplication::integer_to_char() { return atoms(atom::any_character); }
ValueId PrimitiveApplication::char_upcase() { return atoms(atom::any_character); }
ValueId PrimitiveApplication::char_downcase() { return atoms(atom::any_character); }
ValueId PrimitiveApplication::char_is_alphabetic() { return truth(); }
ValueId PrimitiveApplication::char_is_numeric() { return truth(); }
ValueId PrimitiveApplication::char_is_whitespace() { return truth(); }
ValueId PrimitiveApplication::char_is_upper_case() { return truth(); }
ValueId PrimitiveApplication::char_is_lower_case() { return truth(); }
ValueId PrimitiveApplication::digit_value() {
    return domain_.join(domain_.integers(Integers::range(0, 9)), atoms(atom::falsity));
}
ValueId PrimitiveApplication::string_length() { return naturals(); }
ValueId PrimitiveApplication::string_ref() { return atoms(atom::any_character); }
ValueId PrimitiveApplication::substring() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_append() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_concatenate() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_eq() { return compared(true); }
ValueId PrimitiveApplication::string_lt() { return truth(); }
ValueId PrimitiveApplication::make_string() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::list_to_string() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_upcase() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_downcase() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_foldcase() { return atoms(atom::any_string); }
ValueId PrimitiveApplication::string_to_utf8() { return domain_.object(make(family::bytevector, 0, 0)); }
ValueId PrimitiveApplication::utf8_to_string() { return atoms(atom::any_string); }

// ── Vectors and bytevectors: one cell for all elements ──

ValueId PrimitiveApplication::vector() {
    const ValueId vector = domain_.object(make(family::vector, 0, 1));
    for (ValueId v : args_) store(vector, family::vector, 0, v);
    return vector;
}
ValueId PrimitiveApplication::make_vector() {
    const ValueId vector = domain_.object(make(family::vector, 0, 1));
    store(vector, family::vector, 0, b());
    return vector;
}
ValueId PrimitiveApplication::vector_length() { return naturals(); }
ValueId PrimitiveApplication::vector_ref() { return content(a(), family::vector, 0); }
ValueId PrimitiveApplication::vector_set() {
    store(a(), family::vector, 0, args_[2]);
    return atoms(atom::unspecified);
}
ValueId PrimitiveApplication::make_bytevector() { return domain_.object(make(family::bytevector, 0, 0)); }
ValueId PrimitiveApplication::bytevector_length() { return naturals(); }
ValueId PrimitiveApplication::bytevector_ref() { return domain_.integers(Integers::range(0, 255)); }
ValueId PrimitiveApplication::bytevector_set() { return atoms(atom::unspecified); }

// ── Hash tables: a cell for all keys, and one for all values ──

ValueId PrimitiveApplication::make_hash_table() { return domain_.object(make(family::table, 0, 2)); }
ValueId PrimitiveApplication::hash_table_ref() { return domain_.join(content(a(), family::table, 1), args_[2]); }
ValueId PrimitiveApplication::hash_table_set() {
    store(a(), family::table, 0, b());
    store(a(), family::table, 1, args_[2]);
    return atoms(atom::unspecified);
}
ValueId PrimitiveApplication::hash_table_delete() { return atoms(atom::unspecified); }
ValueId PrimitiveApplication::hash_table_contains() {
    const ValueId keys = content(a(), family::table, 0);
    return domain_.boolean(domain_.equal_to(b(), keys, true) != bottom, true);
}
ValueId PrimitiveApplication::hash_table_count() {
    return content(a(), family::table, 0) == bottom ? domain_.integer(0) : naturals();
}
ValueId PrimitiveApplication::hash_table_keys() { return list_of(content(a(), family::table, 0)); }
ValueId PrimitiveApplication::hash_table_values() { return list_of(content(a(), family::table, 1)); }
ValueId PrimitiveApplication::hash_table_clear() { return atoms(atom::unspecified); }

// ── Multiple values: as many cells as there are values; what came from a list of unknown length has one for
// all ──

ValueId PrimitiveApplication::values() {
    if (args_.size() == 1) return a();
    const auto count = static_cast<uint32_t>(args_.size());
    const ObjectId all = make(family::values, count, count);
    for (uint32_t i = 0; i < count; ++i) memory_.grow(memory_.cell(all, i), args_[i]);
    return domain_.object(all);
}
ValueId PrimitiveApplication::values_ref() {
    ValueId result = bottom;
    const int64_t at = ints(1).low(), count = ints(2).low();
    for (ObjectId o : domain_.objects(a(), family::values)) {
        const uint32_t cells = domain_[o].cell_count;
        const bool any_number = domain_[o].which == UINT32_MAX;
        if (count == 0 && (any_number || cells == 0))
            result = atoms(atom::unspecified);
        else if (any_number || cells == count)
            result = domain_.join(result, memory_.read(memory_.cell(o, any_number ? 0 : static_cast<uint32_t>(at))));
    }
    return count == 1 ? domain_.join(result, domain_.drop(a(), family::values)) : result;
}
ValueId PrimitiveApplication::values_to_list() {
    ValueId element = domain_.drop(a(), family::values);
    for (ObjectId o : domain_.objects(a(), family::values))
        for (uint32_t i = 0; i < domain_[o].cell_count; ++i)
            element = domain_.join(element, memory_.read(memory_.cell(o, i)));
    return list_of(element);
}
ValueId PrimitiveApplication::list_to_values() {
    const ObjectId all = make(family::values, UINT32_MAX, 1);
    Spread list;
    arguments_.spread_list(a(), list);
    ValueId result = domain_.object(all);
    ValueId element = list.more;
    for (ValueId v : list.elements) element = domain_.join(element, v);
    if (list.may_end_after(1)) result = domain_.join(result, list.elements.empty() ? list.more : list.elements[0]);
    memory_.grow(memory_.cell(all, 0), element);
    return result;
}

// ── Channels, timers, and the end ──

ValueId PrimitiveApplication::make_channel() { return domain_.object(make(family::channel, 0, 1)); }
ValueId PrimitiveApplication::make_timer() { return domain_.object(make(family::timer, 0, 1)); }
ValueId PrimitiveApplication::make_early_timer() { return domain_.object(make(family::timer, 0, 1)); }
ValueId PrimitiveApplication::display() { return atoms(atom::unspecified); }
ValueId PrimitiveApplication::error() { return bottom; }

} // namespace espalier::flow
