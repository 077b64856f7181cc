// Primitives: the operations of the language on values, as primitives.def lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

enum class Effect : uint8_t { pure, alloc, read, write, output, stop };

enum class Prim : uint16_t {
#define PRIMITIVE(id, name, arity, effect) id,
#include "lang/ir/primitives.def"
#undef PRIMITIVE
};

struct PrimInfo {
    std::string_view name;
    int arity;
    Effect effect;
};
const PrimInfo& info(Prim prim);
std::string author_name(Prim prim); // of the procedure that an author calls for it, for messages
inline constexpr size_t prim_count = 0
#define PRIMITIVE(id, name, arity, effect) +1
#include "lang/ir/primitives.def"
#undef PRIMITIVE
    ;

} // namespace espalier
