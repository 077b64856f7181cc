#include "symexec/terms/bounds.hpp"

#include <algorithm>
#include <bit>

namespace espalier::sym {

namespace {

constexpr Value zero = Value::fixnum(0), one = Value::fixnum(1);
constexpr int most_rounds = 4; // bounds that follow from others

bool is_less(Value a, Value b) { return number::compare(a, b, "<") < 0; }
bool is_negative(Value v) { return is_less(v, zero); }

} // namespace

size_t width_of(Value v) {
    if (!v.is_fixnum()) return number::bits(v);
    const int64_t n = v.as_fixnum();
    return static_cast<size_t>(std::bit_width(static_cast<uint64_t>(n < 0 ? -n : n)));
}

std::optional<size_t> width_of(const Bounds& b) {
    if (!b.are_both()) return std::nullopt;
    const size_t width = std::max(width_of(*b.low), width_of(*b.high));
    return width <= widest ? std::optional(width) : std::nullopt;
}

PathBounds::PathBounds(Terms& terms, std::span<const Value> conditions) : terms_(terms) {
    for (int round = 0; round < most_rounds; ++round) {
        has_grown_ = false;
        known_.clear();
        for (Value c : conditions) read(c);
        if (!has_grown_) break;
    }
    known_.clear();
}

void PathBounds::narrow(Value variable, const Bounds& to) {
    variables_[variable.payload()] = to;
    known_.clear();
}

void PathBounds::read(Value condition) {
    std::vector<Value> pending{condition};
    while (!pending.empty()) {
        const Value c = pending.back();
        pending.pop_back();
        if (!c.is_term()) continue;
        const auto parts = terms_.operands(c);
        const Op op = terms_[c].op;
        if (op == Op::conjunction) pending.insert(pending.end(), parts.begin(), parts.end());
        if (op != Op::at_most_zero && op != Op::is_zero) continue;
        const Value sum = parts[0];
        read_sum(sum, false);
        if (op == Op::is_zero) read_sum(sum, true);
    }
}

// That the sum, or its opposite, is at most zero: what of that is said of each variable in it.
void PathBounds::read_sum(Value v, bool is_negated) {
    Heap& heap = terms_.heap();
    const auto signed_value = [&](Value k) { return is_negated ? number::sub(heap, zero, k) : k; };
    if (terms_[v].op == Op::variable) return bound(v, signed_value(one), zero);
    if (terms_[v].op != Op::sum) return;
    const std::vector<Value> parts(terms_.operands(v).begin(), terms_.operands(v).end());
    std::vector<std::optional<Value>> lows; // of each summand
    size_t missing = 0;
    Value all = signed_value(parts[0]);
    for (size_t i = 1; i < parts.size(); i += 2) {
        lows.push_back(scaled(of(parts[i + 1]), signed_value(parts[i])).low);
        if (lows.back())
            all = number::add(heap, all, *lows.back());
        else
            ++missing;
    }
    for (size_t i = 1; i < parts.size(); i += 2) {
        const auto& own = lows[i / 2];
        if (terms_[parts[i + 1]].op != Op::variable || missing > (own ? 0 : 1)) continue;
        bound(parts[i + 1], signed_value(parts[i]), own ? number::sub(heap, all, *own) : all);
    }
}

// factor · variable + rest ≤ 0
void PathBounds::bound(Value variable, Value factor, Value rest) {
    Heap& heap = terms_.heap();
    Bounds& b = variables_[variable.payload()];
    if (is_negative(factor)) { // at least rest / −factor, rounded up
        const Value low = number::sub(heap, zero, number::floor_quotient(heap, rest, factor));
        has_grown_ = has_grown_ || !b.low;
        if (!b.low || is_less(*b.low, low)) b.low = low;
    } else {
        const Value high = number::floor_quotient(heap, number::sub(heap, zero, rest), factor);
        has_grown_ = has_grown_ || !b.high;
        if (!b.high || is_less(high, *b.high)) b.high = high;
    }
}

Bounds PathBounds::of(Value v) {
    if (!v.is_term()) return {v, v};
    if (terms_[v].op == Op::variable) {
        const auto found = variables_.find(v.payload());
        Bounds b = found == variables_.end() ? Bounds{} : found->second;
        const auto& values = terms_.domain(v).values;
        if (b.are_both() || values.empty()) return b;
        const auto [low, high] = std::minmax_element(values.begin(), values.end(), is_less);
        return {b.low ? *b.low : *low, b.high ? *b.high : *high};
    }
    if (const auto found = known_.find(v.payload()); found != known_.end()) return found->second;
    const Bounds b = compute(v);
    known_.emplace(v.payload(), b);
    return b;
}

// Terms are at most 2,000 deep, so recursion is safe.
Bounds PathBounds::compute(Value v) {
    const std::vector<Value> parts(terms_.operands(v).begin(), terms_.operands(v).end());
    switch (terms_[v].op) {
    case Op::sum: {
        Bounds sum{parts[0], parts[0]};
        for (size_t i = 1; i < parts.size(); i += 2) sum = added(sum, scaled(of(parts[i + 1]), parts[i]));
        return sum;
    }
    case Op::product: {
        Bounds product = of(parts[0]);
        for (size_t i = 1; i < parts.size(); ++i) product = multiplied(product, of(parts[i]));
        return product;
    }
    case Op::quotient:
    case Op::floor_quotient: { // no farther from zero, but for the −1 that 1 divided by −2 is, rounded down
        const Bounds b = of(parts[0]), by = of(parts[1]);
        if (!b.are_both()) return {};
        if (!is_negative(*b.low) && by.low && !is_negative(*by.low)) return {zero, *b.high};
        const Value opposite = number::sub(terms_.heap(), zero, *b.low);
        const Value farthest = is_less(opposite, *b.high) ? *b.high : opposite;
        const Value beyond = number::add(terms_.heap(), farthest, one);
        return {number::sub(terms_.heap(), zero, beyond), beyond};
    }
    case Op::length: return {zero, {}};
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor: return of_bits(terms_[v].op, parts);
    case Op::variable:
    case Op::fraction:
    case Op::at_most_zero:
    case Op::is_zero:
    case Op::same:
    case Op::iff:
    case Op::negation:
    case Op::conjunction:
    case Op::disjunction:
    case Op::lazy: break;
    }
    return {};
}

// A negative operand has ones above all its bits; one that is not negative bounds an `and`.
Bounds PathBounds::of_bits(Op op, std::span<const Value> parts) {
    std::optional<Value> least;
    bool is_any_negative = false, is_open = false;
    size_t bits = 0;
    for (Value part : parts) {
        const Bounds b = of(part);
        const bool negative = !b.low || is_negative(*b.low);
        is_any_negative = is_any_negative || negative;
        is_open = is_open || !b.are_both();
        if (!negative && b.high && (!least || is_less(*b.high, *least))) least = b.high;
        for (const auto& end : {b.low, b.high})
            if (end) bits = std::max(bits, width_of(*end));
    }
    if (op == Op::bitwise_and && least) return {zero, least};
    if (is_open) return {};
    const Value top = number::arithmetic_shift(terms_.heap(), one, Value::fixnum(static_cast<int64_t>(bits)));
    return {is_any_negative ? number::sub(terms_.heap(), zero, top) : zero, number::sub(terms_.heap(), top, one)};
}

Bounds PathBounds::scaled(const Bounds& b, Value factor) {
    const auto times = [&](const std::optional<Value>& v) {
        return v ? std::optional(number::mul(terms_.heap(), *v, factor)) : std::nullopt;
    };
    return is_negative(factor) ? Bounds{times(b.high), times(b.low)} : Bounds{times(b.low), times(b.high)};
}

Bounds PathBounds::added(const Bounds& a, const Bounds& b) {
    const auto plus = [&](const std::optional<Value>& x, const std::optional<Value>& y) {
        return x && y ? std::optional(number::add(terms_.heap(), *x, *y)) : std::nullopt;
    };
    return {plus(a.low, b.low), plus(a.high, b.high)};
}

Bounds PathBounds::multiplied(const Bounds& a, const Bounds& b) {
    if (!a.are_both() || !b.are_both()) return {};
    for (Value end : {*a.low, *a.high, *b.low, *b.high})
        if (width_of(end) > widest) return {}; // as good as none, and products of it might grow beyond all bounds
    std::vector<Value> ends;
    for (Value x : {*a.low, *a.high})
        for (Value y : {*b.low, *b.high}) ends.push_back(number::mul(terms_.heap(), x, y));
    const auto [low, high] = std::minmax_element(ends.begin(), ends.end(), is_less);
    return {*low, *high};
}

} // namespace espalier::sym
