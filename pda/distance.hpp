// Sums of distances that stop at a limit.
//
// The cost of a call doubles with each procedure that calls the last one twice, so sums must not be left to
// grow. A sum that is more than the limit is `unreachable`, and so is every sum with `unreachable`.
#pragma once

#include "pda/pda.hpp"

namespace espalier::pda {

constexpr Distance add(Distance a, Distance b, Distance limit) {
    const uint64_t sum = uint64_t{a} + b;
    return sum > limit ? unreachable : static_cast<Distance>(sum);
}
static_assert(add(unreachable, 0, max_limit) == unreachable);

} // namespace espalier::pda
