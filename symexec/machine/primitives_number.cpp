// Arithmetic and equality of symbolic values.
#include <bit>
#include <set>
#include <tuple>

#include "symexec/machine/machine.hpp"
#include "symexec/terms/bounds.hpp"

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0);

Value power_of_two(Heap& heap, int64_t n) { return number::arithmetic_shift(heap, Value::fixnum(1), Value::fixnum(n)); }

} // namespace

Value Machine::arithmetic(State& s, Prim prim, Value a, Value b) {
    a = resolved(s, a);
    b = resolved(s, b);
    for (Value v : {a, b}) {
        if (terms_.is_sort(v, Sort::integer) || terms_.is_sort(v, Sort::rational) || number::is_number(v)) continue;
        if (is_type(v, ObjectType::fresh)) {
            if (prim == Prim::num_eq) return equality(s, Prim::eqv, a, b);
            throw Fault{wrong_operand(&program_, author_name(prim), v, "a number")};
        }
        throw Fault{author_name(prim) + ": " + describe(s, v) + " is not a number"};
    }
    if (!a.is_term() && !b.is_term()) {
        const Value args[] = {a, b};
        return concrete_primitive(prim, args);
    }
    for (Value v : {a, b})
        if (!terms_.is_sort(v, Sort::integer) && !number::is_integer(v)) return fraction_arithmetic(s, prim, a, b);
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
    // Division, by what is not zero. In this order: the way on is the first successor, the error the second.
    if (!decide(s, terms_.negation(terms_.is_zero(b)))) {
        throw Fault{author_name(prim) + ": division by zero"};
    }
    if (prim == Prim::quotient) return terms_.quotient(a, b);
    if (prim == Prim::remainder) return terms_.sub(a, terms_.mul(b, terms_.quotient(a, b)));
    const Value floor = terms_.floor_quotient(a, b);
    if (prim == Prim::floor_quotient) return floor;
    if (prim == Prim::modulo) return terms_.sub(a, terms_.mul(b, floor));
    return make_fraction(s, a, b);
}

// With a constant mask, by arithmetic; else by a term of its own.
Value Machine::bits(State& s, Prim prim, Value a, Value b) {
    if (prim == Prim::arithmetic_shift) return shifted(s, a, b);
    if (a.is_term() && b.is_term()) {
        // What is known needs no term.
        a = known_value(s, a).value_or(a);
        b = known_value(s, b).value_or(b);
    }
    if (terms_.has_bits(a) || terms_.has_bits(b) || (a.is_term() && b.is_term())) {
        if (const auto result = bits_of_two(s, prim, a, b)) return *result;
        if (a.is_term() && b.is_term()) b = settled(s, b);
        if (a.is_term() && b.is_term()) a = settled(s, a);
        if (a.is_term() && b.is_term())
            throw Unsupported("a bit operation on two symbolic integers, one without bounds and both of more than " +
                              std::to_string(most_values) + " values");
    }
    if (!a.is_term() && !b.is_term()) {
        const Value args[] = {a, b};
        return concrete_primitive(prim, args);
    }
    return a.is_term() ? masked(prim, a, b) : masked(prim, b, a);
}

Value Machine::shifted(State& s, Value a, Value by) {
    Heap& heap = terms_.heap();
    by = settled(s, by);
    if (!a.is_term() && !by.is_term()) {
        const Value args[] = {a, by};
        return concrete_primitive(Prim::arithmetic_shift, args);
    }
    if (by.is_term() || !by.is_fixnum() || by.as_fixnum() > 4096 || by.as_fixnum() < -4096)
        throw Unsupported("arithmetic-shift by a symbolic or large count");
    const int64_t n = by.as_fixnum();
    return n >= 0 ? terms_.mul(a, power_of_two(heap, n)) : terms_.floor_quotient(a, power_of_two(heap, -n));
}

// Where both are bounded on this path, as the solver needs it, which counts their bits.
std::optional<Value> Machine::bits_of_two(State& s, Prim prim, Value a, Value b) {
    const Op op = prim == Prim::bitwise_and  ? Op::bitwise_and
                  : prim == Prim::bitwise_or ? Op::bitwise_or
                                             : Op::bitwise_xor;
    for (Value* v : {&a, &b}) // an exclusive or with a constant was made a sum
        if (const auto known = masked_.find(v->payload()); v->is_term() && known != masked_.end())
            if (op == Op::bitwise_xor) *v = terms_.bitwise(op, known->second.first, known->second.second);
    const Value result = terms_.bitwise(op, a, b);
    if (result == a || result == b || !terms_.has_bits(result)) return result; // also where one undoes the other
    follow_path(s);
    PathBounds bounds(terms_, said_);
    if (!width_of(bounds.of(a)) || !width_of(bounds.of(b))) return std::nullopt;
    const auto parts = terms_.operands(result);
    if (terms_[result].op != op || parts.size() != 2 || parts[0].is_term()) return result;
    const Value mask = parts[0], x = parts[1];
    if (!terms_.has_bits(x)) return masked(prim, x, mask);
    // A mask that leaves all that the other can have.
    const Range range = facts_.range(x);
    if (op == Op::bitwise_and && mask.is_fixnum() && range.low && *range.low >= 0 && range.high) {
        const uint64_t all = std::bit_ceil(static_cast<uint64_t>(*range.high) + 1) - 1;
        if ((all & ~static_cast<uint64_t>(mask.as_fixnum())) == 0) return x;
    }
    return result;
}

// By runs of ones: x & 2^i(2^n − 1) is ⌊x / 2^i⌋ mod 2^n, times 2^i. The rest follows.
Value Machine::masked(Prim prim, Value x, Value mask) {
    Heap& heap = terms_.heap();
    // x ⊕ m ⊕ n is x ⊕ (m ⊕ n), which the sums below would not show: undoing a mask gives the input back.
    if (const auto known = masked_.find(x.payload()); prim == Prim::bitwise_xor && known != masked_.end()) {
        x = known->second.first;
        mask = terms_.constant(number::bitwise_xor(heap, mask, known->second.second));
    }
    if (prim == Prim::bitwise_xor && mask == zero) return x;
    const auto ones = [&](Value m) {
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
    };
    const bool negative = number::compare(mask, zero, "<") < 0;
    const Value both = negative ? terms_.sub(x, ones(number::bitwise_not(heap, mask))) : ones(mask);
    if (prim == Prim::bitwise_and) return both;
    const Value sum = terms_.add(x, mask);
    if (prim == Prim::bitwise_or) return terms_.sub(sum, both);
    const Value result = terms_.sub(sum, terms_.mul(both, Value::fixnum(2)));
    if (result.is_term()) masked_.try_emplace(result.payload(), x, terms_.constant(mask));
    return result;
}

// ── Equality ──

Value Machine::equality(State& s, Prim prim, Value a, Value b) {
    if (a == b) return Value::boolean(true);
    return equal_condition(s, a, b, prim == Prim::equal);
}

// As a condition. `deep`: equal?, else eqv?. What is nested becomes a task, so depth costs no C++ stack; past a number
// of them those that were met are remembered, as in lang's equal?: parts may be shared, and vectors contain themselves.
Value Machine::equal_condition(State& s, Value a, Value b, bool deep) {
    const auto no = Value::boolean(false);
    constexpr size_t forgetful_tasks = 1000;
    std::vector<std::pair<Value, Value>> tasks{{a, b}};
    std::set<std::pair<uint64_t, uint64_t>> seen;
    std::vector<Value> all;
    for (size_t done = 0; !tasks.empty(); ++done) {
        std::tie(a, b) = tasks.back();
        tasks.pop_back();
        if (a == b) continue;
        a = resolved(s, forced(s, a));
        b = resolved(s, forced(s, b));
        if (a == b) continue;
        if (done > forgetful_tasks && !seen.insert({a.bits(), b.bits()}).second) continue;
        const Value args[] = {a, b};
        Value here = no;
        if (a.is_term() || b.is_term())
            here = equal_term(s, a, b, deep);
        else if (deep && open_both(s, a, b, tasks))
            continue;
        else if (!a.is_address() && !b.is_address())
            here = concrete_primitive(deep ? Prim::equal : Prim::eqv, args);
        if (here == no) return no;
        all.push_back(here);
    }
    return terms_.all_of(all);
}

// One of them, at least, is symbolic.
Value Machine::equal_term(State& s, Value a, Value b, bool deep) {
    if (!a.is_term()) std::swap(a, b);
    if (is_type(b, ObjectType::fresh)) return Value::boolean(compare_with_fresh(s, a, b));
    const auto no = Value::boolean(false);
    const Sort sort = terms_[a].sort;
    if (b.is_term() && terms_[b].sort != sort) return no;
    if (sort == Sort::rational && (b.is_term() || number::is_number(b)))
        return fraction_arithmetic(s, Prim::num_eq, a, b);
    if (sort == Sort::integer && (b.is_term() || number::is_integer(b))) return terms_.equal_integers(a, b);
    if (sort == Sort::boolean && (b.is_term() || b.is_boolean())) return terms_.iff(a, b);
    if (sort == Sort::symbol && (b.is_term() || b.is_symbol())) return terms_.same(a, b);
    if (sort == Sort::string && deep && (b.is_term() || is_type(b, ObjectType::string))) return terms_.same(a, b);
    return no;
}

// Where both have parts and are alike so far, these become tasks, the first of them to be done first.
bool Machine::open_both(const State& s, Value a, Value b, std::vector<std::pair<Value, Value>>& tasks) const {
    if (is_pair(a) && is_pair(b)) {
        tasks.emplace_back(as_pair(a).cdr, as_pair(b).cdr);
        tasks.emplace_back(as_pair(a).car, as_pair(b).car);
        return true;
    }
    if (is_type(a, ObjectType::message) && is_type(b, ObjectType::message)) {
        const Message &m = as_message(a), &n = as_message(b);
        if (m.message != n.message) return false;
        for (uint32_t i = m.count; i-- > 0;) tasks.emplace_back(m.fields[i], n.fields[i]);
        return true;
    }
    for (const Kind kind : {Kind::vector, Kind::bytevector}) {
        const auto x = elements(s, a, kind), y = elements(s, b, kind);
        if (!x || !y) continue;
        if (x->size() != y->size()) return false;
        for (size_t i = x->size(); i-- > 0;) tasks.emplace_back((*x)[i], (*y)[i]);
        return true;
    }
    return false;
}

} // namespace espalier::sym
