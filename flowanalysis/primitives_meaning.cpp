// What each primitive gives on abstract operands. Those that look only at the family of an operand, or
// compute with integers, are exact on what the domain can say; the others give all of their type.
#include <algorithm>

#include "flowanalysis/primitives.hpp"

namespace espalier::flow {

// ── Shared ──

ValueId Primitives::numbers(Integers set, bool rational) {
    const ValueId whole = m_.domain_.integers(std::move(set));
    return rational ? m_.domain_.join(whole, atoms(atom::rational)) : whole;
}

ValueId Primitives::is_one_of() {
    const Families yes = tested_families(o_.prim);
    const Families has = m_.domain_.families(a());
    return m_.domain_.boolean((has & (yes | family::opaque)) != 0, (has & ~yes) != 0);
}

ValueId Primitives::compared(bool structural) {
    Domain& d = m_.domain_;
    const bool opaque = has(0, family::opaque) || has(1, family::opaque);
    const bool may_differ = opaque || !(a() == b() && d.is_constant(a(), structural));
    if (m_.canonical(m_.facts_, vars_[0]) == m_.canonical(m_.facts_, vars_[1])) return d.boolean(true, opaque);
    return d.boolean(d.equal_to(a(), b(), structural) != bottom && d.equal_to(b(), a(), structural) != bottom,
                     may_differ);
}

// Is the one less than the other by at least the gap?
ValueId Primitives::ordered(size_t less, size_t more, int64_t gap) {
    if (has(0, family::rational) || has(1, family::rational)) return truth();
    const Integers &x = ints(less), &y = ints(more);
    const auto below = [gap](int64_t p, int64_t q) { return gap == 0 ? p <= q : p < q; };
    const bool may_hold = x.low() == no_low || y.high() == no_high || below(x.low(), y.high());
    const bool may_fail = x.high() == no_high || y.low() == no_low || !below(x.high(), y.low());
    return m_.domain_.boolean(may_hold, may_fail);
}

ValueId Primitives::rounded() { return numbers(has(0, family::rational) ? Integers::all() : ints(0), false); }

ValueId Primitives::content(ValueId objects, Families kind, uint32_t field) {
    Union result(m_.domain_);
    m_.each_object(objects, kind, [&](ObjectId o) { result.add(m_.read(m_.cell(o, field))); });
    return result.value();
}

void Primitives::store(ValueId objects, Families kind, uint32_t field, ValueId v) {
    m_.each_object(objects, kind, [&](ObjectId o) { m_.grow(m_.cell(o, field), v); });
}

// A new list of any length.
ValueId Primitives::list_of(ValueId element) {
    if (element == bottom) return atoms(atom::null);
    const ObjectId pair = make(family::pair, 0, 2);
    const ValueId list = m_.domain_.join(atoms(atom::null), m_.domain_.object(pair));
    m_.grow(m_.cell(pair, 0), element);
    m_.grow(m_.cell(pair, 1), list);
    return list;
}

// ── Identity and type ──

ValueId Primitives::eq() { return compared(false); }
ValueId Primitives::eqv() { return compared(false); }
ValueId Primitives::equal() { return compared(true); }
ValueId Primitives::not_() {
    return m_.domain_.boolean(m_.domain_.falsy(a()) != bottom, m_.domain_.truthy(a()) != bottom);
}
ValueId Primitives::is_boolean() { return is_one_of(); }
ValueId Primitives::is_symbol() { return is_one_of(); }
ValueId Primitives::is_char() { return is_one_of(); }
ValueId Primitives::is_string() { return is_one_of(); }
ValueId Primitives::is_pair() { return is_one_of(); }
ValueId Primitives::is_null() { return is_one_of(); }
ValueId Primitives::is_vector() { return is_one_of(); }
ValueId Primitives::is_bytevector() { return is_one_of(); }
ValueId Primitives::is_procedure() { return is_one_of(); }
ValueId Primitives::is_hash_table() { return is_one_of(); }
ValueId Primitives::is_number() { return is_one_of(); }
ValueId Primitives::is_integer() { return is_one_of(); }

// ── Numbers ──

// Two numbers that are not integers may add up to one.
ValueId Primitives::add() {
    const bool both = has(0, family::rational) && has(1, family::rational);
    return numbers(both ? Integers::all() : flow::add(ints(0), ints(1)),
                   has(0, family::rational) || has(1, family::rational));
}
ValueId Primitives::sub() {
    const bool both = has(0, family::rational) && has(1, family::rational);
    return numbers(both ? Integers::all() : subtract(ints(0), ints(1)),
                   has(0, family::rational) || has(1, family::rational));
}
ValueId Primitives::mul() {
    const bool rational = has(0, family::rational) || has(1, family::rational);
    return numbers(rational ? Integers::all() : multiply(ints(0), ints(1)), rational);
}
ValueId Primitives::div() { return numbers(Integers::all(), true); }
ValueId Primitives::num_eq() { return compared(false); }
ValueId Primitives::lt() { return ordered(0, 1, 1); }
ValueId Primitives::le() { return ordered(0, 1, 0); }
ValueId Primitives::gt() { return ordered(1, 0, 1); }
ValueId Primitives::ge() { return ordered(1, 0, 0); }
ValueId Primitives::quotient() {
    if (ints(1).low() < 1) return all_integers();
    return m_.domain_.integers(
        Integers::range(std::min<int64_t>(ints(0).low(), 0), std::max<int64_t>(ints(0).high(), 0)));
}
ValueId Primitives::remainder() {
    const int64_t most = ints(1).low() < 1 || ints(1).high() == no_high ? no_high : ints(1).high() - 1;
    return m_.domain_.integers(Integers::range(ints(0).low() >= 0 ? 0
                                               : most == no_high  ? no_low
                                                                  : -most,
                                               ints(0).high() <= 0 ? 0 : most));
}
ValueId Primitives::modulo() {
    if (ints(1).low() < 1) return all_integers();
    return m_.domain_.integers(Integers::range(0, ints(1).high() == no_high ? no_high : ints(1).high() - 1));
}
ValueId Primitives::floor_quotient() { return quotient(); }
ValueId Primitives::numerator() { return rounded(); }
ValueId Primitives::denominator() {
    return has(0, family::rational) ? m_.domain_.integers(Integers::range(1, no_high)) : m_.domain_.integer(1);
}
ValueId Primitives::floor() { return rounded(); }
ValueId Primitives::ceiling() { return rounded(); }
ValueId Primitives::truncate() { return rounded(); }
ValueId Primitives::round() { return rounded(); }
ValueId Primitives::isqrt() { return naturals(); }
ValueId Primitives::bitwise_and() {
    // With a mask that is not negative, the result lies between 0 and the mask.
    int64_t most = no_low;
    for (size_t i = 0; i < 2; ++i)
        if (ints(i).low() >= 0) most = most == no_low ? ints(i).high() : std::min(most, ints(i).high());
    return most == no_low ? all_integers() : m_.domain_.integers(Integers::range(0, most));
}
ValueId Primitives::bitwise_or() { return ints(0).low() >= 0 && ints(1).low() >= 0 ? naturals() : all_integers(); }
ValueId Primitives::bitwise_xor() { return bitwise_or(); }
ValueId Primitives::bitwise_not() { return m_.domain_.integers(subtract(Integers::one(-1), ints(0))); }
ValueId Primitives::arithmetic_shift() { return ints(0).low() >= 0 ? naturals() : all_integers(); }
ValueId Primitives::number_to_string() { return atoms(atom::any_string); }
ValueId Primitives::string_to_number() { return m_.domain_.join(numbers(Integers::all(), true), atoms(atom::falsity)); }

// ── Pairs; car and cdr are reads of a field ──

ValueId Primitives::cons() {
    const ObjectId pair = make(family::pair, 0, 2);
    m_.grow(m_.cell(pair, 0), a());
    m_.grow(m_.cell(pair, 1), b());
    return m_.domain_.object(pair);
}
ValueId Primitives::car() { return content(a(), family::pair, 0); }
ValueId Primitives::cdr() { return content(a(), family::pair, 1); }

// ── Symbols, characters, strings ──

ValueId Primitives::symbol_to_string() { return atoms(atom::any_string); }
ValueId Primitives::string_to_symbol() { return atoms(atom::any_symbol); }
ValueId Primitives::char_to_integer() { return m_.domain_.integers(Integers::range(0, 0x10ffff)); }
ValueId Primitives::integer_to_char() { return atoms(atom::any_character); }
ValueId Primitives::char_upcase() { return atoms(atom::any_character); }
ValueId Primitives::char_downcase() { return atoms(atom::any_character); }
ValueId Primitives::char_is_alphabetic() { return truth(); }
ValueId Primitives::char_is_numeric() { return truth(); }
ValueId Primitives::char_is_whitespace() { return truth(); }
ValueId Primitives::char_is_upper_case() { return truth(); }
ValueId Primitives::char_is_lower_case() { return truth(); }
ValueId Primitives::digit_value() {
    return m_.domain_.join(m_.domain_.integers(Integers::range(0, 9)), atoms(atom::falsity));
}
ValueId Primitives::string_length() { return naturals(); }
ValueId Primitives::string_ref() { return atoms(atom::any_character); }
ValueId Primitives::substring() { return atoms(atom::any_string); }
ValueId Primitives::string_append() { return atoms(atom::any_string); }
ValueId Primitives::string_concatenate() { return atoms(atom::any_string); }
ValueId Primitives::string_eq() { return compared(true); }
ValueId Primitives::string_lt() { return truth(); }
ValueId Primitives::make_string() { return atoms(atom::any_string); }
ValueId Primitives::list_to_string() { return atoms(atom::any_string); }
ValueId Primitives::string_upcase() { return atoms(atom::any_string); }
ValueId Primitives::string_downcase() { return atoms(atom::any_string); }
ValueId Primitives::string_foldcase() { return atoms(atom::any_string); }
ValueId Primitives::string_to_utf8() { return m_.domain_.object(make(family::bytevector, 0, 0)); }
ValueId Primitives::utf8_to_string() { return atoms(atom::any_string); }

// ── Vectors and bytevectors: one cell for all elements ──

ValueId Primitives::vector() {
    const ValueId vector = m_.domain_.object(make(family::vector, 0, 1));
    for (ValueId v : args_) store(vector, family::vector, 0, v);
    return vector;
}
ValueId Primitives::make_vector() {
    const ValueId vector = m_.domain_.object(make(family::vector, 0, 1));
    store(vector, family::vector, 0, b());
    return vector;
}
ValueId Primitives::vector_length() { return naturals(); }
ValueId Primitives::vector_ref() { return content(a(), family::vector, 0); }
ValueId Primitives::vector_set() {
    store(a(), family::vector, 0, args_[2]);
    return atoms(atom::unspecified);
}
ValueId Primitives::make_bytevector() { return m_.domain_.object(make(family::bytevector, 0, 0)); }
ValueId Primitives::bytevector_length() { return naturals(); }
ValueId Primitives::bytevector_ref() { return m_.domain_.integers(Integers::range(0, 255)); }
ValueId Primitives::bytevector_set() { return atoms(atom::unspecified); }

// ── Hash tables: a cell for all keys, and one for all values ──

ValueId Primitives::make_hash_table() { return m_.domain_.object(make(family::table, 0, 2)); }
ValueId Primitives::hash_table_ref() { return m_.domain_.join(content(a(), family::table, 1), args_[2]); }
ValueId Primitives::hash_table_set() {
    store(a(), family::table, 0, b());
    store(a(), family::table, 1, args_[2]);
    return atoms(atom::unspecified);
}
ValueId Primitives::hash_table_delete() { return atoms(atom::unspecified); }
ValueId Primitives::hash_table_contains() {
    const ValueId keys = content(a(), family::table, 0);
    return m_.domain_.boolean(m_.domain_.equal_to(b(), keys, true) != bottom, true);
}
ValueId Primitives::hash_table_count() {
    return content(a(), family::table, 0) == bottom ? m_.domain_.integer(0) : naturals();
}
ValueId Primitives::hash_table_keys() { return list_of(content(a(), family::table, 0)); }
ValueId Primitives::hash_table_values() { return list_of(content(a(), family::table, 1)); }
ValueId Primitives::hash_table_clear() { return atoms(atom::unspecified); }

// ── Multiple values: as many cells as there are values; what came from a list of unknown length has one for
// all ──

ValueId Primitives::values() {
    if (args_.size() == 1) return a();
    const auto count = static_cast<uint32_t>(args_.size());
    const ObjectId all = make(family::values, count, count);
    for (uint32_t i = 0; i < count; ++i) m_.grow(m_.cell(all, i), args_[i]);
    return m_.domain_.object(all);
}
ValueId Primitives::values_ref() {
    ValueId result = bottom;
    const int64_t at = ints(1).low(), count = ints(2).low();
    m_.each_object(a(), family::values, [&](ObjectId o) {
        const uint32_t cells = m_.domain_[o].cell_count;
        const bool any_number = m_.domain_[o].which == UINT32_MAX;
        if (count == 0 && (any_number || cells == 0))
            result = atoms(atom::unspecified);
        else if (any_number || cells == count)
            result = m_.domain_.join(result, m_.read(m_.cell(o, any_number ? 0 : static_cast<uint32_t>(at))));
    });
    return count == 1 ? m_.domain_.join(result, m_.domain_.drop(a(), family::values)) : result;
}
ValueId Primitives::values_to_list() {
    ValueId element = m_.domain_.drop(a(), family::values);
    m_.each_object(a(), family::values, [&](ObjectId o) {
        for (uint32_t i = 0; i < m_.domain_[o].cell_count; ++i)
            element = m_.domain_.join(element, m_.read(m_.cell(o, i)));
    });
    return list_of(element);
}
ValueId Primitives::list_to_values() {
    const ObjectId all = make(family::values, UINT32_MAX, 1);
    Machine::Spread list;
    m_.spread_list(a(), list);
    ValueId result = m_.domain_.object(all);
    ValueId element = list.more;
    for (ValueId v : list.elements) element = m_.domain_.join(element, v);
    if (list.may_end_after(1)) result = m_.domain_.join(result, list.elements.empty() ? list.more : list.elements[0]);
    m_.grow(m_.cell(all, 0), element);
    return result;
}

// ── Channels, timers, and the end ──

ValueId Primitives::make_channel() { return m_.domain_.object(make(family::channel, 0, 1)); }
ValueId Primitives::make_timer() { return m_.domain_.object(make(family::timer, 0, 1)); }
ValueId Primitives::make_early_timer() { return m_.domain_.object(make(family::timer, 0, 1)); }
ValueId Primitives::display() { return atoms(atom::unspecified); }
ValueId Primitives::error() { return bottom; }

} // namespace espalier::flow
