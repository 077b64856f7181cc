// Lengths of time. A model's time is an exact integer of any size, as all its numbers are: no delay is too long, and
// no run comes to an end of time. Inside the engines it is a `Value`; what is told to others, or read from a suite,
// belongs to no heap.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lang/values/heap.hpp"

namespace espalier {

// So many units of time: none, or more.
class Units {
public:
    Units(int64_t units = 0);    // NOLINT(google-explicit-constructor): a number of units is what it says
    explicit Units(Value units); // an integer
    static std::optional<Units> parse(std::string_view digits); // nothing where it is anything but digits

    const std::string& text() const { return digits_; } // in decimal, without leading zeros
    Value in(Heap& heap) const;
    double approximately() const; // the nearest double that is a number

    friend bool operator==(const Units&, const Units&) = default;
    friend std::strong_ordering operator<=>(const Units& a, const Units& b) {
        if (a.digits_.size() != b.digits_.size()) return a.digits_.size() <=> b.digits_.size();
        return a.digits_.compare(b.digits_) <=> 0;
    }

private:
    std::string digits_;
};

} // namespace espalier
