// A suite and its model from their files, for the commands that take both. What is wrong with either goes to standard
// error.
#pragma once

#include <optional>
#include <string>

#include "testgen/suite/reader.hpp"
#include "testgen/terminal/limits.hpp"

namespace espalier {

void report(const Sources& sources, Diagnostics& diagnostics); // by place

struct LoadedSuite {
    Sources sources; // of the suite
    Criteria spoken_of;
    Model model; // with the targets of those criteria; of the usual ones where the suite names no target
    Suite suite;
};

// Nothing after an error. `command` is for messages that are not about a place in a file. Throws CompileStopped where a
// limit ends it.
std::optional<LoadedSuite> load_suite_or_report(const std::string& command, const std::string& model_path,
                                                const std::string& suite_path, const Limits* limits = nullptr);

} // namespace espalier
