// A suite against its model: what is the same passes, and each way to differ is found and shown.
#include <algorithm>

#include "testgen/replay/replay.hpp"
#include "tests/testgen/suite_reading.hpp"

using namespace espalier;

namespace {

// What `replay` shows of a suite with one test; empty where it passes.
std::string differences(const std::string& model_text, const std::string& inside) {
    const Model model = compiled(model_text);
    return Reading(model, test_of(inside)).differences();
}

const char* const echo =
    "(define-message A (n int) (s string)) (define-message B) (define-port p (in A B) (out A B)) "
    "(define-port q out A B) (define (f) (let ((m (read p))) (checkpoint got) (write p m) (write q m) "
    "(write p (B)) (f))) (f)";

std::string a(const char* element, const char* port, const char* n, const char* s) {
    return std::string("<") + element + " port='" + port + "' message='A'><field name='n' type='int'>" + n +
           "</field><field name='s' type='string'>" + s + "</field></" + element + ">\n";
}
std::string b(const char* element, const char* port) {
    return std::string("<") + element + " port='" + port + "' message='B'/>\n";
}
std::string bare(const char* element, const char* attributes, const char* text) {
    return std::string("<") + element + " port='" + (std::string(element) == "input" ? "in" : "out") +
           "' message='value'><field name='value' " + attributes + ">" + text + "</field></" + element + ">\n";
}

} // namespace

TEST_CASE("outputs are in order on one port, in any order between ports") {
    const std::string in = a("input", "p", "1", "x");
    CHECK(differences(echo, in + a("output", "p", "1", "x") + a("output", "q", "1", "x") + b("output", "p")).empty());
    CHECK(differences(echo, in + a("output", "q", "1", "x") + a("output", "p", "1", "x") + b("output", "p")).empty());
    CHECK(differences(echo, in + a("output", "p", "1", "x") + b("output", "p") + a("output", "q", "1", "x")).empty());
    CHECK_FALSE(
        differences(echo, in + b("output", "p") + a("output", "p", "1", "x") + a("output", "q", "1", "x")).empty());
}

TEST_CASE("changed, missing and unexpected outputs are shown as such") {
    const std::string in = a("input", "p", "1", "x");
    CHECK(differences(echo, in + a("output", "p", "2", "y") + b("output", "p") + a("output", "q", "1", "x")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    input p (A 1 \"x\")\n"
          "  - output p (A 2 \"y\")   (suite.xml:4:2)\n"
          "  + output p (A 1 \"x\")\n"
          "      n: expected 2, found 1\n"
          "      s: expected \"y\", found \"x\"\n");
    CHECK(differences(echo, in + b("output", "p") + a("output", "q", "1", "x")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    input p (A 1 \"x\")\n"
          "  + output p (A 1 \"x\")\n"
          "      the test does not expect this\n");
    CHECK(differences(echo, in + a("output", "p", "1", "x") + b("output", "p") + b("output", "p") +
                                a("output", "q", "1", "x")) == "FAILED t (suite.xml:2:2)\n"
                                                               "    input p (A 1 \"x\")\n"
                                                               "    output p (A 1 \"x\")\n"
                                                               "    output p (B)\n"
                                                               "  - output p (B)   (suite.xml:6:2)\n"
                                                               "      the model does not write this\n");
}

TEST_CASE("an input that the model refuses ends the test, with the reason") {
    const char* const model = "(define-message A (n int) (where (> n 3))) (define-port p in A) (checkpoint c) (read p)";
    const std::string input = "<input port='p' message='A'><field name='n' type='int'>1</field></input>\n";
    CHECK(differences(model, input + bare("output", "type='int'", "1")) ==
          "FAILED t (suite.xml:2:2)\n"
          "  - input p (A 1)   (suite.xml:3:2)\n"
          "      the `where` of A does not hold\n"
          "      it waits for (p (A n:int))\n"
          "      what follows in the test is not run: 1 event\n");
    CHECK(differences("(read (int 0 3))", bare("input", "type='int'", "4")) ==
          "FAILED t (suite.xml:2:2)\n"
          "  - input in 4   (suite.xml:3:2)\n"
          "      the model does not accept it here\n"
          "      it waits for a value of type (int 0 3)\n");
    CHECK(differences("(read)", bare("input", "type='int'", "4") + bare("input", "type='int'", "5")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    input in 4\n"
          "  - input in 5   (suite.xml:4:2)\n"
          "      the model has come to its end\n");
}

TEST_CASE("waits") {
    const char* const model = "(define-timer t) (start t 30) (select ((timeout t) (write 1)))";
    const std::string written = bare("output", "type='int'", "1");
    CHECK(differences(model, "<wait units='30'/>\n" + written).empty());
    CHECK(differences(model, "<wait units='10'/><wait units='20'/>\n" + written).empty());
    CHECK(differences(model, "<wait units='29'/>\n" + written) == "FAILED t (suite.xml:2:2)\n"
                                                                  "    wait 29\n"
                                                                  "  - output out 1   (suite.xml:4:2)\n"
                                                                  "      the model does not write this\n");
    CHECK(differences(model, "<wait units='30'/>\n" + written + "<wait units='1'/>") ==
          "FAILED t (suite.xml:2:2)\n"
          "    wait 30\n"
          "    output out 1\n"
          "  - wait 1   (suite.xml:5:2)\n"
          "      the model has come to its end\n");
}

TEST_CASE("choices") {
    const char* const model = "(write (choose 10 20 30)) (read)";
    const auto writes = [](const char* n) { return bare("output", "type='int'", n); };
    CHECK(differences(model, "<choice taken='1' of='3'/>" + writes("20")).empty());
    CHECK(differences(model, "<choice taken='1'/>" + writes("20")).empty());
    CHECK(differences(model, writes("20") + "<choice taken='1'/>").empty());
    CHECK(differences(model, "<choice taken='1' of='2'/>" + writes("20")) == "FAILED t (suite.xml:2:2)\n"
                                                                             "  - choice 1 of 2   (suite.xml:3:2)\n"
                                                                             "      the model chooses one of 3 here\n");
    CHECK(differences(model, writes("10")) == "FAILED t (suite.xml:2:2)\n"
                                              "  + choice 0 of 3\n"
                                              "      the test does not say what is chosen here\n");
    CHECK(differences(model, "<choice taken='1'/><choice taken='0' of='2'/>" + writes("20")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    choice 1\n"
          "  - choice 0 of 2   (suite.xml:3:21)\n"
          "      the model chooses nothing here\n");
}

TEST_CASE("schedules are followed") {
    const char* const model = "(spawn (write 1)) (spawn (write 2))";
    const auto writes = [](const char* n) { return bare("output", "type='int'", n); };
    CHECK(differences(model, writes("1") + writes("2")).empty()); // the lowest first
    CHECK_FALSE(differences(model, writes("2") + writes("1")).empty());
    const char* const race = "(define-channel c) (spawn (send c 1)) (spawn (send c 2)) (write (receive c)) (receive c)";
    CHECK(differences(race, writes("1")).empty());
    const auto turns = [](const char* first, const char* then) {
        return std::string("<schedule turn='") + first + "' of='1 2'/><schedule turn='0' of='" + then + "'/>";
    };
    CHECK(differences(race, turns("0", "0 2") + writes("1")).empty());
    CHECK(differences(race, turns("1", "0 1") + writes("2")).empty());
    CHECK(differences(race, turns("1", "0 1") + writes("1")).find("expected 1, found 2") != std::string::npos);
    CHECK(differences(race, "<schedule turn='0' of='1 2'/>" + writes("1"))
              .find("  + schedule turn 0 of the threads 0 2\n      the test does not say whose turn it is") !=
          std::string::npos);
    // Which turns there are the model says: what is missing is shown, and can be written down.
    const std::string shown = differences(model, "<schedule turn='1' of='7 8'/>" + writes("1") + writes("2"));
    CHECK(shown.find("  - schedule turn 1 of the threads 7 8") != std::string::npos);
    CHECK(shown.find("it is the turn of one of these threads") != std::string::npos);
    CHECK(differences("(read)", "<schedule turn='0' of='0 1'/>") ==
          "FAILED t (suite.xml:2:2)\n"
          "  - schedule turn 0 of the threads 0 1   (suite.xml:3:2)\n"
          "      only one thread can go on here\n");
}

TEST_CASE("values that the system chooses") {
    const char* const model =
        "(define x (fresh int)) (define y (fresh int)) (write x) (write y) (define n (read)) (write (if "
        "(equal? n x) 1 0)) (write y)";
    const auto out = [](const char* how) { return bare("output", how, ""); };
    const std::string ends = bare("output", "type='int'", "1") + out("type='int' ref='x2'");
    CHECK(differences(model, out("type='int' bind='x1'") + out("type='int' bind='x2'") +
                                 bare("input", "type='int' ref='x1'", "") + ends)
              .empty());
    // Other names, also those that look like another value's.
    CHECK(differences(model, out("type='int' bind='x2'") + out("type='int' bind='tag'") +
                                 bare("input", "type='int' ref='x2'", "") + bare("output", "type='int'", "1") +
                                 out("type='int' ref='tag'"))
              .empty());
    CHECK(differences(model, out("type='int' bind='x1'") + out("type='int' bind='x2'") +
                                 bare("input", "type='int' not='x1'", "5") + bare("output", "type='int'", "0") +
                                 out("type='int' ref='x2'"))
              .empty());
    // One value cannot have two names, nor one name two values.
    CHECK(differences(model, out("type='int' bind='x1'") + out("type='int' bind='x2'") +
                                 bare("input", "type='int' ref='x1'", "") + bare("output", "type='int'", "1") +
                                 out("type='int' bind='x3'"))
              .find("expected x3, found x2") != std::string::npos);
    CHECK(differences(model, out("type='int' bind='x1'") + out("type='int' ref='x1'"))
              .find("expected x1, found fresh-2") != std::string::npos);
    // The system does not choose a 1, and it does choose the first.
    CHECK(differences("(write 1)", out("type='int' bind='x1'")).find("expected x1, found 1") != std::string::npos);
    CHECK(differences(model, bare("output", "type='int'", "7") + out("type='int' bind='x2'"))
              .find("expected 7, found fresh-1") != std::string::npos);
    // What was never bound cannot be sent.
    CHECK(differences("(write 1) (read)", out("type='int' bind='x1'") + bare("input", "type='int' ref='x1'", ""))
              .find("no output has given a value to x1") != std::string::npos);
}

TEST_CASE("values that a test wants to differ do so by the model") {
    const auto out = [](const char* how) { return bare("output", how, ""); };
    const std::string apart = out("type='int' bind='one'") + out("type='int' bind='two' not='one'");
    CHECK(differences("(write (fresh int)) (write (fresh int))", apart).empty());
    CHECK(differences("(define x (fresh int '())) (write x) (write (fresh int (list x)))", apart).empty());
    CHECK(differences("(write (fresh int '())) (write (fresh int '()))", apart) ==
          "FAILED t (suite.xml:2:2)\n"
          "    output out one\n"
          "    output out two\n"
          "  - two differs from one   (suite.xml:4:2)\n"
          "      the model does not say so\n");
    CHECK(differences("(write (fresh int)) (write (fresh int))", out("type='int' bind='two' not='one'")) != "");
}

TEST_CASE("names that are not bound where they are used, or bound twice") {
    const char* const model =
        "(define x (fresh int)) (write x) (write x) (define n (read)) (if (equal? n x) (write x))";
    const auto out = [](const char* how) { return bare("output", how, ""); };
    const std::string bind = out("type='int' bind='x1'"), ref = out("type='int' ref='x1'");
    CHECK(differences(model, bind + ref + bare("input", "type='int' not='x1'", "1")).empty());
    // As when the output that bound it was taken out.
    CHECK(differences(model, ref + bare("input", "type='int' ref='x1'", "")) ==
          "FAILED t (suite.xml:2:2)\n"
          "  - output out x1   (suite.xml:3:2)\n"
          "      no output before this binds x1\n"
          "  + output out x1\n"
          "      the test does not expect this\n"
          "    input in x1\n"
          "  + output out x1\n"
          "      the test does not expect this\n");
    CHECK(differences(model, bind + bind + bare("input", "type='int'", "1")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    output out x1\n"
          "  - output out x1   (suite.xml:4:2)\n"
          "      x1 is bound already: later outputs say `ref`\n");
    CHECK(differences(model, bind + ref + bare("input", "type='int' not='x2'", "1")) ==
          "FAILED t (suite.xml:2:2)\n"
          "    output out x1\n"
          "    output out x1\n"
          "  - input in 1   (suite.xml:5:2)\n"
          "      no output before this binds x2\n");
    CHECK(differences(model, bind + ref + bare("input", "type='int' ref='x2'", ""))
              .find("no output before this binds x2") != std::string::npos);
    // Between ports there is no order, so there is none between binding and use.
    const char* const ports = "(define-message M (n int)) (define-port p out M) (define-port q out M) (define x (fresh "
                              "int)) (write p (M x)) (write q (M x)) (read)";
    const auto on = [](const char* port, const char* how) {
        return std::string("<output port='") + port + "' message='M'><field name='n' type='int' " + how + "/></output>";
    };
    CHECK(differences(ports, on("p", "bind='x1'") + on("q", "ref='x1'")).empty());
    CHECK(differences(ports, on("q", "ref='x1'") + on("p", "bind='x1'")).empty());
    CHECK(differences(ports, on("q", "bind='x1'") + on("p", "ref='x1'")).empty());
    CHECK_FALSE(differences(ports, on("q", "ref='x1'") + on("p", "ref='x1'")).empty());
    CHECK_FALSE(differences(ports, on("q", "bind='x1'") + on("p", "bind='x1'")).empty());
    // Names do not outlive their test.
    const Model compiled_model = compiled(model);
    const Reading two(compiled_model,
                      suite_of("<test id='a'>" + bind + ref + "</test><test id='b'>" + ref + ref + "</test>"));
    CHECK(two.replay().passed_tests == 1);
}

TEST_CASE("what may be any is not compared; what a suite demands though the model does not is a difference") {
    const char* const model = "(define-message M (n int) (s string)) (define-port o out M) (write o (M (any) \"x\"))";
    const auto m = [](const char* n, const char* s) {
        return std::string("<output port='o' message='M'><field name='n' type='int' ") + n +
               "</field><field name='s' " + s + "</field></output>";
    };
    CHECK(differences(model, m("any='true'>", "type='string'>x")).empty());
    CHECK(differences(model, m("any='true'>", "type='string' any='true'>")).empty());
    CHECK(differences(model, m("any='true'>", "type='string'>y")).find("s: expected \"y\", found \"x\"") !=
          std::string::npos);
    CHECK(differences(model, m(">5", "type='string'>x")).find("n: expected 5, found any value") != std::string::npos);
}

TEST_CASE("places inside of lists and messages") {
    const char* const model =
        "(define-message In (n int)) (define-message M (l (list-of In 3)) (o In)) (define-port o out M) "
        "(write o (M (list (In 1) (In 2)) (In 3)))";
    const auto in = [](const char* n) {
        return std::string("<message name='In'><field name='n' type='int'>") + n + "</field></message>";
    };
    const auto m = [&](const char* second, const char* last) {
        return "<output port='o' message='M'><field name='l' type='list'><item type='message'>" + in("1") +
               "</item><item type='message'>" + in(second) + "</item></field><field name='o' type='message'>" +
               in(last) + "</field></output>";
    };
    CHECK(differences(model, m("2", "3")).empty());
    const std::string both = differences(model, m("7", "8"));
    CHECK(both.find("l[1].n: expected 7, found 2") != std::string::npos);
    CHECK(both.find("o.n: expected 8, found 3") != std::string::npos);
}

TEST_CASE("model errors are claimed, or they are differences") {
    const Model model = compiled("(define n (read)) (if (= n 1) (error \"one\" n))");
    const auto test = [&](const char* claim, const char* n) {
        return Reading(model,
                       suite_of(std::string("<test id='t'") + claim + ">" + bare("input", "type='int'", n) + "</test>"))
            .differences();
    };
    CHECK(test(" error='one 1'", "1").empty());
    CHECK(test("", "2").empty());
    CHECK(test("", "1") == "FAILED t (suite.xml:2:2)\n"
                           "    input in 1\n"
                           "  + error one 1\n"
                           "      at model.scm:1:31\n");
    CHECK(test(" error='one 1'", "2") == "FAILED t (suite.xml:2:2)\n"
                                         "    input in 2\n"
                                         "  - error one 1   (suite.xml:2:2)\n"
                                         "      the model makes no error\n");
    CHECK(test(" error='two'", "1").find("  - error two") != std::string::npos);
}

TEST_CASE("coverage that is claimed and not reached, reached and not claimed") {
    const Model model =
        compiled("(define n (read)) (if (> n 0) (checkpoint pos) (checkpoint neg)) (requirement \"R\" \"\")");
    const auto test = [&](const std::string& covers, const std::string& table) {
        return Reading(model,
                       suite_of("<test id='t'>\n" + covers + bare("input", "type='int'", "1") + "</test>\n" + table))
            .differences();
    };
    const auto covers = [](const char* id) { return std::string("<covers target='") + id + "'/>"; };
    CHECK(test(covers("cp:pos"), "").empty());                   // requirements are not spoken of
    CHECK(test(covers("cp:pos") + covers("req:R"), "").empty()); // now they are
    CHECK(test("", "").empty());
    CHECK(test(covers("cp:pos") + covers("cp:neg"), "") == "FAILED t (suite.xml:2:2)\n"
                                                           "    input in 1\n"
                                                           "  - covers cp:neg   (suite.xml:3:27)\n"
                                                           "      the test does not reach it\n");
    CHECK(test(covers("req:R") + covers("cp:neg"), "").find("  + covers cp:pos\n") != std::string::npos);
    const auto row = [](const char* id, const char* status) {
        return std::string("<targets><target id='") + id + "' status='" + status + "/></targets>";
    };
    CHECK(test(covers("cp:pos"), row("cp:pos", "covered' test='t'")).empty());
    CHECK(test(covers("cp:pos"), row("cp:pos", "covered'")).empty());
    CHECK(test(covers("cp:pos"), row("cp:neg", "unreached'")).empty());
    CHECK(test(covers("cp:pos"), row("cp:neg", "covered' test='t'")) == "FAILED targets (suite.xml:5:11)\n"
                                                                        "  - target cp:neg covered   (suite.xml:5:11)\n"
                                                                        "      the test t does not reach it\n");
    CHECK(test(covers("cp:pos"), row("cp:neg", "covered'")).find("no test reaches it") != std::string::npos);
    CHECK(test(covers("cp:pos"), row("cp:pos", "unreached'")).find("the test t reaches it") != std::string::npos);
    CHECK(test(covers("cp:pos"), row("cp:pos", "infeasible'")).find("the test t reaches it") != std::string::npos);
    CHECK(test("", row("cp:neg", "unreached'")).find("  + covers cp:pos") != std::string::npos);
}

TEST_CASE("a model that never rests is left alone, and its tests stay the same") {
    const Model model = compiled("(checkpoint a) (define (f) (f)) (f)");
    const std::string open = "<test id='t' end='open'><covers target='cp:a'/></test>";
    CHECK(Reading(model, suite_of(open)).differences().empty());
    CHECK(Reading(model, test_of("<wait units='1'/>")).differences().find("the model does not come to rest") !=
          std::string::npos);
}

TEST_CASE("a model that writes or chooses for ever is left alone before its test fills the disk") {
    const std::string messages = "(define-message Go) (define-message A (n int)) (define-port p (in Go) (out A)) ";
    const auto made = [&](const std::string& text, SuiteEvent::Kind kind, std::string& differences) {
        const Model model = compiled(messages + text);
        Replayer replayer(*model.program);
        Suite suite;
        suite.model = "model.scm";
        suite.values = std::make_unique<Heap>(Heap::Lifetime::immortal);
        TestStep go;
        go.kind = TestStep::Kind::wait;
        go.units = 1;
        Replay replay = replayer.replay({go}, *suite.values);
        SuiteTest test;
        test.id = "t";
        test.open_end = ends_open(replay.status);
        test.events = std::move(replay.events);
        const auto count =
            std::count_if(test.events.begin(), test.events.end(), [&](const SuiteEvent& e) { return e.kind == kind; });
        suite.tests.push_back(std::move(test));
        suite.targets.resize(model.program->targets.size());
        const Reading read(model, suite_to_xml(model, suite));
        CHECK(read.good().tests[0].open_end == suite.tests[0].open_end);
        differences = read.differences();
        return static_cast<size_t>(count);
    };
    std::string differences;
    const std::string wait = "(select ((after 1) 0)) ";
    CHECK(made(wait + "(let f ((n 0)) (write p (A n)) (f (+ n 1)))", SuiteEvent::Kind::output, differences) ==
          most_outputs_of_stage);
    CHECK(differences == "");
    CHECK(made(wait + "(let f () (choose 1 2) (f))", SuiteEvent::Kind::choice, differences) == most_decisions_of_stage);
    CHECK(differences == "");
    // What comes to rest is whole, also before a stage that does not.
    const std::string many = "(let f ((n 0)) (if (< n 10100) (begin (write p (A n)) (f (+ n 1))))) ";
    CHECK(made(many + wait + many + "(read p)", SuiteEvent::Kind::output, differences) == 20'200);
    CHECK(differences == "");
    CHECK(made(many + wait + "(let f () (write p (A 0)) (f))", SuiteEvent::Kind::output, differences) ==
          10'100 + most_outputs_of_stage);
    CHECK(differences == "");
}

TEST_CASE("only what is near a difference is shown") {
    std::string many;
    for (int i = 0; i < 50; ++i) many += bare("input", "type='int'", "1");
    const std::string shown = differences("(define (f) (read) (f)) (f)", many + bare("output", "type='int'", "1"));
    CHECK(shown == "FAILED t (suite.xml:2:2)\n"
                   "    …\n"
                   "    input in 1\n"
                   "    input in 1\n"
                   "    input in 1\n"
                   "  - output out 1   (suite.xml:53:2)\n"
                   "      the model does not write this\n");
}

TEST_CASE("an end is open where the model leaves it so, or that is a difference") {
    const Model model = compiled("(define n (read)) (write n) (cond ((= n 1) (assume #f) (write 2)) "
                                 "((= n 2) (let loop () (loop))) ((= n 3) (error \"three\"))) (if (= n 4) (read))");
    const auto test = [&](const char* attributes, const char* n) {
        const std::string inside = bare("input", "type='int'", n) + bare("output", "type='int'", n);
        return Reading(model, suite_of(std::string("<test id='t'") + attributes + ">" + inside + "</test>"))
            .differences();
    };
    const std::string begin = "FAILED t (suite.xml:2:2)\n";
    const auto with = [&](const std::string& n, const std::string& end) {
        return begin + "    input in " + n + "\n    output out " + n + "\n" + end;
    };
    const std::string says = "      the model does not say what comes then: such a test says end=\"open\"\n";
    CHECK(test(" end='open'", "1").empty());
    CHECK(test("", "1") == with("1", "  + end open\n      the run has ended: an assumption does not hold\n" + says));
    CHECK(test(" end='open'", "2").empty());
    CHECK(test("", "2") == with("2", "  + end open\n      the model does not come to rest\n" + says));
    CHECK(test(" error='three'", "3").empty());
    CHECK(test(" end='open'", "3") == with("3", "  + error three\n      at model.scm:1:107\n"
                                                "  - end open   (suite.xml:2:2)\n      the model has made an error\n"));
    CHECK(test("", "4").empty());
    CHECK(test(" end='open'", "4") ==
          with("4", "  - end open   (suite.xml:2:2)\n      the model comes to rest here\n"));
    CHECK(test("", "5").empty());
    CHECK(test(" end='open'", "5") ==
          with("5", "  - end open   (suite.xml:2:2)\n      the model has come to its end\n"));
}

TEST_CASE("before an open end all outputs count, and a step after it is one difference, not two") {
    const Model model = compiled("(define n (read)) (write n) (assume #f)");
    const auto test = [&](const std::string& inside, const std::string& end = " end='open'") {
        return Reading(model, suite_of("<test id='t'" + end + ">" + inside + "</test>")).differences();
    };
    const std::string in = bare("input", "type='int'", "1"), out = bare("output", "type='int'", "1");
    CHECK(test(in + out).empty());
    CHECK(test(in).find("  + output out 1") != std::string::npos);
    CHECK(test(in + out + out).find("  - output out 1") != std::string::npos);
    CHECK(test(in + bare("output", "type='int'", "2")).find("expected 2, found 1") != std::string::npos);
    const std::string more = test(in + out + in, "");
    CHECK(more.find("  - input in 1   (suite.xml:4:2)\n      the run has ended: an assumption does not hold\n") !=
          std::string::npos);
    CHECK(more.find("end open") == std::string::npos);
}
