#include "symexec/values/arithmetic.hpp"

#include <bit>

#include "symexec/terms/bounds.hpp"

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0);

Value power_of_two(Heap& heap, int64_t n) { return number::arithmetic_shift(heap, Value::fixnum(1), Value::fixnum(n)); }

} // namespace

Value Arithmetic::compute(State& s, Prim prim, Value a, Value b) {
    a = values_.fresh.resolved(s, a);
    b = values_.fresh.resolved(s, b);
    for (Value v : {a, b}) {
        if (terms_.is_sort(v, Sort::integer) || terms_.is_sort(v, Sort::rational) || number::is_number(v)) continue;
        if (is_type(v, ObjectType::fresh)) {
            if (prim == Prim::num_eq) return a == b ? Value::boolean(true) : values_.equality.condition(s, a, b, false);
            throw Fault{wrong_operand(&program_, author_name(prim), v, "a number")};
        }
        throw Fault{author_name(prim) + ": " + describe(program_, s, v) + " is not a number"};
    }
    if (!a.is_term() && !b.is_term()) {
        const Value args[] = {a, b};
        return context_.compute(prim, args);
    }
    for (Value v : {a, b})
        if (!terms_.is_sort(v, Sort::integer) && !number::is_integer(v))
            return values_.fractions.arithmetic(s, prim, a, b);
    switch (prim) {
    case Prim::add: return terms_.add(a, b);
    case Prim::sub: return terms_.sub(a, b);
    case Prim::mul: return terms_.mul(a, b);
    case Prim::num_eq: return terms_.equal_integers(a, b);
    case Prim::lt: return terms_.less(a, b);
    case Prim::le: return terms_.at_most(a, b);
    case Prim::gt: return terms_.less(b, a);
    case Prim::ge: return terms_.at_most(b, a);
    case Prim::bitwise_and:
    case Prim::bitwise_or:
    case Prim::bitwise_xor:
    case Prim::arithmetic_shift: return bits(s, prim, a, b);
    default: break;
    }
    return divided(s, prim, a, b);
}

// By what is not zero. In this order: the way on is the first successor, the error the second.
Value Arithmetic::divided(State& s, Prim prim, Value a, Value b) {
    if (!decider_.decide(s, terms_.negation(terms_.is_zero(b)))) {
        throw Fault{author_name(prim) + ": division by zero"};
    }
    if (prim == Prim::quotient) return terms_.quotient(a, b);
    if (prim == Prim::remainder) return terms_.sub(a, terms_.mul(b, terms_.quotient(a, b)));
    const Value floor = terms_.floor_quotient(a, b);
    if (prim == Prim::floor_quotient) return floor;
    if (prim == Prim::modulo) return terms_.sub(a, terms_.mul(b, floor));
    return values_.fractions.make(s, a, b);
}

// With a constant mask, by arithmetic; else by a term of its own.
Value Arithmetic::bits(State& s, Prim prim, Value a, Value b) {
    if (prim == Prim::arithmetic_shift) return shifted(s, a, b);
    if (a.is_term() && b.is_term()) {
        // What is known needs no term.
        a = few_.known_value(s, a).value_or(a);
        b = few_.known_value(s, b).value_or(b);
    }
    if (terms_.has_bits(a) || terms_.has_bits(b) || (a.is_term() && b.is_term())) {
        if (const auto result = bits_of_two(s, prim, a, b)) return *result;
        if (a.is_term() && b.is_term()) b = few_.settled(s, b);
        if (a.is_term() && b.is_term()) a = few_.settled(s, a);
        if (a.is_term() && b.is_term())
            throw Unsupported("a bit operation on two symbolic integers, one without bounds and both of more than " +
                              std::to_string(FewValues::most_values) + " values");
    }
    if (!a.is_term() && !b.is_term()) {
        const Value args[] = {a, b};
        return context_.compute(prim, args);
    }
    return a.is_term() ? masked(prim, a, b) : masked(prim, b, a);
}

Value Arithmetic::shifted(State& s, Value a, Value by) {
    Heap& heap = terms_.heap();
    by = few_.settled(s, by);
    if (!a.is_term() && !by.is_term()) {
        const Value args[] = {a, by};
        return context_.compute(Prim::arithmetic_shift, args);
    }
    if (by.is_term() || !by.is_fixnum() || by.as_fixnum() > 4096 || by.as_fixnum() < -4096)
        throw Unsupported("arithmetic-shift by a symbolic or large count");
    const int64_t n = by.as_fixnum();
    return n >= 0 ? terms_.mul(a, power_of_two(heap, n)) : terms_.floor_quotient(a, power_of_two(heap, -n));
}

// Where both are bounded on this path, as the solver needs it, which counts their bits.
std::optional<Value> Arithmetic::bits_of_two(State& s, Prim prim, Value a, Value b) {
    const Op op = prim == Prim::bitwise_and  ? Op::bitwise_and
                  : prim == Prim::bitwise_or ? Op::bitwise_or
                                             : Op::bitwise_xor;
    for (Value* v : {&a, &b}) // an exclusive or with a constant was made a sum
        if (const auto known = masked_.find(v->payload()); v->is_term() && known != masked_.end())
            if (op == Op::bitwise_xor) *v = terms_.bitwise(op, known->second.first, known->second.second);
    const Value result = terms_.bitwise(op, a, b);
    if (result == a || result == b || !terms_.has_bits(result)) return result; // also where one undoes the other
    PathFacts& facts = few_.facts_of(s);
    PathBounds bounds(terms_, few_.said());
    if (!width_of(bounds.of(a)) || !width_of(bounds.of(b))) return std::nullopt;
    const auto parts = terms_.operands(result);
    if (terms_[result].op != op || parts.size() != 2 || parts[0].is_term()) return result;
    const Value mask = parts[0], x = parts[1];
    if (!terms_.has_bits(x)) return masked(prim, x, mask);
    // A mask that leaves all that the other can have.
    const Range range = facts.range(x);
    if (op == Op::bitwise_and && mask.is_fixnum() && range.low && *range.low >= 0 && range.high) {
        const uint64_t all = std::bit_ceil(static_cast<uint64_t>(*range.high) + 1) - 1;
        if ((all & ~static_cast<uint64_t>(mask.as_fixnum())) == 0) return x;
    }
    return result;
}

// x & mask by runs of ones: x & 2^i(2^n − 1) is ⌊x / 2^i⌋ mod 2^n, times 2^i.
Value Arithmetic::ones(Value x, Value m) {
    Heap& heap = terms_.heap();
    Value sum = zero;
    for (int64_t i = 0; m != zero; ++i) {
        if (number::bitwise_and(heap, m, Value::fixnum(1)) == zero) {
            m = number::arithmetic_shift(heap, m, Value::fixnum(-1));
            continue;
        }
        int64_t n = 0;
        for (; number::bitwise_and(heap, m, Value::fixnum(1)) != zero; ++n)
            m = number::arithmetic_shift(heap, m, Value::fixnum(-1));
        const Value shifted = terms_.floor_quotient(x, power_of_two(heap, i));
        const Value modulus = power_of_two(heap, n);
        const Value run = terms_.sub(shifted, terms_.mul(modulus, terms_.floor_quotient(shifted, modulus)));
        sum = terms_.add(sum, terms_.mul(run, power_of_two(heap, i)));
        i += n - 1;
    }
    return sum;
}

// From x & mask the rest follows.
Value Arithmetic::masked(Prim prim, Value x, Value mask) {
    Heap& heap = terms_.heap();
    // x ⊕ m ⊕ n is x ⊕ (m ⊕ n), which the sums below would not show: undoing a mask gives the input back.
    if (const auto known = masked_.find(x.payload()); prim == Prim::bitwise_xor && known != masked_.end()) {
        x = known->second.first;
        mask = terms_.constant(number::bitwise_xor(heap, mask, known->second.second));
    }
    if (prim == Prim::bitwise_xor && mask == zero) return x;
    const bool negative = number::compare(mask, zero, "<") < 0;
    const Value both = negative ? terms_.sub(x, ones(x, number::bitwise_not(heap, mask))) : ones(x, mask);
    if (prim == Prim::bitwise_and) return both;
    const Value sum = terms_.add(x, mask);
    if (prim == Prim::bitwise_or) return terms_.sub(sum, both);
    const Value result = terms_.sub(sum, terms_.mul(both, Value::fixnum(2)));
    if (result.is_term()) masked_.try_emplace(result.payload(), x, terms_.constant(mask));
    return result;
}

std::optional<Value> Arithmetic::square_root(State& s, Value v) {
    if (!decider_.decide(s, terms_.at_most(zero, v)))
        throw Fault{"exact-integer-sqrt: a negative number has no square root"};
    const Value r = values_.inputs.new_natural(s);
    const Value next = terms_.add(r, Value::fixnum(1));
    const Value bounds = terms_.both(terms_.at_most(terms_.mul(r, r), v), terms_.less(v, terms_.mul(next, next)));
    return context_.observer->assume(s, bounds) ? std::optional(r) : std::nullopt;
}

} // namespace espalier::sym
