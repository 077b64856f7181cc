// Bounds of any size: what the conditions of a path leave of each integer, for steps that count bits.
//
// PathFacts has bounds too, of a moderate size and at less cost; here a field of 64 or 128 bits has bounds, and so has
// a variable without any that is tied by a sum to others which have them.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "symexec/terms/term.hpp"

namespace espalier::sym {

struct Bounds {
    std::optional<Value> low, high;
    bool are_both() const { return low && high; }
};

inline constexpr size_t widest = 1024; // of what is counted in bits

size_t width_of(Value integer); // of its magnitude: less than 2 to the power of that
// The same of all within the bounds; nothing where one is missing, or that is more than the widest.
std::optional<size_t> width_of(const Bounds& bounds);

class PathBounds {
public:
    PathBounds(Terms& terms, std::span<const Value> conditions);
    Bounds of(Value integer);
    // From now on, whatever the conditions say.
    void narrow(Value variable, const Bounds& to);

private:
    void read(Value condition);
    void read_sum(Value sum, bool is_negated);
    void bound(Value variable, Value factor, Value rest);
    Bounds compute(Value integer);
    Bounds of_bits(Op op, std::span<const Value> parts);
    Bounds scaled(const Bounds& b, Value factor);
    Bounds added(const Bounds& a, const Bounds& b);
    Bounds multiplied(const Bounds& a, const Bounds& b);

    Terms& terms_;
    std::unordered_map<uint32_t, Bounds> variables_; // by term
    std::unordered_map<uint32_t, Bounds> known_;     // of other terms
    bool has_grown_ = false;
};

} // namespace espalier::sym
