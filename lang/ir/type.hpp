// Types of message fields and inputs: what belongs to them, and how they read.
#pragma once

#include <span>
#include <string>

#include "lang/ir/ir.hpp"

namespace espalier {

using Types = std::span<const TypeDef>;
bool belongs(Types types, TypeId type, Value v); // is v a value of the type?
inline bool belongs(const Program& program, TypeId type, Value v) { return belongs(program.types, type, v); }
std::string to_text(const Program& program, TypeId type);

} // namespace espalier
