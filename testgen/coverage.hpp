// How much is covered, by criterion.
#pragma once

#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

// The criterion that a target's id belongs to ("cp:foo" to "checkpoints"), as `generate --cover` names it; empty where
// there is none.
std::string criterion_of(std::string_view target_id);

// A line for each criterion that the program has targets of: "  checkpoints   2 of 3 covered (66 %)".
std::string coverage_lines(const Program& program, const std::vector<bool>& covered);

} // namespace espalier
