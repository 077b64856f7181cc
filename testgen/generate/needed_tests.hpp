// Which tests of a suite are needed? One whose every target another covers is not.
#pragma once

#include <cstdint>
#include <vector>

#include "testgen/generate/suite_maker.hpp"

namespace espalier {

// What each test is worth keeping for, as numbers below `count`. Tests are dropped, last ones first, while each of
// their numbers has another test that stays. Takes time in proportion to what the tests have.
std::vector<bool> needed(const std::vector<std::vector<uint32_t>>& worth, size_t count);

// The same of what a search found, before good values are chosen for its inputs: so only what a test covers by the way
// it goes counts, or because it was made for it, and not what its values happen to be. Every solution of a test's path
// takes the same way as far as the path goes, so with any values the tests that stay cover what all of them cover.
std::vector<bool> needed_tests(const Program& program, Replayer& replayer, const Exploration& found,
                               const SuiteRequest& request);

} // namespace espalier
