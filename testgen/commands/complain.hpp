// How a command says what is wrong with what it was given.
#pragma once

#include <optional>
#include <string>

#include "testgen/text/result.hpp"

namespace espalier {

// On standard error, after the command's name unless it has places; the exit status that goes with it.
int complain(const char* command, const Problem& problem);

// The file's text; nothing where it cannot be read, which has been reported.
std::optional<std::string> read_or_report(const std::string& path);

} // namespace espalier
