// From what the search found to a suite: replayed, reduced, named; and written as XML.
#include <doctest/doctest.h>

#include "testgen/generate/suite_maker.hpp"
#include "testgen/suite/spelling.hpp"
#include "tests/testgen/found_by_hand.hpp"

using namespace espalier;
using espalier::test::Found;

namespace {

const char* const three = "(define n (read)) (if (> n 0) (checkpoint \"Positive N\") (checkpoint not/positive))"
                          "(if (= n 5) (checkpoint five)) (write (* n n))";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A model that writes one string, and the field of the suite that says so.
std::string field_of(const std::string& literal) {
    Found found("(checkpoint c) (define-message M (s string)) (define-port o out M) (write o (M " + literal + "))");
    const std::string xml = found.test({}).xml();
    const size_t from = xml.find("<field"), to = xml.find("</field>");
    REQUIRE(from != std::string::npos);
    return to == std::string::npos ? xml.substr(from, xml.find("/>", from) - from) : xml.substr(from, to - from);
}

} // namespace

TEST_CASE("a test that others make unnecessary is left out, the later one first") {
    CHECK(Found(three).test({"5"}).test({"-1"}).test({"3"}).ids() == "cp-positive-n cp-not-positive");
    CHECK(Found(three).test({"3"}).test({"5"}).test({"-1"}).ids() == "cp-positive-n cp-not-positive");
    CHECK(Found(three).test({"-1"}).test({"-2"}).test({"-3"}).ids() == "cp-not-positive");
    CHECK(Found(three).test({}).ids().empty()); // it covers nothing
}

TEST_CASE("every target covered before is covered afterwards, by the test that the suite names") {
    Found found(three);
    const Suite& suite = found.test({"3"}).test({"5"}).test({"-1"}).test({"4"}).suite();
    REQUIRE(suite.targets.size() == 3);
    for (uint32_t i = 0; i < 3; ++i) {
        REQUIRE(suite.targets[i].status == TargetStatus::covered);
        REQUIRE(suite.targets[i].test.has_value());
        const auto& covers = suite.tests[*suite.targets[i].test].covers;
        CHECK(std::find(covers.begin(), covers.end(), TargetId{i}) != covers.end());
    }
    // No test could be missing.
    for (const SuiteTest& t : suite.tests) {
        bool alone = false;
        for (const TargetId id : t.covers) {
            size_t count = 0;
            for (const SuiteTest& other : suite.tests)
                count += std::find(other.covers.begin(), other.covers.end(), id) != other.covers.end() ? 1U : 0U;
            alone = alone || count == 1;
        }
        CHECK_MESSAGE(alone, t.id);
    }
}

TEST_CASE("ids are slugs of the target that only this test covers, and differ") {
    const char* const clash = "(define n (read)) (if (= n 1) (checkpoint \"A b\")) (if (= n 2) (checkpoint \"a  B!\")) "
                              "(if (= n 3) (checkpoint \"ä\"))"
                              "(if (= n 4) (checkpoint \"--a--b--\"))";
    CHECK(Found(clash).test({"1"}).test({"2"}).test({"3"}).test({"4"}).ids() == "cp-a-b cp-a-b-2 cp cp-a-b-3");
    Found machine("(define-message Up) (define-port u in Up) (define-machine (Light-1) (state Off (on (u Up) -> On)) "
                  "(state On (final))) (Light-1)");
    const std::string id = machine.test({"(Up)"}, {}, 2).ids();
    CHECK(id == "state-light-1-off");
}

TEST_CASE("tests that end in a model error stay, with an id and the error's text") {
    Found found("(define n (read)) (checkpoint a) (if (= n 1) (error \"one\" n)) (if (= n 2) (car n)) (checkpoint b)");
    const Suite& suite = found.test({"0"}).error({"1"}).error({"2"}).suite();
    REQUIRE(suite.tests.size() == 3);
    CHECK(suite.tests[0].error.empty());
    CHECK(suite.tests[1].error == "one 1");
    CHECK(suite.tests[2].error == "car: 2 is not a pair");
    CHECK(suite.tests[1].id.substr(0, 5) == "error");
    CHECK(suite.tests[1].id != suite.tests[2].id);
}

TEST_CASE("the same error in two places has two tests, also where they cover the same") {
    Found found("(define n (read)) (checkpoint a) (if (= n 1) (assert (= n 5))) (if (= n 2) (assert (= n 5)))");
    found.error({"1"}).error({"2"});
    found.exploration.errors[1].signature.choices = {{Label{0}, 1, 2}};
    const Suite& suite = found.suite();
    REQUIRE(suite.tests.size() == 2);
    CHECK(suite.tests[0].error == suite.tests[1].error);
    CHECK(suite.tests[0].error_at != suite.tests[1].error_at);
}

TEST_CASE("what does not replay is no test, and is said") {
    Found refused(three);
    CHECK(refused.test({"5", "6"}).test({"1"}).suite().tests.size() == 1);
    REQUIRE(refused.made.not_replayed.size() == 1);
    CHECK(has(refused.made.not_replayed[0], "step 2 is refused"));
    Found misses(three);
    CHECK(misses.test({"-1"}, {"five"}).suite().tests.empty());
    REQUIRE(misses.made.not_replayed.size() == 1);
    CHECK(has(misses.made.not_replayed[0], "cp:five"));
    Found error(three);
    CHECK(error.error({"1"}).suite().tests.empty());
    CHECK(error.made.not_replayed.size() == 1);
}

TEST_CASE("what the search covered is covered: where its test was dropped that is said, and the test is kept") {
    Found found(three);
    found.test({"-1"}, {"not/positive"}).test({"5"}, {"Positive N", "five"});
    found.exploration.covered.assign(found.model.program->targets.size(), false);
    for (const char* name : {"not/positive", "Positive N", "five"})
        found.exploration.covered[index(found.target(name))] = true;
    CHECK(found.suite().tests.size() == 2);
    CHECK(found.made.not_replayed.empty());
    found.exploration.spare.push_back(std::move(found.exploration.tests.back()));
    found.exploration.tests.pop_back();
    CHECK(found.suite().tests.size() == 2);
    for (const char* name : {"not/positive", "Positive N", "five"})
        CHECK(found.made.targets[index(found.target(name))].status == TargetStatus::covered);
    REQUIRE(found.made.not_replayed.size() == 1); // the test that is kept covers both targets
    CHECK(has(found.made.not_replayed[0], "was covered by the search"));
    found.exploration.spare.clear();
    CHECK(found.suite().tests.size() == 1);
    CHECK(found.made.not_replayed.size() == 2);
}

TEST_CASE("a suite's events are what replaying gives") {
    Found found("(define-timer t) (define-message A (n int)) (define-port p (in A) (out A)) (checkpoint c)"
                "(choose 1 (write p (A 100))) (let ((m (read p))) (write p m) (start t 9) (select ((timeout t) (write "
                "p (A 2)))))");
    FoundTest t;
    TestStep choice;
    choice.kind = TestStep::Kind::choice;
    choice.choice.taken = 1;
    choice.choice.of = 2;
    t.steps.push_back(choice);
    t.steps.push_back(found.inputs({"(A 1)"}, 2)[0]);
    TestStep wait;
    wait.kind = TestStep::Kind::wait;
    wait.units = 9;
    t.steps.push_back(wait);
    found.exploration.tests.push_back(t);
    const Suite& suite = found.suite();
    CHECK(suite.not_replayed.empty());
    REQUIRE(suite.tests.size() == 1);
    std::string all;
    for (const SuiteEvent& e : suite.tests[0].events) {
        switch (e.kind) {
        case SuiteEvent::Kind::choice:
            all += "choice " + std::to_string(e.taken) + " of " + std::to_string(e.alternatives);
            break;
        case SuiteEvent::Kind::input: all += "in " + to_text(*found.model.program, e.value); break;
        case SuiteEvent::Kind::output: all += "out " + to_text(*found.model.program, e.value); break;
        case SuiteEvent::Kind::wait: all += "wait " + e.units.text(); break;
        case SuiteEvent::Kind::schedule: all += "schedule"; break;
        }
        all += "; ";
    }
    CHECK(all == "choice 1 of 2; out (A 100); in (A 1); out (A 1); wait 9; out (A 2); ");
}

TEST_CASE("the XML of a suite") {
    Found found(three);
    found.exploration.complete = false;
    const std::string xml = found.test({"5"}).test({"-3"}).xml();
    CHECK(has(xml,
              "<suite xmlns=\"urn:espalier:suite:1\" model=\"model.scm\" depth=\"3\" seed=\"7\" complete=\"false\">"));
    CHECK(has(xml, "<covers target=\"cp:Positive N\"/>"));
    CHECK(has(xml, "<input port=\"in\" message=\"value\">"));
    CHECK(has(xml, "<field name=\"value\" type=\"int\">-3</field>"));
    CHECK(has(xml, "<field name=\"value\" type=\"int\">9</field>"));
    CHECK(has(xml, "<target id=\"cp:five\" status=\"covered\" test=\"cp-positive-n\" at=\"model.scm:1:"));
}

TEST_CASE("values of every type") {
    Found found("(define-message In (n int)) (define-message M (i (int 0 9)) (b bool) (e (enum red 3 \"x y\")) (s "
                "string) (d (bytes 4))"
                " (l (list-of In 3)) (o (one-of In)) (z (list-of int 2)))"
                "(define-port o out M) (checkpoint c)"
                "(write o (M 7 #t 'red \"a<b>&\\\"'\" (bytevector 0 255) (list (In 1) (In "
                "123456789012345678901234567890)) (In -5) '()))"
                "(write o (M 7 #f \"x y\" \"\" (bytevector) '() (In 0) '(1 2)))");
    const std::string xml = found.test({}).xml();
    CHECK(has(xml, "<field name=\"i\" type=\"int\">7</field>"));
    CHECK(has(xml, "<field name=\"b\" type=\"bool\">#t</field>"));
    CHECK(has(xml, "<field name=\"e\" type=\"enum\">red</field>"));
    CHECK(has(xml, "a&lt;b&gt;&amp;"));
    CHECK(has(xml, "<field name=\"d\" type=\"bytes\">00ff</field>"));
    CHECK(has(xml, "123456789012345678901234567890"));
    CHECK(has(xml, "<message name=\"In\">"));
    CHECK(has(xml, "<field name=\"z\" type=\"list\"/>"));
    CHECK(has(xml, "<item type=\"int\">2</item>"));
}

TEST_CASE("fresh values are bound once, then referred to; any is not compared") {
    Found found(
        "(define-message M (n int)) (define-port o out M) (checkpoint c) (define x (fresh int)) (define y (fresh int))"
        "(write o (M y)) (write o (M x)) (write o (M y)) (write o (M (any)))");
    const std::string xml = found.test({}).xml();
    const size_t first = xml.find("bind=\"x2\""), second = xml.find("bind=\"x1\""), third = xml.find("ref=\"x2\"");
    CHECK(first < second);
    CHECK(second < third);
    CHECK(third != std::string::npos);
    CHECK_FALSE(has(xml, "ref=\"x1\""));
    CHECK(has(xml, "any=\"true\""));
}

TEST_CASE("an output that binds a name says which others the model wants it to differ from") {
    const auto binds = [](const std::string& body) { // each `bind`, with its `not`
        Found found("(define-type tag (int 0 9)) (define-message M (n int) (t tag)) (define-port o out M) "
                    "(define-message L (l (list-of int 3))) (define-port l out L) (checkpoint c) " +
                    body);
        const std::string xml = found.test({}).xml();
        std::string all;
        for (size_t at = xml.find("bind="); at != std::string::npos; at = xml.find("bind=", at + 1))
            all += (all.empty() ? "" : " | ") + xml.substr(at, xml.find("/>", at) - at);
        return all;
    };
    // By the language; each pair once, where the second of them gets its name
    CHECK(
        binds("(define x (fresh int)) (define y (fresh int)) (write o (M y 0)) (write o (M x 0)) (write o (M y 0))") ==
        R"(bind="x2" | bind="x1" not="x2")");
    CHECK(binds("(write l (L (list (fresh int) (fresh int) (fresh int))))") ==
          R"(bind="x1" | bind="x2" not="x1" | bind="x3" not="x1 x2")");
    // By a list; and not without one
    CHECK(binds("(define x (fresh int '())) (define y (fresh int (list 7 x))) (define z (fresh int '()))"
                "(write l (L (list x y z)))") == R"(bind="x1" | bind="x2" not="x1" | bind="x3")");
    // Different types are different worlds, until the model compares them: also in a table, and in parts.
    const std::string two = "(define x (fresh int)) (define y (fresh tag)) ";
    const std::string of_two = R"~(bind="x1" | bind="x2" within="(int 0 9)")~";
    CHECK(binds(two + "(write o (M x y))") == of_two);
    for (const char* compares :
         {"(eq? x y)", "(eqv? x y)", "(equal? x y)", "(= x y)", "(equal? (list 1 x) (list 1 y))", "(memv y (list 5 x))",
          "(let ((t (make-hash-table))) (hash-table-set! t x 1) (hash-table-set! t y 2))"}) {
        CAPTURE(compares);
        CHECK(binds(two + compares + "(write o (M x y))") == of_two + " not=\"x1\"");
        CHECK(binds(two + "(write o (M x y))" + compares) == of_two + " not=\"x1\"");
    }
}

TEST_CASE("text that XML cannot carry is escaped, and says so") {
    CHECK(field_of("\"plain é 𝄞\"") == "<field name=\"s\" type=\"string\">plain é 𝄞");
    CHECK(field_of("\"\"") == "<field name=\"s\" type=\"string\">");
    CHECK(field_of("\" two  blanks \"") == "<field name=\"s\" type=\"string\"> two  blanks ");
    CHECK(field_of("\"tab\\tline\\n\"") == "<field name=\"s\" type=\"string\">tab\tline\n");
    CHECK(field_of("\"bell\\x7;\"") == "<field name=\"s\" type=\"string\" escaped=\"true\">bell\\x7;");
    CHECK(field_of("\"\\x0;\\r\\\\\"") == "<field name=\"s\" type=\"string\" escaped=\"true\">\\x0;\\xd;\\x5c;");
    CHECK(field_of("\"\\\\x7;\"") == "<field name=\"s\" type=\"string\">\\x7;"); // a backslash alone is plain text
    CHECK(field_of("\"\\xfffe;\\xffff;\\xfffd;\"") ==
          "<field name=\"s\" type=\"string\" escaped=\"true\">\\xfffe;\\xffff;\xef\xbf\xbd");
}

TEST_CASE("names that XML cannot carry are escaped in attributes too") {
    Found found("(define-message |M\\x1;| (|f\\t| int)) (define-port |p\\n| out |M\\x1;|) (checkpoint "
                "\"a\\x7;b\\nc\\td<&>\\\"\") (write |p\\n| (|M\\x1;| 1))");
    const std::string xml = found.test({}).xml();
    CHECK(has(xml, "target=\"cp:a\\x7;b\\xa;c\\x9;d&lt;&amp;&gt;&quot;\""));
    CHECK(has(xml, "port=\"p\\xa;\""));
    CHECK(has(xml, "message=\"M\\x1;\""));
    CHECK(has(xml, "name=\"f\\x9;\""));
    for (const char c : xml) CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
}

TEST_CASE("the same exploration gives the same bytes") {
    const auto make = [] { return Found(three).test({"3"}).test({"5"}).test({"-1"}).xml(); };
    CHECK(make() == make());
}

TEST_CASE("a model is compiled once, however many tests are replayed") {
    const std::string many = "(define (f n) (if (> n 0) (g (- n 1)) 0)) (define (g n) (* n n))"
                             "(define n (read)) (checkpoint a) (write (f n))";
    Found few(many), lots(many);
    few.test({"1"}).test({"2"}).suite();
    for (int i = 0; i < 500; ++i) lots.test({std::to_string(i % 7)});
    lots.suite();
    CHECK(few.translations > 0);
    CHECK(lots.translations == few.translations);
}

TEST_CASE("making a suite can be stopped: what was replayed is a whole suite, the rest is counted") {
    Found found(three);
    found.test({"3"}).test({"5"}).test({"-1"}).error({"0"});
    uint32_t asked = 0;
    found.request.stop = [&] { return ++asked > 1; };
    const Suite& suite = found.suite();
    CHECK(suite.left_out == 3);
    CHECK(asked == 2); // who was asked to stop does not ask again
    CHECK(!suite.complete);
    CHECK(suite.not_replayed.empty());
    REQUIRE(suite.tests.size() == 1);
    CHECK(suite.tests[0].id == "cp-positive-n");
    CHECK(suite.targets[index(found.target("Positive N"))].status == TargetStatus::covered);
    CHECK(suite.targets[index(found.target("five"))].status == TargetStatus::unreached);
}

TEST_CASE("only what was asked for makes a test needed, and gives it its name") {
    Found found(three);
    found.request.wanted.assign(3, false);
    found.request.wanted[index(found.target("five"))] = true;
    CHECK(found.test({"-1"}).test({"5"}).test({"3"}).ids() == "cp-five");
    CHECK(found.made.targets[index(found.target("Positive N"))].status == TargetStatus::covered);
    CHECK(found.made.targets[index(found.target("not/positive"))].status == TargetStatus::unreached);
}

TEST_CASE("how a run ends says whether the end of a test is open") {
    const auto one = [](const char* rest, bool said) {
        Found f(std::string("(define n (read)) (write n) (checkpoint here) ") + rest);
        f.test({"1"}, {"here"}).exploration.tests[0].open_end = said;
        return f.xml();
    };
    CHECK(has(one("(assume #f)", true), "<test id=\"cp-here\" signature=\"\" end=\"open\">"));
    CHECK(has(one("(let loop () (loop))", true), " end=\"open\""));
    CHECK(has(one("(let loop () (loop))", false), " end=\"open\"")); // too long for the interpreter alone
    // The search may not have found what a run then finds.
    CHECK_FALSE(has(one("(read)", true), " end="));
    CHECK(has(one("(error \"no\")", true), " error=\"no\""));
    CHECK_FALSE(has(one("(error \"no\")", true), " end="));
    CHECK_FALSE(has(one("", false), " end="));
}

TEST_CASE("a test of which the search knows how it goes on, and the run does not, is a mistake of ours") {
    Found f("(define n (read)) (checkpoint here) (assume #f)");
    f.test({"1"}, {"here"});
    CHECK(f.suite().tests.empty());
    REQUIRE(f.made.not_replayed.size() == 1);
    CHECK(has(f.made.not_replayed[0], "an assumption fails at its end"));
}
