// Loading a model for a command: what is wrong with it goes to standard error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lang/lang.hpp"
#include "testgen/terminal/limits.hpp"

namespace espalier {

void report(const Model& model); // its diagnostics
// Nothing after an error, which has been reported; warnings are reported too, unless `quiet`.
std::optional<Model> load_or_report(const std::string& path, bool quiet = false, const Limits* limits = nullptr);
std::vector<std::string> files_of(const Model& model); // all that it was read from

// What `act` gives, or the end of a command whose model was not read to its end before a limit came.
int unless_stopped(const char* command, const Limits& limits, const std::function<int()>& act);

// A command came to a limit before it had a result: says so, and gives the exit status.
int ended_early(const char* command, const Limits& limits);

} // namespace espalier
