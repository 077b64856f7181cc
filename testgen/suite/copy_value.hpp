// Values move from heap to heap when a test outlives the run that made it.
#pragma once

#include <functional>
#include <optional>

#include "lang/lang.hpp"

namespace espalier {

// What ports carry: numbers, text, lists and messages, to any depth; never recurses. A fresh value is the one that
// `fresh` gives for its number (in a run: the run's own, which alone it is equal to), or a copy with that number.
using FreshValue = std::function<std::optional<Value>(uint32_t number)>;
Value copy_value(Heap& to, Value value, const FreshValue& fresh = {});

} // namespace espalier
