// What became of the tests of an execution: for people, and as a file.
#pragma once

#include <string>

#include "testgen/execute/run.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/report/report.hpp"
#include "testgen/text/junit.hpp"

namespace espalier {

// "fail ID (suite.xml:3:4): reason", and what happened; for a test that passed, its name alone.
std::string verdict_text(const ExecutableTest& test, const TestRun& run, SuitePlaces& places);
std::string summary_text(const SuiteRun& run); // "7 of 9 tests passed, 1 failed, 1 inconclusive"

struct ResultsHead {
    std::string suite, model;
    std::vector<std::string> adapter;
};
// As JSON: all tests that were asked for, those without a verdict as "not run".
std::string results_json(const ResultsHead& head, const ExecutableSuite& suite, const SuiteRun& run,
                         const std::vector<bool>& asked, bool ended);
// A test without a verdict is an error, "not run": a run that ended early must not look like a good one.
JunitSuite junit_results(const std::string& name, const ExecutableSuite& suite, const SuiteRun& run,
                         const std::vector<bool>& asked, SuitePlaces& places);
// For a page of `generate --report`: those that have a verdict.
std::vector<ReportVerdict> page_verdicts(const ExecutableSuite& suite, const SuiteRun& run, SuitePlaces& places);

} // namespace espalier
