// Arithmetic on sets of integers: exact while the sets are small, on their bounds otherwise.
#include "flowanalysis/domain/integers.hpp"

#include <algorithm>

#include "lang/lang.hpp"

namespace espalier::flow {

namespace {

__extension__ using Wide = __int128;

// What is no small integer of the language is past the end: two big numbers may be equal and yet not eq?.
int64_t saturated(Wide n) {
    if (n < Value::fixnum_min) return no_low;
    if (n > Value::fixnum_max) return no_high;
    return static_cast<int64_t>(n);
}

bool unbounded(int64_t n) { return n == no_low || n == no_high; }

// Bounds of opposite ends never meet here, but for a product with zero.
int64_t product(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    if (unbounded(a) || unbounded(b)) return (a < 0) == (b < 0) ? no_high : no_low;
    return saturated(static_cast<Wide>(a) * b);
}

} // namespace

Integers Integers::one(int64_t n) { return of({n}); }

Integers Integers::of(std::vector<int64_t> constants) {
    std::sort(constants.begin(), constants.end());
    constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
    Integers result;
    if (constants.empty()) return result;
    result.low_ = constants.front();
    result.high_ = constants.back();
    if (unbounded(result.low_) || unbounded(result.high_) || constants.size() > most_constants)
        return range(result.low_, result.high_);
    result.constants_ = std::move(constants);
    return result;
}

Integers Integers::range(int64_t low, int64_t high) {
    Integers result;
    if (low > high) return result;
    result.low_ = low;
    result.high_ = high;
    if (!unbounded(low) && !unbounded(high) &&
        static_cast<uint64_t>(high) - static_cast<uint64_t>(low) < most_constants)
        for (int64_t n = low; n <= high; ++n) result.constants_.push_back(n);
    return result;
}

bool Integers::contains(int64_t n) const {
    if (n < low_ || n > high_) return false;
    return constants_.empty() || std::binary_search(constants_.begin(), constants_.end(), n);
}

Integers join(const Integers& a, const Integers& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    if (a.constants_.empty() || b.constants_.empty())
        return Integers::range(std::min(a.low_, b.low_), std::max(a.high_, b.high_));
    std::vector<int64_t> both = a.constants_;
    both.insert(both.end(), b.constants_.begin(), b.constants_.end());
    return Integers::of(std::move(both));
}

Integers meet(const Integers& a, const Integers& b) {
    if (a.constants_.empty() && b.constants_.empty())
        return Integers::range(std::max(a.low_, b.low_), std::min(a.high_, b.high_));
    const Integers& few = a.constants_.empty() ? b : a;
    const Integers& other = a.constants_.empty() ? a : b;
    std::vector<int64_t> both;
    for (int64_t n : few.constants_)
        if (other.contains(n)) both.push_back(n);
    return Integers::of(std::move(both));
}

Integers without(const Integers& a, int64_t n) {
    if (!a.contains(n)) return a;
    if (a.constants_.empty()) {
        if (n == a.low_ && !unbounded(n)) return Integers::range(n + 1, a.high_);
        if (n == a.high_ && !unbounded(n)) return Integers::range(a.low_, n - 1);
        return a;
    }
    std::vector<int64_t> rest = a.constants_;
    rest.erase(std::find(rest.begin(), rest.end(), n));
    return Integers::of(std::move(rest));
}

Integers widen(const Integers& a, const Integers& b, const std::vector<int64_t>& thresholds) {
    if (a.empty()) return b;
    int64_t low = a.low();
    int64_t high = a.high();
    if (b.low() < low) {
        auto at = std::upper_bound(thresholds.begin(), thresholds.end(), b.low());
        low = at == thresholds.begin() ? no_low : *--at;
    }
    if (b.high() > high) {
        const auto at = std::lower_bound(thresholds.begin(), thresholds.end(), b.high());
        high = at == thresholds.end() ? no_high : *at;
    }
    return low == a.low() && high == a.high() ? b : Integers::range(low, high);
}

// Exact for a few pairs; f may give an unbounded number.
template <typename F>
Integers pairwise(const Integers& a, const Integers& b, F f) {
    std::vector<int64_t> results;
    for (int64_t m : a.constants_)
        for (int64_t n : b.constants_) results.push_back(f(m, n));
    return Integers::of(std::move(results));
}

namespace {
bool few(const Integers& a, const Integers& b) {
    return !a.constants().empty() && !b.constants().empty() &&
           a.constants().size() * b.constants().size() <= 4 * Integers::most_constants;
}
int64_t sum(int64_t a, int64_t b) {
    if (unbounded(a) || unbounded(b)) return unbounded(a) ? a : b;
    return saturated(static_cast<Wide>(a) + b);
}
int64_t negated(int64_t n) { return n == no_low ? no_high : n == no_high ? no_low : -n; }
} // namespace

Integers add(const Integers& a, const Integers& b) {
    if (a.empty() || b.empty()) return {};
    if (few(a, b)) return pairwise(a, b, sum);
    return Integers::range(sum(a.low(), b.low()), sum(a.high(), b.high()));
}

Integers subtract(const Integers& a, const Integers& b) {
    if (a.empty() || b.empty()) return {};
    if (few(a, b)) return pairwise(a, b, [](int64_t m, int64_t n) { return sum(m, -n); });
    return Integers::range(sum(a.low(), negated(b.high())), sum(a.high(), negated(b.low())));
}

Integers multiply(const Integers& a, const Integers& b) {
    if (a.empty() || b.empty()) return {};
    if (few(a, b)) return pairwise(a, b, product);
    const auto [low, high] = std::minmax({product(a.low(), b.low()), product(a.low(), b.high()),
                                          product(a.high(), b.low()), product(a.high(), b.high())});
    return Integers::range(low, high);
}

std::string to_text(const Integers& a) {
    if (!a.constants().empty()) {
        std::string text;
        for (int64_t n : a.constants()) text += (text.empty() ? "" : " ") + std::to_string(n);
        return text;
    }
    if (a.low() == no_low && a.high() == no_high) return "int";
    return "[" + (a.low() == no_low ? std::string("…") : std::to_string(a.low())) + ", " +
           (a.high() == no_high ? std::string("…") : std::to_string(a.high())) + "]";
}

} // namespace espalier::flow
