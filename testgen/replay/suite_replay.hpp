// A suite against its model, as an independent check: each test is run on the concrete interpreter, and whatever comes
// out otherwise than the suite says is a difference.
//
// What the tester does comes from the test: inputs, waits, what is chosen. Between two of the tester's steps, outputs
// are in order on each port and in any order between ports. Coverage is checked for the criteria that the suite speaks
// of: those of the targets that it names.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testgen/suite/suite.hpp"

namespace espalier {

// One line of what happened: ' ' as the suite says, '-' only in the suite, '+' only in the run.
struct ReplayLine {
    char mark = ' ';
    std::string text;
    Span in_suite{};
    std::vector<std::string> details{}; // what more there is to say
};

struct TestReplay {
    std::vector<ReplayLine> lines;
    std::vector<TargetId> covered;
    double seconds = 0;      // that the run took
    bool is_stopped = false; // it was not begun, or not run to its end: differences that are there count
    bool differs() const;
    bool passed() const { return !is_stopped && !differs(); }
};

// What ends a replay early.
struct ReplayLimits {
    const std::atomic<bool>* stop = nullptr;
    uint64_t steps = 0; // calls in all; 0: none
};

struct SuiteReplay {
    std::vector<TestReplay> tests; // as in the suite
    std::vector<ReplayLine> table; // rows of the table of targets that are not true
    std::vector<bool> covered;     // by TargetId, by any test
    size_t passed_tests = 0, stopped_tests = 0;
    bool is_out_of_steps = false; // the limit on steps, and not `stop`, ended it
    bool passed() const { return passed_tests == tests.size() && table.empty(); }
};

// A test of an earlier version of the model, run again: what the tester does comes from the test, all else from the
// model.
struct Rerun {
    std::vector<SuiteEvent> events;
    std::map<uint32_t, std::string> fresh_names; // that the test gives to the values of this run
    std::map<uint32_t, std::string> fresh_ranges;
    std::vector<TargetId> covered;
    std::string error; // of the model
    Span error_at{};
    bool open_end = false;
    std::string refused;     // why the tester cannot do all that the test says; else empty
    std::string difference;  // the first thing that is not as the test says; else empty
    bool is_stopped = false; // it was not run to its end
};

class Rerunner {
public:
    explicit Rerunner(const Model& model) : model_(model), compiled_(*model.program) {}
    // Values of the events are copied into `values`. `stop` ends the run.
    Rerun rerun(const SuiteTest& test, Heap& values, const std::atomic<bool>* stop = nullptr);

private:
    const Model& model_;
    CompiledProgram compiled_;
};

// `spoken_of`: the criteria of the targets that the suite names. Where a limit ends it, rows of the table that only the
// tests not run could make true are not looked at.
SuiteReplay replay_suite(const Model& model, const Suite& suite, Criteria spoken_of, const ReplayLimits& limits = {});

} // namespace espalier
