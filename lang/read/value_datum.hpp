// Values as an author or tester writes them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lang/ir/ir.hpp"
#include "lang/read/datum.hpp"

namespace espalier {

// A value written as a datum: a number, string, symbol, list, (Message field …), or the name of a fresh value. Nothing
// and an explanation in `error` where it is none.
// `named` gives the value that a symbol stands for where a field cannot hold the symbol itself: the name of a fresh
// value.
using NamedValue = std::function<std::optional<Value>(Symbol)>;
std::optional<Value> value_from_datum(const Program& program, Heap& heap, const Data& data, DatumId datum,
                                      const NamedValue& named, std::string& error);

} // namespace espalier
