// Bounded symbolic execution: the base algorithm of the thesis (Lahola 2010, chapter 3.4). A model goes in; out come
// inputs that reach its checkpoints.
//
//   Model model = load_model("turnstile.scm");
//   ExploreOptions options;
//   options.depth = 2;
//   Exploration found = explore(*model.program, options);
//   for (const FoundTest& test : found.tests)
//       for (const TestStep& step : test.steps) …;        // deliver, let time pass, choose: in this order
//
// The search follows every path of the model, with inputs that stand for all their values, while the path's counter
// allows (definition 3.3). Values in the results are concrete and live in `Exploration::heap`; outputs are not here:
// the writer of a test replays its steps with the concrete interpreter.
#pragma once

#include "symexec/search/exploration.hpp"

namespace espalier {

Exploration explore(const Program& program, const ExploreOptions& options = {});

} // namespace espalier
