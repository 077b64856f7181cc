// The report of `generate --report`: one HTML file that shows what a search found, without a server or a network.
//
// The page is static text and data. C++ writes the head, the summary and the data, as JSON; the scripts beside this
// file (*.js), which are part of the binary, draw everything else from the data, a test's diagram only when it
// is looked at. So a page with a thousand tests stays small, and what the page says is what `--stats` says: the very
// text of it is in the page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testgen/generate/generation.hpp"
#include "testgen/suite/digest.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/json.hpp"
#include "testgen/text/test_verdict.hpp"

namespace espalier {

// What came of a test on a real system. The page shows a badge beside the test, and `text` with its diagram. The list
// stands in an element of its own, <script type="application/json" id="verdicts">, so that results can be put into a
// page that was written before they were known.
struct ReportVerdict {
    std::string test; // its id
    TestVerdict verdict = TestVerdict::pass;
    std::string text; // what differed; may be empty
};

struct Report {
    const Model& model;
    const GenerateOptions& options;
    const Generation& result;
    std::string_view statistics; // what statistics_json said of the same
    std::vector<ReportVerdict> verdicts{};
};

// Verdicts belong to tests, not to names: what the page says of the tests that it was written for.
std::optional<std::vector<TestDigest>> tests_of_page(std::string_view page);

// The page with these verdicts in place of its own; nothing where it is no such page.
std::optional<std::string> with_verdicts(std::string_view page, const std::vector<ReportVerdict>& verdicts);
inline constexpr std::string_view digests_begin = R"(<script type="application/json" id="suite">)";
inline constexpr std::string_view verdicts_begin = R"(<script type="application/json" id="verdicts">)";

void report_to_html(const Report& report, const Sink& sink);
std::string report_to_html(const Report& report);

// Its parts, each in a file of its own.
void report_data(const Report& report, const Sink& sink); // sources, targets, tests, timeline: data.cpp
void report_event(JsonWriter& json, const Program& program, const SuiteEvent& event); // event.cpp
std::string report_summary(const Report& report);                                     // a table: summary.cpp
std::string report_verdicts(const std::vector<ReportVerdict>& verdicts);              // JSON: verdicts.cpp
std::string report_digests(const Report& report);                                     // likewise

} // namespace espalier
