// A test on the model itself: the concrete interpreter takes its inputs, and says what comes out and what is covered.
#pragma once

#include <optional>
#include <vector>

#include "testgen/suite.hpp"

namespace espalier {

struct Replay {
    Status status = Status::finished;
    std::vector<SuiteEvent> events; // the steps, with the outputs where they came
    std::vector<TargetId> covered;  // in order, each once
    std::optional<size_t> refused;  // the step that the model does not take
    std::optional<ModelError> error;
    std::map<uint32_t, std::string> fresh_ranges; // of the values that the system chooses
};

// Calls after which a run that reads nothing is left alone: then a test is what came out so far, the same every time.
inline constexpr uint64_t replay_step_limit = 10'000'000;

// Does a run that ended so leave open what comes next? A failed assumption is where the model ends to speak of a
// behaviour; a run that was left alone could still do anything.
bool ends_open(Status status);

// An output's value, copied into `values`; or how it prints, where a suite cannot spell it.
void keep_value(const Program& program, Heap& values, Value value, SuiteEvent& event);

// Replays tests one after the other on code that is compiled once, so that a test costs what its run costs.
class Replayer {
public:
    explicit Replayer(const Program& program) : program_(program), compiled_(program) {}
    // Values of the events are copied into `values`.
    Replay replay(const std::vector<TestStep>& steps, Heap& values);
    uint64_t translations() const { return compiled_.translations(); } // of λs, so far

private:
    const Program& program_;
    CompiledProgram compiled_;
};

} // namespace espalier
