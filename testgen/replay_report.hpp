// How the differences of a replay are shown.
#pragma once

#include <string>

#include "testgen/junit.hpp"
#include "testgen/suite_replay.hpp"

namespace espalier {

// Like a diff: for each test that failed what happened, with a little context.
std::string differences_text(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file);
// A line for each criterion that the program has targets of: "  checkpoints   2 of 3 covered (66 %)". `asked`: by
// TargetId, those that count; empty: all.
std::string coverage_text(const Program& program, const std::vector<bool>& covered,
                          const std::vector<bool>& asked = {});

// For a CI server: a result for each test, and one for the table of targets, where that is not true.
JunitSuite replay_results(const SuiteReplay& replay, const Suite& suite, const Sources& suite_file);

} // namespace espalier
