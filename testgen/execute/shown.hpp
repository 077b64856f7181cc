// How the values of a test, and what came instead, are shown.
#pragma once

#include <string>

#include "testgen/suite/test_value.hpp"

namespace espalier {

std::string shown(const JsonValue& value);
std::string shown(const TestValue& value, const NamedValues& names);
// What came, in the style of the value that was expected in its place.
std::string shown(const JsonValue& seen, const TestValue& expected);

// "port (Message 1 name=2)", as `replay` prints it; names with their values where they have one.
std::string shown(const Exchange& exchange, const NamedValues& names);
// What came, in the order and style of an exchange that is like it, where there is one.
std::string shown(const SeenOutput& seen, const Exchange* like);

} // namespace espalier
