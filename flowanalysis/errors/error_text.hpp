// Certain errors in words.
#pragma once

#include <string_view>

#include "flowanalysis/errors/certain_error.hpp"
#include "flowanalysis/errors/mistakes.hpp"

namespace espalier::flow {

// A mistake in the terminator of the block; `library` is the procedure that it calls, of Mistake::Kind::library.
CertainError described(const Program& program, const Block& block, const Mistake& mistake, std::string_view library);
// A mistake in the operation.
CertainError described(const Program& program, const Block& block, const Operation& o, const Mistake& mistake);

} // namespace espalier::flow
