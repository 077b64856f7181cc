#include <doctest/doctest.h>

#include <limits>

#include "testgen/text/escapes.hpp"
#include "testgen/text/junit.hpp"

using namespace espalier;

namespace {

std::string written(const JunitSuite& suite) {
    std::string out;
    write_junit(suite, [&](std::string_view part) { out += part; });
    return out;
}

} // namespace

TEST_CASE("results of each kind as JUnit XML") {
    const JunitSuite suite{"desk-suite.xml",
                           {{"a", 0.25, TestVerdict::pass, "", ""},
                            {"b", 1, TestVerdict::fail, "expected <yes>, found \"no\"", "- yes\n+ no\n"},
                            {"c", 0, TestVerdict::inconclusive, "another schedule", ""},
                            {"d", 0, TestVerdict::error, "no answer", "the adapter ended"},
                            {"e", 0, TestVerdict::fail, "x", ""}}};
    CHECK(written(suite) == R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="2" errors="1" skipped="1" time="1.250000">
  <testsuite name="desk-suite.xml" tests="5" failures="2" errors="1" skipped="1" time="1.250000">
    <testcase classname="desk-suite.xml" name="a" time="0.250000"/>
    <testcase classname="desk-suite.xml" name="b" time="1.000000">
      <failure message="expected &lt;yes&gt;, found &quot;no&quot;">- yes
+ no
</failure>
    </testcase>
    <testcase classname="desk-suite.xml" name="c" time="0.000000">
      <skipped message="another schedule"/>
    </testcase>
    <testcase classname="desk-suite.xml" name="d" time="0.000000">
      <error message="no answer">the adapter ended</error>
    </testcase>
    <testcase classname="desk-suite.xml" name="e" time="0.000000">
      <failure message="x"/>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST_CASE("times that no clock gives are still numbers") {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::string out = written({"s", {{"a", infinity, TestVerdict::pass, "", ""}}});
    CHECK(out.find("inf") == std::string::npos);
    CHECK(out.find("name=\"a\" time=\"0.000000\"") != std::string::npos);
}

TEST_CASE("XML carries any bytes") {
    using namespace std::string_literals;
    CHECK(xml_text("a<b>&\"'\n\t") == "a&lt;b&gt;&amp;\"'\n\t");
    CHECK(xml_attribute("a<b>&\"'\n\t") == "a&lt;b&gt;&amp;&quot;'&#10;&#9;");
    CHECK(xml_text("]]>") == "]]&gt;");
    CHECK(xml_text("\x1b[31m\0"s) == "\\x1b;[31m\\x0;");
    CHECK(xml_text("\r\n") == "&#13;\n");
    CHECK(xml_text("\xff z\xed\xa0\x80") == "\xef\xbf\xbd z\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(xml_text("\xef\xbf\xbf\xc3\xa9") == "\\xffff;\xc3\xa9");
}
