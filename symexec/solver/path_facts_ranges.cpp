// Intervals: what the bounds of variables say of a term, and of a condition on it. Always sound, often enough.
#include <algorithm>
#include <bit>
#include <limits>

#include "symexec/solver/path_facts.hpp"

namespace espalier::sym {

namespace {

std::optional<int64_t> within(std::optional<int64_t> n) {
    return n && *n > -PathFacts::far && *n < PathFacts::far ? n : std::nullopt;
}

std::optional<int64_t> plus(std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? within(*a + *b) : std::nullopt;
}
std::optional<int64_t> times(std::optional<int64_t> a, int64_t k) {
    int64_t product = 0;
    if (!a || __builtin_mul_overflow(*a, k, &product)) return std::nullopt;
    return within(product);
}

// Of bit operations: a negative operand has ones above all its bits, and one that is not negative bounds an `and`.
Range range_of_bits(Op op, std::span<const Range> parts) {
    uint64_t spread = 0;
    bool is_negative = false;
    std::optional<int64_t> least;
    for (const Range& r : parts) {
        if (!r.low || *r.low < 0) is_negative = true;
        if (r.low && *r.low >= 0 && r.high && (!least || *r.high < *least)) least = r.high;
        for (const auto& end : {r.low, r.high})
            spread = end ? spread | static_cast<uint64_t>(*end < 0 ? ~*end : *end) : ~uint64_t{0};
    }
    if (op == Op::bitwise_and && least) return {0, least};
    int64_t top = std::numeric_limits<int64_t>::max();
    if (spread < static_cast<uint64_t>(PathFacts::far)) // all ones up to the highest
        top = static_cast<int64_t>((std::bit_floor(spread) << 1) - (spread == 0 ? 0 : 1));
    const auto high = within(top);
    if (!is_negative) return {0, high};
    return high ? Range{-*high - 1, high} : Range{};
}

} // namespace

Range PathFacts::range_of_variable(Value variable) const {
    Range r;
    if (const Fact* f = fact(terms_.ordinal(variable))) r = {f->low, f->high};
    for (Value v : terms_.domain(variable).values) { // of an enum: at least within its values
        if (!is_moderate(v)) return {};
        r.low = r.low ? std::min(*r.low, v.as_fixnum()) : v.as_fixnum();
        r.high = r.high ? std::max(*r.high, v.as_fixnum()) : v.as_fixnum();
    }
    return r;
}

// Terms share parts, so each is computed once.
Range PathFacts::range(Value v) const {
    ranges_.clear();
    return range_of(v);
}

Range PathFacts::range_of(Value v) const {
    if (!v.is_term() || terms_[v].op == Op::variable) return range_of_part(v);
    if (const auto known = ranges_.find(v.payload()); known != ranges_.end()) return known->second;
    const Range r = range_of_part(v);
    ranges_.emplace(v.payload(), r);
    return r;
}

Range PathFacts::range_of_part(Value v) const {
    if (!v.is_term()) return is_moderate(v) ? Range{v.as_fixnum(), v.as_fixnum()} : Range{};
    const auto parts = terms_.operands(v);
    const auto scaled = [](const Range& r, int64_t k) {
        return k >= 0 ? Range{times(r.low, k), times(r.high, k)} : Range{times(r.high, k), times(r.low, k)};
    };
    switch (terms_[v].op) {
    case Op::variable: return range_of_variable(v);
    case Op::length: return {0, std::nullopt};
    case Op::sum: {
        Range sum = range_of(parts[0]);
        for (size_t i = 1; i < parts.size() && (sum.low || sum.high); i += 2) {
            if (!is_moderate(parts[i])) return {};
            const Range r = scaled(range_of(parts[i + 1]), parts[i].as_fixnum());
            sum = {plus(sum.low, r.low), plus(sum.high, r.high)};
        }
        return sum;
    }
    case Op::product: {
        Range product = range_of(parts[0]);
        for (size_t i = 1; i < parts.size(); ++i) {
            const Range r = range_of(parts[i]);
            if (!product.low || !product.high || !r.low || !r.high) return {};
            const std::optional<int64_t> ends[] = {times(product.low, *r.low), times(product.low, *r.high),
                                                   times(product.high, *r.low), times(product.high, *r.high)};
            if (std::any_of(std::begin(ends), std::end(ends), [](const auto& e) { return !e; })) return {};
            product = {**std::min_element(std::begin(ends), std::end(ends)),
                       **std::max_element(std::begin(ends), std::end(ends))};
        }
        return product;
    }
    case Op::quotient:
    case Op::floor_quotient: {
        if (!is_moderate(parts[1]) || parts[1].as_fixnum() <= 0) return {};
        const int64_t by = parts[1].as_fixnum();
        const bool down = terms_[v].op == Op::floor_quotient;
        const auto divide = [&](std::optional<int64_t> n) -> std::optional<int64_t> {
            if (!n) return n;
            return *n / by - (down && *n % by < 0 ? 1 : 0);
        };
        const Range r = range_of(parts[0]);
        return {divide(r.low), divide(r.high)};
    }
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor: {
        std::vector<Range> ranges;
        for (Value part : parts) ranges.push_back(range_of(part));
        return range_of_bits(terms_[v].op, ranges);
    }
    case Op::at_most_zero:
    case Op::is_zero:
    case Op::same:
    case Op::iff:
    case Op::negation:
    case Op::conjunction:
    case Op::disjunction:
    case Op::fraction:
    case Op::lazy: break;
    }
    return {};
}

std::optional<bool> PathFacts::truth(Value condition) const {
    if (!condition.is_term()) return condition.is_true();
    const auto parts = terms_.operands(condition);
    switch (terms_[condition].op) {
    case Op::at_most_zero: {
        const Range r = range(parts[0]);
        if (r.low && *r.low > 0) return false;
        if (r.high && *r.high <= 0) return true;
        return std::nullopt;
    }
    case Op::is_zero: {
        const Range r = range(parts[0]);
        if ((r.low && *r.low > 0) || (r.high && *r.high < 0)) return false;
        return std::nullopt;
    }
    case Op::negation: {
        const auto t = truth(parts[0]);
        return t ? std::optional(!*t) : std::nullopt;
    }
    case Op::conjunction:
    case Op::disjunction: {
        const bool decisive = terms_[condition].op == Op::disjunction;
        bool all = true;
        for (Value part : parts) {
            const auto t = truth(part);
            if (t && *t == decisive) return decisive;
            all = all && t;
        }
        return all ? std::optional(!decisive) : std::nullopt;
    }
    case Op::variable:
    case Op::sum:
    case Op::product:
    case Op::quotient:
    case Op::floor_quotient:
    case Op::fraction:
    case Op::length:
    case Op::same:
    case Op::iff:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::lazy: break;
    }
    return std::nullopt;
}

} // namespace espalier::sym
