// A system did something else than a test expects. Does the model allow it all the same, with another schedule or other
// choices? The concrete interpreter runs the test's inputs again under one sequence of decisions after the other, depth
// first; a run ends where the model does something that was not seen. What cannot be tried within the limits stays
// open. A run in which an assumption fails is one that the model does not speak of any further: whatever came after its
// outputs, it does not contradict.
#pragma once

#include <atomic>

#include "testgen/execute/test.hpp"
#include "testgen/suite/suite.hpp"

namespace espalier {

enum class Allowed : uint8_t {
    yes,
    left_open, // no run does what was seen, and one ends in a failed assumption after a part of it
    no,
    unknown,
    stopped, // before it was known
};

struct AlternativeLimits {
    uint64_t runs = 10'000;
    uint64_t steps = 20'000'000; // of the interpreter, in all
    const std::atomic<bool>* stop = nullptr;
};

class Alternatives {
public:
    explicit Alternatives(const Model& model) : program_(*model.program), compiled_(*model.program) {}
    // `test` as read for the model, and what was seen of it: `run` is one that failed.
    Allowed allows(const SuiteTest& test, const TestRun& run, const AlternativeLimits& limits = {});

private:
    const Program& program_;
    CompiledProgram compiled_;
};

// A test is for one schedule and one choice each time; the system is free to take another. So a failed test whose
// difference the model allows is inconclusive, and one that depends on decisions is where there is no model to ask
// (`alternatives` is null, and so is `same`, the test as read for the model).
// A run whose question to the model was stopped is `interrupted`, and has a verdict all the same.
void reconsider(TestRun& run, const ExecutableTest& test, const SuiteTest* same, Alternatives* alternatives,
                const std::atomic<bool>* stop = nullptr);

// An output of a run of the model, as one that a test would expect. A fresh value has the name "x<number>".
Exchange expected_exchange(const Program& program, const SuiteEvent& output);

} // namespace espalier
