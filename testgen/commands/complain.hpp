// How a command says what is wrong with what it was given.
#pragma once

#include "testgen/text/result.hpp"

namespace espalier {

// On standard error, after the command's name unless it has places; the exit status that goes with it.
int complain(const char* command, const Problem& problem);

} // namespace espalier
