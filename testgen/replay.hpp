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
};

// Values of the events are copied into `values`.
Replay replay_steps(const Program& program, const std::vector<TestStep>& steps, Heap& values);

} // namespace espalier
