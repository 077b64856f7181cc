// What can be read of a suite without its model.
#pragma once

#include "testgen/suite/elements.hpp"

namespace espalier {

// The attributes of `suite`; false after an error.
bool read_head(SuiteElements& elements, const XmlElement& root, Suite& suite);
// A `wait`, `choice` or `schedule`; anything else in a test is an error. False after one.
bool read_step(SuiteElements& elements, const XmlElement& e, SuiteEvent& made);

// Does the test leave its end open? Whatever `end` says otherwise is an error.
bool read_open_end(SuiteElements& elements, const XmlElement& test);

} // namespace espalier
