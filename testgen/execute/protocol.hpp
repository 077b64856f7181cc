// The lines that an execution and an adapter exchange: one JSON object each. docs/execute.md is their description.
#pragma once

#include <string>
#include <variant>

#include "testgen/execute/suite.hpp"

namespace espalier {

std::string reset_line(const std::string& test);
std::string wait_line(const Units& units, double seconds, size_t step);
// A problem: no output has given a value to a name in it.
Result<std::string> input_line(const Exchange& input, const NamedValues& names, size_t step);

struct ResetAnswer {};
struct WaitAnswer {};
struct QuietNote {
    std::optional<size_t> step; // that it speaks of; none: the last one
};
struct ErrorNote {
    std::string text;
};
struct NotUnderstood {
    std::string problem;
};
using AdapterMessage = std::variant<ResetAnswer, WaitAnswer, SeenOutput, QuietNote, ErrorNote, NotUnderstood>;
AdapterMessage parse_adapter_line(std::string_view line);

} // namespace espalier
