// A whole suite against a system: one test after the other, each after a reset; an adapter that is lost is started
// again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testgen/execute/test.hpp"

namespace espalier {

struct SuiteRun {
    std::vector<std::optional<TestRun>> tests; // as in the suite; nothing: not asked for, or not run
    size_t passed = 0, failed = 0, inconclusive = 0, errors = 0;
    size_t asked = 0;    // of the tests
    std::string gave_up; // why the run ended before its last test
    bool interrupted = false;
    size_t open_differences = 0; // of the inconclusive ones
    // Nothing that is known speaks against the system.
    bool good() const { return failed + errors + open_differences == 0 && complete(); }
    bool complete() const { return passed + failed + inconclusive + errors == asked; }
};

// What a run is told, and what it tells.
struct ExecuteHooks {
    std::function<bool(size_t test)> wanted;
    // Looks for another run of the model that does what was seen, where a test failed; may change the verdict.
    std::function<void(size_t test, TestRun&)> reconsider;
    std::function<void(size_t test)> before;                 // it begins
    std::function<void(const SuiteRun&, size_t test)> after; // it has a verdict
};

// An adapter that does not get through its reset so many times in a row is given up.
inline constexpr int most_failed_starts = 3;

// The adapter has been started.
SuiteRun execute_suite(Adapter& adapter, const ExecutableSuite& suite, const Timing& timing, const ExecuteHooks& hooks);

} // namespace espalier
