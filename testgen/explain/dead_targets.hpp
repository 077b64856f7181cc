// Targets that the author wrote and no run can reach, told as warnings.
#pragma once

#include "flowanalysis/flowanalysis.hpp"

namespace espalier {

// Adds the warnings to the model's diagnostics, in their place. The program has not been instrumented: what
// criteria would add is the tool's, not the author's.
void warn_of_dead_targets(Model& model, const Flow& flow);

} // namespace espalier
