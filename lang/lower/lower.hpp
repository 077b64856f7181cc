// Core forms to λ-IR.
#pragma once

#include "lang/ir/core.hpp"
#include "lang/ir/ir.hpp"

namespace espalier {

// Takes the trees apart: what they declare moves into the program.
Program lower(CoreProgram core);

} // namespace espalier
