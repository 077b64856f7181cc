// The canonical text of an exact number: decimal, in lowest terms, a positive denominator, no "/1", no "-0".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// Literals beyond this are refused: no model needs them, and a few bytes (`#e1e999999999`) would ask for
// gigabytes.
inline constexpr size_t max_literal_digits = 100'000;

// ± whole.fraction × 10^exponent / denominator. All are digits of that radix; `fraction` and `exponent` only
// occur with radix 10, and an empty text counts as 0, as a denominator as 1.
struct ExactLiteral {
    bool negative = false;
    int radix = 10;
    std::string_view whole;
    std::string_view fraction;
    std::string_view denominator;
    long exponent = 0;
};

// Nothing where the denominator is zero. The digits and the exponent are within max_literal_digits.
std::optional<std::string> canonical_number(const ExactLiteral& literal);

} // namespace espalier
