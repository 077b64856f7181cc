// Sets of integers, as the analysis knows them: a few constants, or an interval.
//
// Small sets stay exact, so that a state kept as a number or a field of enumerated codes is told apart value
// by value; larger ones become the interval around them. A bound of INT64_MIN or INT64_MAX means that there
// is none, so a big number lies in every unbounded interval.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace espalier::flow {

inline constexpr int64_t no_low = INT64_MIN;
inline constexpr int64_t no_high = INT64_MAX;

class Integers {
public:
    static constexpr size_t most_constants = 32;

    Integers() = default; // none
    static Integers one(int64_t n);
    static Integers range(int64_t low, int64_t high); // none where low > high
    static Integers all() { return range(no_low, no_high); }

    bool empty() const { return low_ > high_; }
    bool is_one() const { return !empty() && low_ == high_; }
    int64_t low() const { return low_; }
    int64_t high() const { return high_; }
    bool contains(int64_t n) const;
    // The members, where they are kept apart; else empty.
    const std::vector<int64_t>& constants() const { return constants_; }
    friend bool operator==(const Integers&, const Integers&) = default;

private:
    static Integers of(std::vector<int64_t> constants);
    friend Integers join(const Integers& a, const Integers& b);
    friend Integers meet(const Integers& a, const Integers& b);
    friend Integers without(const Integers& a, int64_t n);
    template <typename F>
    friend Integers pairwise(const Integers& a, const Integers& b, F f);

    int64_t low_ = 0;
    int64_t high_ = -1;
    std::vector<int64_t> constants_; // sorted
};

Integers join(const Integers& a, const Integers& b);
Integers meet(const Integers& a, const Integers& b);
Integers without(const Integers& a, int64_t n);
// Contains b, and a chain of these ends: a bound that moved goes on to the next of the sorted thresholds, or,
// with none, to the end.
Integers widen(const Integers& a, const Integers& b, const std::vector<int64_t>& thresholds);

Integers add(const Integers& a, const Integers& b);
Integers subtract(const Integers& a, const Integers& b);
Integers multiply(const Integers& a, const Integers& b);

std::string to_text(const Integers& a);

} // namespace espalier::flow
