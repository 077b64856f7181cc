// How the differences of a replay are shown.
#pragma once

#include <string>

#include "testgen/suite_replay.hpp"

namespace espalier {

// Like a diff: for each test that failed what happened, with a little context.
std::string differences_text(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file);

} // namespace espalier
