// When two values are the same. No function here recurses on depth.
#pragma once

#include <cstdint>

#include "lang/values/value.hpp"

namespace espalier {

// Two fresh values that are not known to differ throw PrimitiveError in each of them: it is not known whether
// they are equal.
bool known_to_differ(Value a, Value b); // of fresh values: not the same one, and no such error
bool eq(Value a, Value b);              // the same word, or an error as said
bool eqv(Value a, Value b);
bool equal(Value a, Value b);
uint64_t equal_hash(Value v); // consistent with equal

} // namespace espalier
