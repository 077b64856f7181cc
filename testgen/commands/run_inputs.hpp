// Inputs for `run`: data, one after the other, from a file or from a person.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lang/lang.hpp"

namespace espalier {

struct SendInput {
    PortId port;
    Value message;
};
struct WaitInput {
    std::optional<Units> units;
}; // (wait): to the earliest deadline
struct ChooseInput {
    uint32_t alternative;
};
struct QuitInput {};
struct BadInput {
    std::string text;
};
using RunInput = std::variant<SendInput, WaitInput, ChooseInput, QuitInput, BadInput>;

// `(port message)`, a bare `value` for the port `in`, `(wait N)`, `(wait)`, `(choose N)`, `(quit)`.
RunInput parse_input(const Program& program, Interpreter& run, const Data& data, DatumId datum);

} // namespace espalier
