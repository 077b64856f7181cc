// What a model waits for, in words.
#pragma once

#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

// What one offer comes to, a line for each message, in the form that `run` takes as input.
std::vector<std::string> describe(const Program& program, const Interpreter& run, const Offer& offer);

} // namespace espalier
