#include "symexec/values/fractions.hpp"

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0), one = Value::fixnum(1);

} // namespace

std::pair<Value, Value> as_fraction(Terms& terms, Value v) {
    if (terms.is_sort(v, Sort::rational)) {
        const auto parts = terms.operands(v);
        return {parts[0], parts[1]};
    }
    if (v.is_term() || number::is_integer(v)) return {v, one};
    Heap& heap = terms.heap();
    return {number::numerator_of(heap, v), number::denominator_of(heap, v)};
}

Value Fractions::make(State& s, Value n, Value d) {
    if (!n.is_term() && !d.is_term()) return number::div(terms_.heap(), n, d);
    const bool positive = d.is_term() ? decider_.decide(s, terms_.less(zero, d)) : number::compare(d, zero, ">") > 0;
    if (!positive) {
        n = terms_.sub(zero, n);
        d = terms_.sub(zero, d);
    }
    if (d == one) return n;
    const Value whole = terms_.floor_quotient(n, d);
    if (decider_.decide(s, terms_.equal_integers(terms_.mul(d, whole), n))) return whole;
    return terms_.fraction(n, d);
}

Value Fractions::arithmetic(State& s, Prim prim, Value a, Value b) {
    const auto [n, d] = as_fraction(terms_, a);
    const auto [m, e] = as_fraction(terms_, b);
    const Value left = terms_.mul(n, e), right = terms_.mul(m, d); // over d·e, which is positive
    switch (prim) {
    case Prim::add: return make(s, terms_.add(left, right), terms_.mul(d, e));
    case Prim::sub: return make(s, terms_.sub(left, right), terms_.mul(d, e));
    case Prim::mul: return make(s, terms_.mul(n, m), terms_.mul(d, e));
    case Prim::div:
        if (!decider_.decide(s, terms_.negation(terms_.is_zero(m)))) throw Fault{"/: division by zero"};
        return make(s, left, right);
    case Prim::num_eq: return terms_.equal_integers(left, right);
    case Prim::lt: return terms_.less(left, right);
    case Prim::le: return terms_.at_most(left, right);
    case Prim::gt: return terms_.less(right, left);
    case Prim::ge: return terms_.at_most(right, left);
    default: break;
    }
    throw Fault{author_name(prim) + ": " + describe(program_, s, terms_.is_sort(a, Sort::rational) ? a : b) +
                " is not an integer"};
}

Value Fractions::rounded(State& s, Prim prim, Value v) {
    const auto [n, d] = as_fraction(terms_, v);
    const Value floor = terms_.floor_quotient(n, d), ceiling = terms_.add(floor, one);
    switch (prim) {
    case Prim::floor: return floor;
    case Prim::ceiling: return ceiling;
    case Prim::truncate: return terms_.quotient(n, d);
    case Prim::round: {
        const Value twice = terms_.mul(Value::fixnum(2), terms_.sub(n, terms_.mul(d, floor))); // of what is above floor
        if (decider_.decide(s, terms_.less(twice, d))) return floor;
        if (decider_.decide(s, terms_.less(d, twice))) return ceiling;
        const Value half = terms_.floor_quotient(floor, Value::fixnum(2)); // a half goes to the even neighbour
        return decider_.decide(s, terms_.equal_integers(terms_.mul(half, Value::fixnum(2)), floor)) ? floor : ceiling;
    }
    default: break;
    }
    return in_lowest_terms(s, prim, n, d);
}

// The numerator or the denominator, divided by the greatest divisor of d that divides n too.
Value Fractions::in_lowest_terms(State& s, Prim prim, Value n, Value d) {
    constexpr int64_t most = 10'000;
    d = few_.settled(s, d);
    if (!d.is_fixnum() || d.as_fixnum() > most)
        throw Unsupported(author_name(prim) + " of a fraction with a symbolic or large denominator");
    int64_t common = 1;
    for (int64_t g = d.as_fixnum(); g > 1 && common == 1; --g) {
        if (d.as_fixnum() % g != 0) continue;
        const Value k = Value::fixnum(g);
        if (decider_.decide(s, terms_.equal_integers(terms_.mul(k, terms_.floor_quotient(n, k)), n))) common = g;
    }
    if (prim == Prim::denominator) return Value::fixnum(d.as_fixnum() / common);
    return terms_.floor_quotient(n, Value::fixnum(common));
}

} // namespace espalier::sym
