#include "lang/values/units.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>

#include "lang/values/number.hpp"
#include "lang/values/print.hpp"

namespace espalier {

Units::Units(int64_t units) : digits_(std::to_string(units)) { assert(units >= 0 && "time does not go back"); }

Units::Units(Value units) : digits_(number::to_text(units)) {
    assert(number::is_integer(units) && digits_[0] != '-' && "time is whole, and does not go back");
}

std::optional<Units> Units::parse(std::string_view digits) {
    const bool all = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits.empty() || !all) return std::nullopt;
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    Units units;
    units.digits_ = digits;
    return units;
}

Value Units::in(Heap& heap) const { return number::from_text(heap, digits_); }

double Units::approximately() const {
    return std::min(std::strtod(digits_.c_str(), nullptr), std::numeric_limits<double>::max());
}

} // namespace espalier
