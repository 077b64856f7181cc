// What a system may choose, in a suite: written, read, and held against what came.
#include "testgen/suite/value_range.hpp"

#include "testgen/replay/replay.hpp"
#include "tests/testgen/execute_fake.hpp"

using namespace espalier;

namespace {

bool holds(const char* range, const std::string& json) {
    const auto made = ValueRange::parse(range);
    REQUIRE_MESSAGE(made, range);
    const auto value = parse_json(json);
    REQUIRE_MESSAGE(value, json);
    return (*made)->holds(*value);
}

std::string bind(const std::string& within) {
    return "<output port='p' message='M'><field name='f' type='int' bind='x1'" + within + "/></output>\n";
}

} // namespace

TEST_CASE("integers, at their edges and of any size") {
    for (const char* in : {"1", "9", "10", "65535"}) CHECK(holds("(int 1 65535)", in));
    for (const char* out : {"0", "-1", "65536", "100000", "1.5", "\"1\"", "true", "null", "[1]"})
        CHECK_FALSE(holds("(int 1 65535)", out));
    for (const char* in : {"-10", "-9", "-5", "0", "5"}) CHECK(holds("(int -10 5)", in));
    for (const char* out : {"-11", "-100", "6", "10"}) CHECK_FALSE(holds("(int -10 5)", out));
    CHECK(holds("(int -20 -10)", "-15"));
    CHECK_FALSE(holds("(int -20 -10)", "-9"));
    CHECK_FALSE(holds("(int -20 -10)", "15"));
    CHECK(holds("(int 0 123456789012345678901234567890)", "123456789012345678901234567890"));
    CHECK_FALSE(holds("(int 0 123456789012345678901234567890)", "123456789012345678901234567891"));
    CHECK_FALSE(holds("(int 0 9)", std::string(1'000'000, '7')));
    CHECK(holds("int", std::string(1'000'000, '7')));
}

TEST_CASE("other types") {
    CHECK(holds("(enum red \"Red\" 3 #t)", "\"red\""));
    CHECK(holds("(enum red \"Red\" 3 #t)", "\"Red\""));
    CHECK(holds("(enum red \"Red\" 3 #t)", "3"));
    CHECK(holds("(enum red \"Red\" 3 #t)", "true"));
    CHECK_FALSE(holds("(enum red \"Red\" 3 #t)", "\"3\""));
    CHECK_FALSE(holds("(enum red \"Red\" 3 #t)", "4"));
    CHECK(holds("(bytes 2)", "\"00ff\""));
    CHECK(holds("(bytes 2)", "\"\""));
    CHECK_FALSE(holds("(bytes 2)", "\"00ff00\""));
    CHECK_FALSE(holds("(bytes 2)", "\"0g\""));
    CHECK(holds("(list-of (int 0 9) 2)", "[1,2]"));
    CHECK_FALSE(holds("(list-of (int 0 9) 2)", "[1,2,3]"));
    CHECK_FALSE(holds("(list-of (int 0 9) 2)", "[1,10]"));
    CHECK(holds("(list-of (list-of bool 1) 1)", "[[true]]"));
    CHECK(holds("(list-of string 1)", "[\"a\"]"));
    CHECK_FALSE(holds("(list-of string 1)", "[1]"));
    CHECK(holds("(one-of A |B c|)", R"({"name":"B c","fields":{}})"));
    CHECK_FALSE(holds("(one-of A |B c|)", R"({"name":"C","fields":{}})"));
    CHECK_FALSE(holds("(one-of A |B c|)", "\"A\""));
}

TEST_CASE("lists and bytes among the data of an enum, as they print and in parts") {
    for (const char* in : {"[1]", "[]", "[\"a\",[true,\"00ff\"]]", "\"0aff\"", "\"(1)\"", "\"#u8(10 255)\""})
        CHECK(holds("(enum (1) () (a (#t #u8(0 255))) #u8(10 255))", in));
    for (const char* out : {"[2]", "[1,1]", "[[]]", "[\"a\",[true,\"00fe\"]]", "\"0a\"", "1", "null"})
        CHECK_FALSE(holds("(enum (1) () (a (#t #u8(0 255))) #u8(10 255))", out));
    CHECK(holds("(list-of (enum (1) (2)) 2)", "[[1],[2]]"));
    const std::string deep = "(enum " + std::string(100'000, '(') + std::string(100'000, ')') + ")";
    CHECK_FALSE(holds(deep.c_str(), "[[]]"));
}

TEST_CASE("what is no range is refused, whatever it is") {
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += "(list-of ";
    deep += "bool";
    for (int i = 0; i < 10'000; ++i) deep += " 1)";
    for (const std::string& text : {std::string(),
                                    std::string("("),
                                    std::string("tag"),
                                    std::string("(int)"),
                                    std::string("(int 1)"),
                                    std::string("(int 1 2 3)"),
                                    std::string("(int a b)"),
                                    std::string("(int 1/2 3)"),
                                    std::string("(int 9 1)"),
                                    std::string("(int -1 -9)"),
                                    std::string("(int 1 . 2)"),
                                    std::string("(enum)"),
                                    std::string("(bytes -1)"),
                                    std::string("(bytes 99999999999999999999)"),
                                    std::string("(bytes x)"),
                                    std::string("(list-of (int 1 2))"),
                                    std::string("(list-of (tag) 3)"),
                                    std::string("(one-of 1)"),
                                    std::string("(one-of)"),
                                    std::string("(array int 3)"),
                                    std::string("int int"),
                                    std::string("((int) 1 2)"),
                                    std::string("7"),
                                    std::string("\"int\""),
                                    std::string(200'000, '('),
                                    deep}) {
        const auto made = ValueRange::parse(text);
        REQUIRE(!made);
        CHECK(made.problem().text.starts_with("`within` is a type: "));
    }
}

TEST_CASE("a suite says the range of what the system chooses, and nothing where the type's word does") {
    const Model model =
        compiled("(define-type tag (int 1 99)) (define-message T (n int))"
                 "(define-message M (a int) (b int) (c string) (d (bytes 4)) (e (list-of int 3)) "
                 "(f (enum a |b c| \"b c\" #\\space (x 1))) (g (one-of T)))"
                 "(define-port p out M) (define t (fresh tag))"
                 "(write p (M t (fresh int) (fresh string) (fresh (bytes 2)) (list t (fresh (enum 1 3))) "
                 "(fresh (enum a |b c| \"b c\" #\\space (x 1))) (fresh T)))"
                 "(write (fresh (list-of tag 2)))");
    Replayer replayer(*model.program);
    Suite suite;
    suite.model = "model.scm";
    suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    const Replay replay = replayer.replay({}, *suite.values);
    SuiteTest test;
    test.id = "t";
    test.events = replay.events;
    test.fresh_ranges = replay.fresh_ranges;
    suite.tests.push_back(test);
    suite.targets.resize(model.program->targets.size());
    const std::string xml = suite_to_xml(model, suite);
    CHECK(xml.find("bind=\"x1\" within=\"(int 1 99)\"") != std::string::npos);
    CHECK(xml.find("bind=\"x2\"/>") != std::string::npos);
    CHECK(xml.find("within=\"(bytes 2)\"") != std::string::npos);
    CHECK(xml.find("within=\"(enum 1 3)\"") != std::string::npos);
    CHECK(xml.find("within=\"(one-of T)\"") != std::string::npos);
    CHECK(xml.find("within=\"(list-of (int 1 99) 2)\"") != std::string::npos);
    const Reading read(model, xml);
    CHECK(read.good().tests[0].fresh_ranges == test.fresh_ranges);
    CHECK(suite_to_xml(model, read.good()) == xml);
    CHECK(read.differences() == "");
    CHECK(Executable(xml).good().tests.size() == 1);
}

TEST_CASE("a replay compares the range with the model's") {
    const Model model = compiled("(define-type tag (int 1 9)) (define-message M (f int)) (define-port p out M) "
                                 "(write p (M (fresh tag)))");
    const auto look = [&](const std::string& within) { return Reading(model, test_of(bind(within))).differences(); };
    CHECK(look(" within='(int 1 9)'").empty());
    CHECK(look(" within=' ( int 1  9 )'").empty());
    CHECK(look("").empty()); // a test by hand need not say it
    CHECK(look(" within='(int 1 8)'") == "FAILED t (suite.xml:2:2)\n"
                                         "    output p (M x1)\n"
                                         "  - x1 is within (int 1 8)   (suite.xml:2:2)\n"
                                         "      the model says (int 1 9)\n");
    const Model open = compiled("(define-message M (f int)) (define-port p out M) (write p (M (fresh int)))");
    CHECK(Reading(open, test_of(bind(" within='(int 1 8)'"))).differences().find("the model does not say so") !=
          std::string::npos);
}

TEST_CASE("readers refuse a range that is none, or that stands alone") {
    const Model model = compiled("(define-message M (f int)) (define-port p (in M) (out M)) (read p)");
    const std::string wrong = bind(" within='tag'");
    const std::string alone = "<output port='p' message='M'><field name='f' type='int' within='int'>1</field></output>";
    const std::string sent = "<input port='p' message='M'><field name='f' type='int' within='int'>1</field></input>";
    const std::string says = "`within` is a type: (int 1 9), (enum a b), (bytes 4), (list-of TYPE 3) or (one-of M N)";
    CHECK(Reading(model, test_of(wrong)).errors() == "3:75: " + says);
    CHECK(Executable(test_of(wrong)).errors() == "3:75: " + says);
    for (const std::string& text : {alone, sent}) {
        CHECK(Reading(model, test_of(text)).errors().find("only beside `bind` a range is given") != std::string::npos);
        CHECK(Executable(test_of(text)).errors().find("only beside `bind` a range is given") != std::string::npos);
    }
}

TEST_CASE("readers refuse a range without any value of the field's type") {
    const Model model = compiled("(define-message M (f int)) (define-port p (in M) (out M)) (read p)");
    for (const char* range : {"string", "bool", "(bytes 4)", "(list-of int 3)", "(one-of M)"}) {
        const std::string within = std::string(" within='") + range + "'", text = test_of(bind(within));
        const std::string says = std::string("3:75: no value of type `int` is within `") + range + "`";
        CHECK(Reading(model, text).errors() == says);
        CHECK(Executable(text).errors() == says);
    }
    CHECK(Executable(test_of(bind(" within='(enum 1 2)'"))).errors() == ""); // its data are integers
}

TEST_CASE("a type that is nested deeper than readers follow has no range in the suite") {
    const auto model_of = [](const std::string& type) {
        return compiled("(define-message M (f " + type + ")) (define-port p out M) (write p (M (fresh " + type + ")))");
    };
    for (const bool deep : {false, true}) {
        const int depth = deep ? 100 : 99;
        std::string type = "(int 1 9)";
        for (int i = 0; i < depth; ++i) type.insert(0, "(list-of ").append(" 2)");
        const Model model = model_of(type);
        Replayer replayer(*model.program);
        Heap values(Heap::Lifetime::immortal);
        const Replay replay = replayer.replay({}, values);
        REQUIRE(replay.fresh_ranges.size() == (deep ? 0 : 1));
        if (!deep) CHECK(ValueRange::parse(replay.fresh_ranges.at(1)).has_value());
    }
}

TEST_CASE("a system that chooses what it may not fails, whatever else the model could do") {
    const char* const text = "(define-message Go) (define-message M (f int)) (define-port p (in Go) (out M)) (read p) "
                             "(choose (write p (M (fresh (int 1 9)))) (write p (M (fresh (int 20 29))))) (read p)";
    const Model model = compiled(text);
    const std::string xml =
        test_of("<input port='p' message='Go'/><choice taken='0' of='2'/>" + bind(" within='(int 1 9)'"));
    const Executable of(xml);
    const Reading read(model, xml);
    CHECK(read.differences().empty());
    Alternatives alternatives(model);
    const auto run = [&](const std::string& chosen) {
        FakeAdapter adapter([&](const std::string&) {
            return std::vector<Reply>{out("p", "M", "'f':" + chosen), quiet()};
        });
        TestRun made = execute_test(adapter, of.good().tests.at(0), {});
        if (made.verdict == TestVerdict::fail)
            reconsider(made, of.good().tests.at(0), &read.good().tests.at(0), &alternatives);
        return made;
    };
    CHECK(run("1").verdict == TestVerdict::pass);
    CHECK(run("25").verdict == TestVerdict::inconclusive);
    const TestRun zero = run("0");
    CHECK(zero.verdict == TestVerdict::fail);
    REQUIRE(zero.lines.size() == 4);
    CHECK(zero.lines[3].details == std::vector<std::string>{"f: expected a value of (int 1 9), found 0"});
}
