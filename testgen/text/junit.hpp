// Results of tests as JUnit XML, which every CI server shows. Nothing here knows of models: the results are a plain
// list.
//
//   write_file("results.xml", [&](const Sink& sink) { write_junit({"desk-suite.xml", results}, sink); });
#pragma once

#include <string>
#include <vector>

#include "testgen/text/test_verdict.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

struct JunitTest {
    std::string name;
    double seconds = 0;
    TestVerdict verdict = TestVerdict::pass;
    std::string message; // a line, of what did not pass
    std::string detail;  // as many lines as it takes
};

struct JunitSuite {
    std::string name;
    std::vector<JunitTest> tests;
};

// Valid for any text. Nothing in it depends on the clock but the seconds that it is given.
void write_junit(const JunitSuite& suite, const Sink& sink);

} // namespace espalier
