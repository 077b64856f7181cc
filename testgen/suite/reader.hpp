// A suite file back in memory. Suites may be written by hand, so whatever is in one is looked at: what is wrong is said
// with its place, several mistakes at once, and nothing is read as something else.
//
//   Sources sources;
//   Diagnostics diagnostics;
//   const auto tree = parse_xml(sources, sources.add("suite.xml", text), diagnostics);
//   model.program = instrument(*model.program, criteria_of(*tree));
//   const auto suite = read_suite(*tree, *model.program, diagnostics);
//
// What suite_to_xml writes is read as the suite that it was, value for value.
#pragma once

#include <optional>
#include <string>

#include "testgen/suite/suite.hpp"
#include "testgen/text/xml_tree.hpp"

namespace espalier {

// The criteria that the suite speaks of: those of the targets that it names.
Criteria criteria_of(const XmlTree& tree);

// Nothing after an error.
std::optional<Suite> read_suite(const XmlTree& tree, const Program& program, Diagnostics& diagnostics);

// A suite for an earlier version of the model: what the tester does in each test, as far as the model still knows it.
// What the tests cover is not read, since it must be found out anew.
struct OldTest {
    SuiteTest test;
    std::string problem; // why it is no test of this model; else empty
    Span problem_at{};
    bool lost_outputs = false; // it expects some that the model cannot send any more: these are left out
};
struct OldSuite {
    std::vector<OldTest> tests;
    std::unique_ptr<Heap> values;
};
// Nothing after an error that is not one test's alone.
std::optional<OldSuite> read_old_suite(const XmlTree& tree, const Program& program, Diagnostics& diagnostics);

// After so many errors a reader stops: the rest would be of little use, and a file may hold millions.
inline constexpr size_t most_suite_errors = 20;

} // namespace espalier
