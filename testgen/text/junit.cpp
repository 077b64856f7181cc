// JUnit XML has no standard. This is the part that Jenkins, GitLab and Maven's Surefire agree on: counts on each suite,
// one child at most in a test case, and a class name, which several of them group by.
#include "testgen/text/junit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

std::string seconds_text(double seconds) {
    std::array<char, 64> text{};
    // No clock gives these, but a schema would refuse what is made of them.
    const double shown = std::isfinite(seconds) ? std::clamp(seconds, 0.0, 1e15) : 0.0;
    std::snprintf(text.data(), text.size(), "%.6f", shown);
    return text.data();
}

// Inconclusive is neither passed nor failed: CI servers call that skipped.
const char* element_of(TestVerdict verdict) {
    switch (verdict) {
    case TestVerdict::pass: return nullptr;
    case TestVerdict::fail: return "failure";
    case TestVerdict::inconclusive: return "skipped";
    case TestVerdict::error: return "error";
    }
    return nullptr;
}

std::string counts(const JunitSuite& suite) {
    const auto number = [&](TestVerdict v) {
        return std::to_string(
            std::count_if(suite.tests.begin(), suite.tests.end(), [=](const JunitTest& t) { return t.verdict == v; }));
    };
    double seconds = 0;
    for (const JunitTest& t : suite.tests) seconds += t.seconds;
    return " tests=\"" + std::to_string(suite.tests.size()) + "\" failures=\"" + number(TestVerdict::fail) +
           "\" errors=\"" + number(TestVerdict::error) + "\" skipped=\"" + number(TestVerdict::inconclusive) +
           "\" time=\"" + seconds_text(seconds) + "\"";
}

} // namespace

void write_junit(const JunitSuite& suite, const Sink& sink) {
    const std::string name = xml_attribute(suite.name), all = counts(suite);
    sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + all + ">\n  <testsuite name=\"" + name + "\"" +
         all + ">\n");
    for (const JunitTest& t : suite.tests) {
        std::string out = "    <testcase classname=\"" + name + "\" name=\"" + xml_attribute(t.name) + "\" time=\"" +
                          seconds_text(t.seconds) + "\"";
        if (const char* element = element_of(t.verdict)) {
            out += std::string(">\n      <") + element + " message=\"" + xml_attribute(t.message) + "\"";
            out += t.detail.empty() ? "/>" : ">" + xml_text(t.detail) + "</" + element + ">";
            out += "\n    </testcase>\n";
        } else {
            out += "/>\n";
        }
        sink(out);
    }
    sink("  </testsuite>\n</testsuites>\n");
}

} // namespace espalier
