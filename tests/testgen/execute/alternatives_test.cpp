// What another schedule or choice of the model allows is inconclusive; what none allows is a failure.
#include "tests/testgen/execute_fake.hpp"

using namespace espalier;

namespace {

// The suite's only test against a system that answers each step with these.
struct Case {
    Case(const char* model_text, const std::string& inside, std::vector<std::vector<Reply>> replies)
        : model(compiled(model_text)), of(test_of(inside)), read(model, test_of(inside)), alternatives(model),
          adapter([replies, n = size_t{0}](const std::string&) mutable {
              return n < replies.size() ? replies[n++] : std::vector<Reply>{quiet()};
          }),
          run(execute_test(adapter, of.good().tests.at(0), {})) {}
    Allowed allowed(const AlternativeLimits& limits = {}) {
        REQUIRE(run.verdict == TestVerdict::fail);
        return alternatives.allows(read.good().tests.at(0), run, limits);
    }
    Model model;
    Executable of;
    Reading read;
    Alternatives alternatives;
    FakeAdapter adapter;
    TestRun run;
};

const char* const choosing = "(define-message Ask) (define-message A) (define-message B) (define-message C) "
                             "(define-port p (in Ask) (out A B C)) (define (f) (read p) "
                             "(choose (write p (A)) (write p (B))) (f)) (f)";
const std::string asks = "<input port='p' message='Ask'/>";
std::string chosen(int which, const char* message) {
    return asks + "<choice taken='" + std::to_string(which) + "' of='2'/><output port='p' message='" + message + "'/>";
}

const char* const threads =
    "(define-message Go) (define-message Ticket (t int)) (define-message B) (define-message Use (t int)) "
    "(define-message Ok) (define-port p (in Go Use) (out Ticket B Ok)) (define c (make-channel)) "
    "(define d (make-channel)) "
    "(define (one) (receive c) (let ((mine (fresh int '()))) (write p (Ticket mine)) "
    "(select ((p (Use t)) (where (equal? t mine)) (write p (Ok)))) (one))) "
    "(define (two) (receive d) (write p (B)) (two)) (spawn (one)) (spawn (two)) "
    "(define (main) (select ((p Go) (send c 1) (send d 1) (main)))) (main)";

} // namespace

TEST_CASE("another choice") {
    CHECK(Case(choosing, chosen(0, "A"), {{out("p", "B"), quiet()}}).allowed() == Allowed::yes);
    CHECK(Case(choosing, chosen(0, "A"), {{out("p", "C"), quiet()}}).allowed() == Allowed::no);
    CHECK(Case(choosing, chosen(0, "A"), {{out("p", "A"), out("p", "B"), quiet()}}).allowed() == Allowed::no);
    CHECK(Case(choosing, chosen(0, "A"), {{quiet()}}).allowed() == Allowed::no);
    // What was seen before must be allowed by the same run.
    const std::string twice = chosen(0, "A") + chosen(1, "B");
    CHECK(Case(choosing, twice, {{out("p", "A"), quiet()}, {out("p", "A"), quiet()}}).allowed() == Allowed::yes);
    CHECK(Case(choosing, twice, {{out("p", "A"), quiet()}, {out("p", "C"), quiet()}}).allowed() == Allowed::no);
}

TEST_CASE("another schedule, also for a test that names none") {
    const std::string test = "<input port='p' message='Go'/><output port='p' message='Ticket'>"
                             "<field name='t' type='int' bind='x1'/></output><output port='p' message='B'/>";
    CHECK(Case(threads, test, {{out("p", "B"), out("p", "Ticket", "'t':7"), quiet()}}).allowed() == Allowed::yes);
    CHECK(Case(threads, test, {{out("p", "B"), out("p", "Ticket", "'t':'7'"), quiet()}}).allowed() == Allowed::no);
    CHECK(Case(threads, test, {{out("p", "B"), out("p", "B"), quiet()}}).allowed() == Allowed::no);
}

TEST_CASE("values that the model may tell apart and the system does not: an input can mean any of them") {
    const char* const model =
        "(define-message Go) (define-message T (t int)) (define-message Use (t int)) (define-message Ok) "
        "(define-message No) (define-port p (in Go Use) (out T Ok No)) (select ((p Go) (let* ((a (fresh int '())) "
        "(b (fresh int '()))) (write p (T a)) (write p (T b)) (select ((p (Use t)) (where (equal? t b)) "
        "(write p (Ok))) ((p (Use t)) (where (equal? t a)) (write p (No)))))))";
    const std::string test = "<input port='p' message='Go'/>"
                             "<output port='p' message='T'><field name='t' type='int' bind='x1'/></output>"
                             "<output port='p' message='T'><field name='t' type='int' bind='x2'/></output>"
                             "<input port='p' message='Use'><field name='t' type='int' ref='x1'/></input>"
                             "<output port='p' message='No'/>";
    const std::vector<Reply> ok{out("p", "Ok"), quiet()};
    CHECK(Case(model, test, {{out("p", "T", "'t':7"), out("p", "T", "'t':7"), quiet()}, ok}).allowed() == Allowed::yes);
    CHECK(Case(model, test, {{out("p", "T", "'t':7"), out("p", "T", "'t':8"), quiet()}, ok}).allowed() == Allowed::no);
}

TEST_CASE("equal values that the model tells apart are allowed by no choice of its") {
    const std::string test = "<input port='p' message='Go'/><choice taken='0' of='2'/>"
                             "<output port='p' message='T'><field name='t' type='int' bind='x1'/></output>"
                             "<output port='p' message='T'><field name='t' type='int' bind='x2' not='x1'/></output>";
    const auto allowed = [&](const char* first, const char* second) {
        const std::string model = std::string("(define-message Go) (define-message T (t int)) (define-port p (in Go) "
                                              "(out T)) (read p) (let* ((a (fresh int ") +
                                  "'())) (b (choose " + first + " " + second + "))) (write p (T a)) (write p (T b)))";
        return Case(model.c_str(), test, {{out("p", "T", "'t':7"), out("p", "T", "'t':7"), quiet()}}).allowed();
    };
    CHECK(allowed("(fresh int)", "(fresh int (list a))") == Allowed::no);
    CHECK(allowed("(fresh int)", "(fresh int '())") == Allowed::yes);
}

TEST_CASE("limits: what cannot be tried stays open") {
    std::string many;
    for (int i = 0; i < 6; ++i) many += chosen(0, "A");
    const std::vector<Reply> b{out("p", "B"), quiet()}, a{out("p", "A"), quiet()}, c{out("p", "C"), quiet()};
    Case last(choosing, many, {a, a, a, a, a, c});
    CHECK(last.allowed() == Allowed::no);
    CHECK(last.allowed({.runs = 2, .steps = 1'000'000}) == Allowed::unknown);
    CHECK(last.allowed({.runs = 1'000, .steps = 3}) == Allowed::unknown);
}

TEST_CASE("verdicts after another look") {
    const auto verdict = [](Case& of, bool with_model) {
        TestRun run = of.run;
        reconsider(run, of.of.good().tests[0], with_model ? &of.read.good().tests[0] : nullptr,
                   with_model ? &of.alternatives : nullptr);
        return std::string(word_of(run.verdict)) + (run.open_difference ? ", open" : "");
    };
    Case allowed(choosing, chosen(0, "A"), {{out("p", "B"), quiet()}});
    CHECK(verdict(allowed, true) == "inconclusive");
    CHECK(verdict(allowed, false) == "inconclusive, open"); // nobody knows
    Case wrong(choosing, chosen(0, "A"), {{out("p", "C"), quiet()}});
    CHECK(verdict(wrong, true) == "fail");
    CHECK(verdict(wrong, false) == "inconclusive, open");
    Case plain(choosing, asks + "<output port='p' message='A'/>", {{out("p", "B"), quiet()}});
    CHECK(verdict(plain, false) == "fail"); // a test that depends on no decision
}

TEST_CASE("values of all types, as a test would expect them") {
    const Model model = compiled("(define-message N (k int)) (define-message M (i int) (b bool) (e (enum red 7 \"s\")) "
                                 "(s string) (y (bytes 4)) (l (list-of int 3)) (n (one-of N))) (define-message Go) "
                                 "(define-port p (in Go) (out M)) (read p) "
                                 "(write p (M 3 #t 'red \"x\" (bytevector 0 255) '(1 2) (N 4))) (write '(a 1/2))");
    struct Kept : Listener {
        explicit Kept(const Program& of) : program(of) {}
        void output(PortId port, Value value) override {
            SuiteEvent e;
            e.kind = SuiteEvent::Kind::output;
            e.port = port;
            e.value = value;
            text += shown(expected_exchange(program, e), {}) + "\n";
        }
        const Program& program;
        std::string text;
    } kept(*model.program);
    Interpreter run(*model.program, kept);
    REQUIRE(run.start() == Status::stable);
    PortId port{};
    for (uint32_t i = 0; i < model.program->ports.size(); ++i)
        if (name_of(model.program->ports[i].name) == "p") port = PortId{i};
    REQUIRE(run.deliver(port, Value::object(run.heap().message(MessageId{2}, 0))) == Status::finished);
    CHECK(kept.text == "p (M 3 #t red \"x\" #u8(0 255) (1 2) (N 4))\nout (a 1/2)\n");
}

TEST_CASE("a run that fails an assumption leaves open what comes after it") {
    const char* const model = "(define-message Ask) (define-message A) (define-message B) (define-message C) "
                              "(define-port p (in Ask) (out A B C)) (define (f) (read p) "
                              "(choose (write p (A)) (begin (write p (B)) (assume #f))) (f)) (f)";
    const auto look = [&](const std::string& test, const std::vector<std::vector<Reply>>& replies) {
        return Case(model, test, replies).allowed();
    };
    CHECK(look(chosen(0, "A"), {{out("p", "B"), quiet()}}) == Allowed::left_open);
    CHECK(look(chosen(0, "A"), {{out("p", "B"), out("p", "C"), quiet()}}) == Allowed::left_open);
    CHECK(look(chosen(0, "A"), {{out("p", "C"), out("p", "B"), quiet()}}) == Allowed::no);
    CHECK(look(chosen(0, "A"), {{quiet()}}) == Allowed::no);
    CHECK(look(chosen(0, "A"), {{out("p", "A"), out("p", "C"), quiet()}}) == Allowed::no);
    // Whatever is asked of it after that.
    const std::string twice = chosen(0, "A") + chosen(0, "A");
    CHECK(look(twice, {{out("p", "A"), quiet()}, {out("p", "B"), out("p", "A"), quiet()}}) == Allowed::left_open);
    CHECK(look(twice, {{out("p", "A"), quiet()}, {out("p", "C"), quiet()}}) == Allowed::no);
}

TEST_CASE("a run that does what was seen is better than one that leaves it open") {
    const char* const model = "(define-message Ask) (define-message A) (define-message B) "
                              "(define-port p (in Ask) (out A B)) (read p) "
                              "(choose (write p (B)) (begin (write p (A)) (assume #f)) "
                              "        (begin (write p (A)) (write p (A)))) (read p)";
    const std::string test = asks + "<choice taken='0' of='3'/><output port='p' message='B'/>";
    CHECK(Case(model, test, {{out("p", "A"), out("p", "A"), quiet()}}).allowed() == Allowed::yes);
    Case open(model, test, {{out("p", "A"), out("p", "B"), quiet()}});
    CHECK(open.allowed() == Allowed::left_open);
    CHECK(open.allowed({.runs = 1}) == Allowed::unknown);
    CHECK(open.allowed({.runs = 2}) == Allowed::left_open);
    reconsider(open.run, open.of.good().tests.at(0), &open.read.good().tests.at(0), &open.alternatives);
    CHECK(open.run.verdict == TestVerdict::inconclusive);
    CHECK_FALSE(open.run.open_difference);
    CHECK(open.run.reason ==
          "an output came that the test does not expect; with this or another schedule or choice the model "
          "does not say what comes there");
}

TEST_CASE("an open end that is not come to fails, whatever the test's own run leaves open") {
    const char* const model = "(define-message Ask) (define-message A) (define-message B) "
                              "(define-port p (in Ask) (out A B)) (read p) (write p (A)) (assume #f)";
    const std::string test = suite_of("<test id='t' end='open'>" + asks + "<output port='p' message='A'/></test>");
    const Model made = compiled(model);
    const Executable of(test);
    const Reading read(made, test);
    for (const Reply& reply : {out("p", "B"), quiet()}) {
        FakeAdapter adapter([&, said = reply](const std::string&) { return std::vector<Reply>{said, quiet()}; });
        TestRun run = execute_test(adapter, of.good().tests.at(0), {});
        REQUIRE(run.verdict == TestVerdict::fail);
        Alternatives alternatives(made);
        reconsider(run, of.good().tests.at(0), &read.good().tests.at(0), &alternatives);
        CHECK(run.verdict == TestVerdict::fail);
    }
}
