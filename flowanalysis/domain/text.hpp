// Abstract values as text.
#pragma once

#include <string>

#include "flowanalysis/domain/values.hpp"

namespace espalier::flow {

// As a person reads them: {0 1 2}, {[0, …]}, {idle busy #f}, {Invite@12 foo}.
std::string to_text(const Program& program, const Values& values, ValueId v);

} // namespace espalier::flow
