// Values that a real system chooses may turn out equal where the model says that they differ. Then what it did is
// nothing that the model allows, and what follows in the test means nothing. So an output that gives a value its name
// says which of the values that have names it must differ from.
#pragma once

#include "testgen/suite/suite.hpp"

namespace espalier {

// Of two fresh values of a run, or copies of them. The language says that one of (fresh type) differs from every other,
// but the numbers of users and of sessions may well be the same in a system that counts both from 1. So values of
// different types must only differ where a run took them to: `pairs` are what it compared, and what it listed.
bool must_differ(const Program& program, Value a, Value b, const FreshPairs& pairs);

// `events` are those of a run that took `pairs` to differ, with the run's own numbers.
void note_told_apart(const Program& program, std::vector<SuiteEvent>& events, const FreshPairs& pairs);

} // namespace espalier
