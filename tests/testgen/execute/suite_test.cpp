// A suite read without its model, its values as JSON, and hostile suites.
#include <chrono>

#include "testgen/execute/match.hpp"
#include "tests/testgen/execute_fake.hpp"

using namespace espalier;

namespace {

std::string field(const std::string& attributes, const std::string& text) {
    return "<field name='f' " + attributes + ">" + text + "</field>";
}
std::string input(const std::string& inside) { return "<input port='p' message='M'>" + inside + "</input>\n"; }
std::string output(const std::string& inside) { return "<output port='p' message='M'>" + inside + "</output>\n"; }

// The `fields` that an adapter is sent.
std::string sent(const std::string& inside) {
    const Executable of(test_of(input(inside)));
    const auto& step = *of.good().tests.at(0).stages.at(1).step;
    const auto line = input_line(std::get<TestInput>(step).exchange, {}, 1);
    REQUIRE(line.has_value());
    const std::string before = R"({"type":"input","port":"p","message":"M","fields":{"f":)", after = "},\"step\":1}";
    REQUIRE(line->starts_with(before));
    REQUIRE(line->ends_with(after));
    return line->substr(before.size(), line->size() - before.size() - after.size());
}

bool matches(const std::string& inside, const std::string& json) {
    const Executable of(test_of(output(inside)));
    const auto value = parse_json(json);
    REQUIRE_MESSAGE(value, json);
    NamedValues names;
    const ExecutableTest test = of.good().tests.at(0);
    return SeenMatcher(names, test.apart)
        .matches(test.stages.at(0).outputs.at(0).exchange, {"p", "M", {{"f", *value}}});
}

std::string errors(const std::string& inside) { return Executable(test_of(inside)).errors(); }

} // namespace

TEST_CASE("values of a suite as JSON") {
    CHECK(sent(field("type='int'", " +007 ")) == "7");
    CHECK(sent(field("type='int'", "-123456789012345678901234567890")) == "-123456789012345678901234567890");
    CHECK(sent(field("type='int'", "2/6")) == "\"1/3\"");
    CHECK(sent(field("type='bool'", "#t")) == "true");
    CHECK(sent(field("type='bool'", "false")) == "false");
    CHECK(sent(field("type='enum'", "red")) == "\"red\"");
    CHECK(sent(field("type='enum'", "100")) == "100");
    CHECK(sent(field("type='enum'", "\"a \\\" string\"")) == R"("a \" string")");
    CHECK(sent(field("type='enum'", "#f")) == "false");
    CHECK(sent(field("type='enum'", "|two words|")) == "\"two words\"");
    CHECK(sent(field("type='string'", " 1 ")) == "\" 1 \"");
    CHECK(sent(field("type='string' escaped='true'", "\\x7;\\x5c;")) == R"("\u0007\\")");
    CHECK(sent(field("type='bytes'", "00FF")) == "\"00ff\"");
    CHECK(sent(field("type='list'", "")) == "[]");
    CHECK(sent(field("type='list'", "<item type='int'>1</item><item type='list'><item type='bool'>#t</item></item>")) ==
          "[1,[true]]");
    CHECK(sent(field("type='message'", "<message name='N'><field name='a' type='int'>1</field></message>")) ==
          R"({"name":"N","fields":{"a":1}})");
}

TEST_CASE("what a system sends, compared by the types of the suite") {
    CHECK(matches(field("type='int'", "7"), "7"));
    CHECK_FALSE(matches(field("type='int'", "7"), "7.0"));
    CHECK_FALSE(matches(field("type='int'", "7"), "\"7\""));
    CHECK(matches(field("type='int'", "1/3"), "\"1/3\""));
    CHECK(matches(field("type='int'", "-0"), "-0"));
    CHECK(matches(field("type='bool'", "#t"), "true"));
    CHECK_FALSE(matches(field("type='bool'", "#t"), "1"));
    CHECK(matches(field("type='bytes'", "00ff"), "\"00FF\""));
    CHECK_FALSE(matches(field("type='bytes'", "00ff"), "\"ff\""));
    CHECK_FALSE(matches(field("type='bytes'", "00"), "\"zz\""));
    CHECK(matches(field("type='list'", "<item type='int'>1</item>"), "[1]"));
    CHECK_FALSE(matches(field("type='list'", "<item type='int'>1</item>"), "[1,1]"));
    CHECK_FALSE(matches(field("type='list'", ""), "{}"));
    const std::string nested =
        field("type='message'", "<message name='N'><field name='a' type='int'>1</field></message>");
    CHECK(matches(nested, R"({"name":"N","fields":{"a":1}})"));
    CHECK_FALSE(matches(nested, R"({"name":"O","fields":{"a":1}})"));
    CHECK_FALSE(matches(nested, R"({"name":"N","fields":{"a":1,"b":2}})"));
    CHECK_FALSE(matches(nested, R"({"name":"N"})"));
    CHECK_FALSE(matches(nested, "1"));
    CHECK(matches(field("type='other'", "#(1 2)"), "\"#(1 2)\""));
    CHECK(matches(field("type='int' any='true'", ""), "null"));
    struct Kind {
        std::string type, good, bad;
    };
    for (const Kind& k : {Kind{"int", "1", "1.5"}, Kind{"bool", "true", "0"}, Kind{"string", "\"\"", "1"},
                          Kind{"bytes", "\"00\"", "\"0\""}, Kind{"list", "[]", "{}"}, Kind{"message", "{}", "[]"},
                          Kind{"enum", "\"x\"", "null"}}) {
        const std::string bound = field("type='" + k.type + "' bind='x1'", "");
        CHECK_MESSAGE(matches(bound, k.good), k.type);
        CHECK_MESSAGE(!matches(bound, k.bad), k.type);
    }
}

TEST_CASE("stages: a step, and what may happen before the next one") {
    const Executable of(test_of(output("") + input("") + "<choice taken='1' of='2'/>" + output("") + output("") +
                                "<wait units='3'/><schedule turn='0' of='1 2'/>"));
    const ExecutableTest& test = of.good().tests.at(0);
    REQUIRE(test.stages.size() == 3);
    CHECK_FALSE(test.stages[0].step.has_value());
    CHECK(test.stages[0].outputs.size() == 1);
    CHECK(test.stages[1].outputs.size() == 2);
    CHECK(test.stages[1].decisions.at(0).shown == "choice 1 of 2");
    CHECK(std::get<TestWait>(*test.stages[2].step).units == 3);
    CHECK(test.stages[2].decisions.at(0).shown == "schedule turn 0 of the threads 1 2");
    CHECK(test.has_decisions);
}

TEST_CASE("mistakes of a suite are said with their places") {
    CHECK(errors(input(field("type='number'", "1"))) == "3:51: there is no type `number`");
    CHECK(errors(input(field("type='int'", "one"))) == "3:30: `one` is not of type `int`");
    CHECK(errors(input(field("type='int' bind='x'", ""))) == "3:56: only an output binds a name; an input says `ref`");
    CHECK(errors(input(field("type='int' any='true'", ""))).find("only in an output it may be any") !=
          std::string::npos);
    CHECK(errors(output(field("type='int' not='x'", "1"))).find("only an input, or") != std::string::npos);
    CHECK(errors(output(field("type='int' ref='x' not='y'", ""))).find("only an input, or") != std::string::npos);
    CHECK(errors(output(field("type='int' bind='x' not='y x'", ""))).find("`x` cannot differ from itself") !=
          std::string::npos);
    CHECK(errors(output(field("type='int' bind='x' any='true'", ""))).find("only one of") != std::string::npos);
    CHECK(errors(output(field("type='int' bind='1 2'", ""))).find("is not a name") != std::string::npos);
    CHECK(errors(input(field("type='int' not=' '", "1"))).find("names one or more") != std::string::npos);
    CHECK(errors(input(field("type='int'", "<item type='int'/>"))).find("is text") != std::string::npos);
    CHECK(errors(input(field("type='other'", "x"))).find("only an output") != std::string::npos);
    CHECK(errors(input(field("type='int'", "1") + field("type='int'", "1"))).find("given twice") != std::string::npos);
    CHECK(errors("<output port='p'/>").find("needs the attribute") != std::string::npos);
    CHECK(errors("<jump/>").find("there is no element `jump`") != std::string::npos);
    CHECK(errors("<wait units='-1'/>").find("a whole number") != std::string::npos);
    CHECK(Executable("<tests/>").errors().find("the root element") != std::string::npos);
    CHECK(Executable(suite_of("<test id='a'/><test id='a'/>")).errors() == "2:25: there is a test `a` before");
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "<jump/>";
    CHECK(Executable(test_of(many)).diagnostics.error_count() == most_suite_errors);
}

TEST_CASE("hostile suites are refused, at a cost in proportion to their size") {
    CHECK(Executable("<!DOCTYPE suite [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
                     "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]><suite>&c;</suite>")
              .errors()
              .find("document type") != std::string::npos);
    CHECK(Executable("<!DOCTYPE suite [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><suite>&x;</suite>").errors() != "");
    std::string deep;
    constexpr int levels = 200'000;
    for (int i = 0; i < levels; ++i) deep += "<item type='list'>";
    for (int i = 0; i < levels; ++i) deep += "</item>";
    CHECK(errors(input(field("type='list'", deep))).find("nested too deeply") != std::string::npos);
    std::string messages, ends;
    for (int i = 0; i < levels; ++i) {
        messages += "<message name='M'><field name='f' type='message'>";
        ends += "</field></message>";
    }
    CHECK(errors(input(field("type='message'", messages + ends))).find("nested too deeply") != std::string::npos);
    std::string same;
    for (int i = 0; i < levels; ++i) same += "<test id='a'/>";
    CHECK(Executable(suite_of(same)).diagnostics.error_count() == most_suite_errors);
}

TEST_CASE("an open end is read, and nothing else of that name") {
    const auto read = [](const std::string& attributes) {
        return Executable(suite_of("<test id='t'" + attributes + "/>"));
    };
    CHECK(read(" end='open'").good().tests.at(0).open_end);
    CHECK_FALSE(read("").good().tests.at(0).open_end);
    CHECK(read(" end='shut'").errors() == "2:19: `end` is open, or not there");
    CHECK(read(" end='open' error='no'").errors() ==
          "2:14: a test that ends in a model error says nothing else of its end");
}
