// Which tests of a suite are needed? One whose every target another covers is not.
#pragma once

#include <cstdint>
#include <vector>

#include "testgen/generate/suite_request.hpp"
#include "testgen/replay/replay.hpp"

namespace espalier {

// What each test is worth keeping for, as numbers below `count`. Tests are dropped, last ones first, while each of
// their numbers has another test that stays. Takes time in proportion to what the tests have. Those in `dropped` are
// dropped already; empty: none.
std::vector<bool> needed(const std::vector<std::vector<uint32_t>>& worth, size_t count,
                         const std::vector<bool>& dropped = {});

// A target that a run passes, whatever the values of its inputs are, and how many steps of the test had begun by then.
struct Passed {
    uint32_t target;
    size_t at;
};
std::vector<Passed> passed_by(const Program& program, const Replay& replay, const SuiteRequest& request);

// What a test is worth before good values are chosen for its inputs: so only what it passes counts, and what it was
// made for, and not what its values happen to be at. Every solution of a test's path takes the same way as far as the
// path goes, so with any values the tests that are needed cover what all of them cover. `passed` is by a run of the
// test, or of one that goes on from it.
std::vector<uint32_t> worth_of(const FoundTest& test, const std::vector<Passed>& passed, const SuiteRequest& request);
// Is that all a test is there for? Then one that goes on from it is there for all of it, too.
bool is_about_its_way(const Program& program, const FoundTest& test);

} // namespace espalier
