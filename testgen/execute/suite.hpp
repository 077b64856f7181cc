// A suite for executing: what the tester does and what a system must answer. It is read without the model that it was
// made from: an execution needs only the suite and a system.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "testgen/suite/reader.hpp"
#include "testgen/suite/test_value.hpp"

namespace espalier {

struct TestInput {
    Exchange exchange;
};
struct TestWait {
    Units units{};
};
using TesterStep = std::variant<TestInput, TestWait>;

struct ExpectedOutput {
    Exchange exchange;
    Span in_suite;
};
struct ModelDecision { // a choice or a turn of the model's: nothing that a tester does, but what the outputs depend on
    std::string shown;
    Span in_suite;
};

// A step of the tester's and all that may happen before the next one. The first stage of a test has no step: what a
// system does by itself.
struct Stage {
    std::optional<TesterStep> step;
    Span in_suite;
    std::vector<ExpectedOutput> outputs; // in order on one port, in any order between ports
    std::vector<ModelDecision> decisions;
};

struct ExecutableTest {
    std::string id;
    Span in_suite;
    std::string error;         // the model error that it ends in, else empty
    bool open_end = false;     // what comes after the outputs of the last stage is not judged
    std::vector<Stage> stages; // at least one
    std::string misnamed;      // a name that is used before an output binds it; such a test cannot be run
    NamesApart apart;
    bool has_decisions = false;
};

struct ExecutableSuite {
    std::string model;
    std::vector<ExecutableTest> tests;
};

// Nothing after an error.
std::optional<ExecutableSuite> read_executable_suite(const XmlTree& tree, Diagnostics& diagnostics);

} // namespace espalier
