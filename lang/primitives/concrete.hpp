// The concrete meaning of each primitive.
#pragma once

#include <cstdint>
#include <string>

#include "lang/ir/ir.hpp"

namespace espalier {

struct PrimContext {
    Heap& heap;
    const Program& program;
    std::string* displayed; // `display` appends to it
};
using PrimFunction = Value (*)(PrimContext&, const Value* args, uint32_t count);
PrimFunction concrete(Prim prim); // its concrete meaning

} // namespace espalier
