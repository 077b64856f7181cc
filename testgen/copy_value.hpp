// Values move from heap to heap when a test outlives the run that made it.
#pragma once

#include "lang/lang.hpp"

namespace espalier {

// What ports carry: numbers, text, lists and messages, to any depth; never recurses. Fresh values keep their number.
Value copy_value(Heap& to, Value value);

} // namespace espalier
