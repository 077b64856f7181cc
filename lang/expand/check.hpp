// What can be said of a model before it runs, beyond what the expander sees while it resolves names.
#pragma once

#include "lang/ir/core.hpp"
#include "lang/text/source.hpp"

namespace espalier {

// Errors: a known procedure called with a wrong number of arguments, a call of something that is no procedure, effects
// in a `where`. Warnings: definitions and local variables that are never used.
void check(const CoreProgram& program, const Sources& sources, Diagnostics& diagnostics);

} // namespace espalier
