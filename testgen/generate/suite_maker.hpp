// From what a search found to a suite.
#pragma once

#include "testgen/generate/found_replays.hpp"
#include "testgen/generate/suite_request.hpp"
#include "testgen/suite/suite.hpp"

namespace espalier {

// The tests of an exploration, replayed, reduced to what is needed, and named. What does not replay is no test.
Suite make_suite(const Model& model, FoundReplays& replays, Exploration& found, const SuiteRequest& request);

} // namespace espalier
