// What is written is read as what it was, value for value.
#include "testgen/replay/replay.hpp"
#include "testgen/suite/spelling.hpp"
#include "tests/testgen/suite_reading.hpp"

using namespace espalier;

namespace {

bool same(Value a, Value b) {
    if (is_type(a, ObjectType::fresh))
        return is_type(b, ObjectType::fresh) && a.as_object()->count == b.as_object()->count;
    if (is_pair(a)) return is_pair(b) && same(as_pair(a).car, as_pair(b).car) && same(as_pair(a).cdr, as_pair(b).cdr);
    if (is_type(a, ObjectType::message)) {
        if (!is_type(b, ObjectType::message) || as_message(a).message != as_message(b).message) return false;
        for (uint32_t i = 0; i < as_message(a).count; ++i)
            if (!same(as_message(a).fields[i], as_message(b).fields[i])) return false;
        return true;
    }
    return equal(a, b);
}

bool same(const std::vector<FreshUse>& a, const std::vector<FreshUse>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const FreshUse& x, const FreshUse& y) {
               return x.place == y.place && x.fresh == y.fresh && x.equal == y.equal;
           });
}

void check_same(const Program& program, const Suite& a, const Suite& b) {
    CHECK(a.model == b.model);
    CHECK(a.depth == b.depth);
    CHECK(a.seed == b.seed);
    CHECK(a.complete == b.complete);
    REQUIRE(a.tests.size() == b.tests.size());
    for (size_t t = 0; t < a.tests.size(); ++t) {
        const SuiteTest &x = a.tests[t], &y = b.tests[t];
        CHECK(x.id == y.id);
        CHECK(x.signature == y.signature);
        CHECK(x.covers == y.covers);
        CHECK(x.error == y.error);
        CHECK(x.open_end == y.open_end);
        REQUIRE(x.events.size() == y.events.size());
        for (size_t i = 0; i < x.events.size(); ++i) {
            const SuiteEvent &e = x.events[i], &f = y.events[i];
            CHECK(e.kind == f.kind);
            CHECK(e.port == f.port);
            CHECK_MESSAGE(same(e.value, f.value), to_text(program, e.value) << " and " << to_text(program, f.value));
            CHECK(e.printed == f.printed);
            CHECK(same(e.fresh, f.fresh));
            CHECK(e.units == f.units);
            CHECK(e.taken == f.taken);
            CHECK(e.alternatives == f.alternatives);
            CHECK(e.ready == f.ready);
        }
    }
    REQUIRE(a.targets.size() == b.targets.size());
    for (size_t i = 0; i < a.targets.size(); ++i) {
        CHECK(a.targets[i].status == b.targets[i].status);
        CHECK(a.targets[i].test == b.targets[i].test);
        REQUIRE(a.targets[i].proof.has_value() == b.targets[i].proof.has_value());
        if (a.targets[i].proof) CHECK(a.targets[i].proof->index() == b.targets[i].proof->index());
    }
}

// What a model writes by itself, as a suite; there and back.
void round_trip(const std::string& text) {
    CAPTURE(text);
    const Model model = compiled(text);
    Suite suite;
    suite.model = "model.scm";
    suite.depth = 7;
    suite.seed = UINT64_MAX;
    suite.complete = false;
    suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
    const Replay replay = Replayer(*model.program).replay({}, *suite.values);
    REQUIRE(replay.status != Status::refused);
    SuiteTest test;
    test.id = "t-1";
    test.signature = "1:0/2:1";
    test.covers = replay.covered;
    test.events = replay.events;
    if (replay.error) test.error = replay.error->text;
    test.open_end = ends_open(replay.status);
    CHECK((!test.events.empty() || !test.error.empty() || !test.covers.empty()));
    suite.tests.push_back(test);
    suite.targets.resize(model.program->targets.size());
    for (const TargetId id : replay.covered) suite.targets[index(id)] = {TargetStatus::covered, 0};
    const std::string xml = suite_to_xml(model, suite);
    const Reading read(model, xml);
    check_same(*model.program, suite, read.good());
    CHECK(suite_to_xml(model, read.good()) == xml);
    CHECK(read.differences().empty());
}

} // namespace

TEST_CASE("what became of a target, and who proved it") {
    Model model = compile_text(R"((checkpoint "a") (checkpoint "b") (checkpoint "c") (checkpoint "d"))");
    REQUIRE(model.program);
    Suite suite;
    suite.model = "m.scm";
    suite.targets = {{TargetStatus::unreached},
                     {TargetStatus::infeasible}, // as suites of earlier versions have it
                     {TargetStatus::infeasible, {}, proof::Flow{}},
                     {TargetStatus::infeasible, {}, proof::Exhausted{}}};
    const std::string xml = suite_to_xml(model, suite);
    CHECK(xml.find(R"(<target id="cp:c" status="infeasible" proof="flow" )") != std::string::npos);
    CHECK(xml.find(R"(<target id="cp:d" status="infeasible" proof="exhausted" )") != std::string::npos);
    const Reading read(model, xml);
    check_same(*model.program, suite, read.good());
    CHECK(suite_to_xml(model, read.good()) == xml);
}

TEST_CASE("how a test ends") {
    round_trip("(write 1) (error \"no\" 2)");
    round_trip("(write 1) (assume #f) (write 2)");
    round_trip("(write 1) (read)");
}

TEST_CASE("numbers") {
    round_trip("(write 0) (write -1) (write 123456789012345678901234567890) (write -1152921504606846977) (write 22/7)");
    round_trip("(define-message M (n int)) (define-port o out M) (write o (M 1152921504606846976)) (write o (M (expt 7 "
               "3000))) (write o (M (- (expt 7 3000))))");
}

TEST_CASE("text") {
    const std::string model = "(define-message M (s string)) (define-port o out M) ";
    for (const char* text : {"",
                             " ",
                             "  two  ",
                             "\\t",
                             "\\n",
                             "\\r\\n",
                             "\\x0;",
                             "\\x7;\\x1b;\\x7f;\\x9f;",
                             "\\\\x7;",
                             "\\\\",
                             "\\\\\\x7;",
                             "é𝄞\\x10ffff;",
                             "\\xfffe;\\xffff;\\xfffd;",
                             "\\xd7ff;\\xe000;",
                             "<&>\\\"']]>",
                             "<!-- -->",
                             "&amp;&#10;",
                             "\\x2028;",
                             "\\x85;",
                             "a\\rb",
                             "<![CDATA[x]]>"}) {
        round_trip(model + "(write o (M \"" + text + "\")) (write \"" + text + "\") (write '(\"" + text + "\"))");
    }
}

TEST_CASE("enums hold data of every kind, and the symbol is not the string") {
    const std::string values =
        "red \"red\" 3 \"3\" |odd \\x1; \\n name| #t #\\a #\\space #\\x0 \"a \\\"b\\\"\" (1 (2 x)) || \"\"";
    round_trip("(define-message M (e (enum " + values + ")) (l (list-of (enum " + values +
               ") 9))) (define-port o out M) (for-each (lambda (v) (write o (M v (list v v)))) '(" + values + "))");
    round_trip(
        "(write 'a) (write '|b c|) (write #\\x0) (write #\\() (write '||) (write '|\\x1;|) (write #t) (write #f)");
}

TEST_CASE("lists, messages and bytes, nested and empty") {
    round_trip(
        "(define-message Leaf (n (int -5 5))) (define-message Twig (l (list-of Leaf 2)) (d (bytes 3)))"
        "(define-message Tree (k (list-of (one-of Twig Leaf) 3)) (z (list-of (list-of (list-of bool 2) 2) 2)))"
        "(define-message Empty)"
        "(define-port o out Tree Empty)"
        "(write o (Tree '() '())) (write o (Empty))"
        "(write o (Tree (list (Leaf 1) (Twig (list (Leaf -5) (Leaf 5)) (bytevector)) (Twig '() (bytevector 0 255 "
        "16))) '(() (()) )))"
        "(write o (Tree '() '(((#t #f) ()) ((#f)))))");
    round_trip(
        "(write '()) (write '(())) (write '(1 \"a\" b #\\c (#t) ())) (write (bytevector)) (write (bytevector 1 2))");
}

TEST_CASE("fresh values, and those that are not compared") {
    round_trip(
        "(define-message M (n int) (l (list-of int 3))) (define-port o out M) (define x (fresh int)) (define y "
        "(fresh int)) (write o (M y (list x (any)))) (write o (M x (list x y))) (write o (M (any) (any))) (write x) "
        "(write (any)) (write (list x (any)))");
    round_trip(
        "(define-type id (enum a b)) (define x (fresh id)) (define y (fresh string)) (write x) (write y) (write x)");
}

TEST_CASE("what a suite cannot spell is written as it prints") {
    round_trip(
        "(write (vector 1 2)) (write car) (write '(1 . 2)) (write (list (vector))) (write (if #f #f)) (write out)");
    // Too deep, and too often shared.
    round_trip(
        "(define (nest n v) (if (= n 0) v (nest (- n 1) (list v)))) (write (nest 99 1)) (write (nest 100000 1))");
    round_trip("(define (share n v) (if (= n 0) v (share (- n 1) (list v v)))) (write (share 60 1))");
}

TEST_CASE("names that XML cannot carry, or that look like an escape") {
    round_trip(
        "(define-message |M\\x1;\\t| (|f\\\\x7;| int) (|f\\x7;| int) (|\\\\| int)) (define-port |p\\n<&\"'| out "
        "|M\\x1;\\t|) (checkpoint \"a\\x7;\") (checkpoint \"a\\\\x7;\") (checkpoint \"\\\\x5c;\") (checkpoint \" "
        "two  blanks \") (requirement \"é𝄞\" \"\") (write |p\\n<&\"'| (|M\\x1;\\t| 1 2 3))");
    round_trip("(checkpoint \"\") (error \"bad\\x7;\\n\\t \\\\x7; <&>\\\"\" 1)");
}

TEST_CASE("a message called value") {
    round_trip("(define-message value (value int)) (define-port o out value) (write o (value 1)) (write 2)");
}

TEST_CASE("inputs, waits, choices and schedules") {
    const Model model = compiled("(define-message M (n int) (l (list-of int 3))) (define-message value (v int))"
                                 "(define-port p (in M) (out M)) (define x (fresh int)) (write p (M x '())) (read p)");
    const std::string xml = test_of(
        "<choice taken=\"0\"/><choice taken=\"2\" of=\"3\"/><schedule turn=\"2\" of=\"0 2 2\"/>"
        "<output port=\"p\" message=\"M\"><field name=\"l\" type=\"list\"/><field name=\"n\" type=\"int\" "
        "bind=\"call-id\"/></output>"
        "<wait units=\"123456789012345678901234567890\"/><wait units=\"0\"/>"
        "<input port=\"p\" message=\"M\"><field name=\"n\" type=\"int\" not=\"call-id\">5</field><field name=\"l\" "
        "type=\"list\"><item type=\"int\">1</item><item type=\"int\" ref=\"call-id\"/><item type=\"int\" "
        "not=\"call-id\">2</item></field></input>"
        "<input port=\"in\" message=\"value\"><field name=\"value\" type=\"string\">x</field></input>"
        "<input port=\"in\" message=\"value\"><field name=\"value\" type=\"message\"><message name=\"value\"><field "
        "name=\"v\" type=\"int\" not=\"call-id\">3</field></message></field></input>");
    const Reading first(model, xml);
    REQUIRE(first.good().tests.size() == 1);
    const auto& events = first.good().tests[0].events;
    REQUIRE(events.size() == 9);
    CHECK(events[2].ready == std::vector<uint32_t>{0, 2, 2});
    CHECK(events[4].units.text() == "123456789012345678901234567890");
    REQUIRE(events[6].fresh.size() == 2);
    CHECK(events[6].fresh[0].place == std::vector<uint32_t>{0});
    CHECK(events[6].fresh[1].place == std::vector<uint32_t>{1, 2});
    const std::string written = suite_to_xml(model, first.good());
    const Reading second(model, written);
    check_same(*model.program, first.good(), second.good());
    CHECK(suite_to_xml(model, second.good()) == written);
    CHECK(written.find("not=\"call-id\"") != std::string::npos);
}
