// One test against a system: every verdict, and when it is given. The system is a few lines here, and so is the clock.
#include "tests/testgen/execute_fake.hpp"

using namespace espalier;

namespace {

const std::string ask = "<input port='p' message='Ask'><field name='n' type='int'>1</field></input>\n";
const std::string yes = "<output port='p' message='Yes'/>\n";
const std::string no = "<output port='q' message='No'><field name='s' type='string'>x</field></output>\n";
const std::string give = "<output port='p' message='Give'><field name='id' type='int' bind='t'/></output>\n";
const std::string use = "<input port='p' message='Use'><field name='id' type='int' ref='t'/></input>\n";

// To the n-th line after `reset`, these.
FakeAdapter::Answer script(std::vector<std::vector<Reply>> replies) {
    return [replies, n = size_t{0}](const std::string&) mutable {
        return n < replies.size() ? replies[n++] : std::vector<Reply>{};
    };
}

struct Run {
    Run(const std::string& inside, FakeAdapter::Answer answer, Timing timing = {})
        : of(test_of(inside)), adapter(std::move(answer)) {
        REQUIRE(of.good().tests.size() == 1);
        run = execute_test(adapter, of.good().tests[0], timing);
    }
    // "verdict: reason", and the lines with a mark
    std::string verdict() const {
        std::string text(word_of(run.verdict));
        if (!run.reason.empty()) text += ": " + run.reason;
        for (const ReplayLine& l : run.lines) {
            if (l.mark == ' ') continue;
            text += std::string("\n") + l.mark + " " + l.text;
            for (const std::string& d : l.details) text += "\n    " + d;
        }
        return text;
    }
    double seconds() const { return run.seconds; }
    Executable of;
    FakeAdapter adapter;
    TestRun run;
};

} // namespace

TEST_CASE("a system that does what the test says passes") {
    const Run run(ask + yes, script({{out("p", "Yes", "", 0.1)}}));
    CHECK(run.verdict() == "pass");
    REQUIRE(run.adapter.sent.size() == 2);
    CHECK(run.adapter.sent[0] == R"({"type":"reset","test":"t"})");
    CHECK(run.adapter.sent[1] == R"({"type":"input","port":"p","message":"Ask","fields":{"n":1},"step":1})");
    CHECK(run.seconds() == doctest::Approx(0.2 + 0.1 + 0.2)); // quiet before the input, the answer, quiet after it
    CHECK_FALSE(run.run.adapter_lost);
}

TEST_CASE("quiet saves waiting for the quiet time; one of an earlier step does not count") {
    CHECK(Run(ask + yes, script({{out("p", "Yes"), quiet()}})).seconds() == doctest::Approx(0.2));
    const Run late(ask + yes, script({{say("{'type':'quiet','step':0}"), out("p", "Yes", "", 0.1)}}));
    CHECK(late.verdict() == "pass");
    const Run now(ask + yes, script({{say("{'type':'quiet','step':1}"), out("p", "Yes", "", 0.1)}}));
    CHECK(now.verdict() ==
          "fail: an expected output did not come\n- output p (Yes)\n    the system does not send this");
    CHECK(now.seconds() == doctest::Approx(0.2)); // nobody waits for what cannot come any more
}

TEST_CASE("ports may interleave, one port's outputs may not") {
    const std::string expected = ask + yes + no + give;
    const auto run = [&](std::vector<Reply> replies) { return Run(expected, script({std::move(replies)})).verdict(); };
    const Reply first = out("p", "Yes"), second = out("q", "No", "'s':'x'"), third = out("p", "Give", "'id':5");
    CHECK(run({first, second, third}) == "pass");
    CHECK(run({second, first, third}) == "pass");
    CHECK(run({first, third, second}) == "pass");
    CHECK(run({third, first, second}).substr(0, 4) == "fail");
}

TEST_CASE("a name stands for what came, and is sent back verbatim") {
    const char* const number = "123456789012345678901234567890";
    const Run run(ask + give + use + yes,
                  script({{out("p", "Give", std::string("'id':") + number), quiet()}, {out("p", "Yes"), quiet()}}));
    CHECK(run.verdict() == "pass");
    CHECK(run.adapter.sent.back() ==
          std::string(R"({"type":"input","port":"p","message":"Use","fields":{"id":)") + number + R"(},"step":2})");
    CHECK(Run(ask + give, script({{out("p", "Give", "'id':'7'"), quiet()}})).verdict() ==
          "fail: an output is not the expected one\n- output p (Give t)\n+ output p (Give \"7\")\n"
          "    id: expected an integer, found \"7\"");
    // An output that comes before the one which binds its name, on another port
    const std::string refers = "<output port='q' message='Saw'><field name='id' type='int' ref='t'/></output>\n";
    CHECK(Run(ask + give + refers, script({{out("q", "Saw", "'id':3"), out("p", "Give", "'id':3"), quiet()}}))
              .verdict() == "pass");
    CHECK(Run(ask + give + refers, script({{out("q", "Saw", "'id':3"), out("p", "Give", "'id':4"), quiet()}}))
              .verdict() == "fail: an output is not the expected one\n- output q (Saw t=4)\n+ output q (Saw 3)\n"
                            "    id: expected t=4, found 3");
}

TEST_CASE("values that must differ, and do not, are a failure") {
    const auto gives = [](const char* port, const std::string& how) {
        return std::string("<output port='") + port + "' message='Give'><field name='id' type='int' " + how +
               "/></output>\n";
    };
    const auto run = [&](const std::string& test, const char* first, const char* second) {
        return Run(ask + test,
                   script({{out(first[0] == 'p' ? "p" : "q", "Give", std::string("'id':") + (first + 1)),
                            out(second[0] == 'p' ? "p" : "q", "Give", std::string("'id':") + (second + 1)), quiet()}}))
            .verdict();
    };
    const std::string apart = gives("p", "bind='t'") + gives("p", "bind='u' not='t'");
    CHECK(run(apart, "p1", "p2") == "pass");
    CHECK(run(apart, "p1", "p1") ==
          "fail: an output is not the expected one\n- output p (Give u)\n+ output p (Give 1)\n"
          "    id: expected a value other than that of t, found 1");
    // Nobody said so
    CHECK(run(gives("p", "bind='t'") + gives("p", "bind='u'"), "p1", "p1") == "pass");
    // In which order they come does not matter, nor which of them says it.
    const std::string ports = gives("p", "bind='t'") + gives("q", "bind='u' not='t'");
    const std::string other = gives("p", "bind='t' not='u'") + gives("q", "bind='u'");
    CHECK(run(ports, "q1", "p2") == "pass");
    CHECK(run(ports, "q1", "p1").find("fail: an output is not the expected one") == 0);
    CHECK(run(other, "p1", "q1").find("expected a value other than that of t, found 1") != std::string::npos);
    CHECK(run(other, "p1", "q2") == "pass");
    CHECK(Run(ask + gives("p", "bind='u' not='t'"), script({})).verdict() ==
          "error: the test uses `t`, which no output before binds");
}

TEST_CASE("a name that no output binds: the test is wrong, and is not run") {
    const Run run(ask + use + yes, script({}));
    CHECK(run.verdict() == "error: the test uses `t`, which no output before binds");
    CHECK(run.adapter.sent.empty());
}

TEST_CASE("an input that must differ from what the system chose, and does not, tells nothing") {
    const std::string other = "<input port='p' message='Use'><field name='id' type='int' not='t'>0</field></input>\n";
    const auto run = [&](const char* id) {
        return Run(ask + give + other + yes,
                   script({{out("p", "Give", std::string("'id':") + id), quiet()}, {out("p", "Yes"), quiet()}}));
    };
    CHECK(run("1").verdict() == "pass");
    const Run same = run("0");
    CHECK(same.run.verdict == TestVerdict::inconclusive);
    CHECK_FALSE(same.run.open_difference); // nothing speaks against the system
    CHECK(same.adapter.sent.size() == 2);  // it was not sent
}

TEST_CASE("differences are shown side by side") {
    CHECK(Run(ask + no, script({{out("q", "No", "'s':'y','z':1"), quiet()}})).verdict() ==
          "fail: an output is not the expected one\n- output q (No \"x\")\n+ output q (No \"y\" z=1)\n"
          "    s: expected \"x\", found \"y\"\n    z: expected no such field, found 1");
    CHECK(Run(ask + no, script({{out("q", "No"), quiet()}})).verdict() ==
          "fail: an output is not the expected one\n- output q (No \"x\")\n+ output q (No ?)\n"
          "    s: expected \"x\", found no such field");
    CHECK(Run(ask + yes + ask + yes, script({{out("p", "Maybe", "'a':[1,{'b':null}]"), quiet()}})).verdict() ==
          "fail: an output is not the expected one\n- output p (Yes)\n+ output p (Maybe a=(1 {\"b\":null}))\n"
          "    expected Yes, found Maybe\n    what follows in the test is not run: 2 events");
    CHECK(Run(ask + yes, script({{out("p", "Yes"), out("p", "Yes"), quiet()}})).verdict() ==
          "fail: an output came that the test does not expect\n+ output p (Yes)\n    the test does not expect this");
    CHECK(
        Run(ask, script({{out("other", "Yes"), quiet()}})).verdict() ==
        "fail: an output came that the test does not expect\n+ output other (Yes)\n    the test does not expect this");
}

TEST_CASE("an expected output is waited for as long as the time-out, and no longer") {
    CHECK(Run(ask + yes, script({{out("p", "Yes", "", 4.9)}})).verdict() == "pass");
    const Run late(ask + yes, script({{out("p", "Yes", "", 5.1)}}));
    CHECK(late.verdict() ==
          "fail: an expected output did not come within 5 s\n- output p (Yes)\n    the system does not send this");
    CHECK(late.seconds() == doctest::Approx(5.2));
    CHECK(Run(ask + yes, script({{out("p", "Yes", "", 0.3)}}), {1, 0.25, 0.1}).verdict().substr(0, 48) ==
          "fail: an expected output did not come within 0.2");
    // Each one anew
    CHECK(Run(ask + yes + give, script({{out("p", "Yes", "", 4.9), out("p", "Give", "'id':1", 9.7)}})).verdict() ==
          "pass");
}

TEST_CASE("what comes within the quiet time belongs to the step before it") {
    CHECK(Run(ask + yes, script({{out("p", "Yes"), out("p", "Yes", "", 0.19)}})).run.verdict == TestVerdict::fail);
    CHECK(Run(ask + yes, script({{out("p", "Yes"), out("p", "Yes", "", 0.3)}})).run.verdict == TestVerdict::pass);
    CHECK(Run(ask + yes, script({{out("p", "Yes"), out("p", "Yes", "", 0.3)}}), {1, 5, 0.5}).run.verdict ==
          TestVerdict::fail);
}

TEST_CASE("a system that never stops ends in a verdict all the same") {
    const auto flood = [](const std::string&) {
        std::vector<Reply> replies;
        for (int i = 0; i < 200; ++i) replies.push_back(out("p", "Yes", "", 0.1 * i));
        return replies;
    };
    const Run run(ask + yes, flood);
    CHECK(run.run.verdict == TestVerdict::fail);
    CHECK(run.seconds() < 6);
    const auto at_once = [](const std::string&) { return std::vector<Reply>(100'000, out("p", "Yes")); };
    const Run many(ask + yes, at_once);
    CHECK(many.run.verdict == TestVerdict::fail);
    CHECK(many.run.seen.back().size() == 10'000);
}

TEST_CASE("a wait takes its time, by the adapter's word; outputs come before its answer or after it") {
    const std::string wait = "<wait units='30'/>\n";
    const Reply answer = say("{'type':'wait'}", 60), early = say("{'type':'wait'}");
    const Run run(wait + yes, script({{out("p", "Yes", "", 30), answer}}), {2, 5, 0.2});
    CHECK(run.verdict() == "pass");
    CHECK(run.adapter.sent[1] == R"({"type":"wait","units":30,"seconds":60.000000,"step":1})");
    CHECK(run.seconds() == doctest::Approx(60.4));
    CHECK(Run(wait + yes, script({{early, out("p", "Yes", "", 1)}})).verdict() == "pass");
    // However long it is, `units` says it exactly, and `seconds` is a number.
    const Run longest("<wait units='1" + std::string(400, '0') + "'/>\n" + yes,
                      script({{early, out("p", "Yes", "", 1)}}), {2, 5, 0.2});
    CHECK(longest.verdict() == "pass");
    CHECK(longest.adapter.sent[1].starts_with(R"({"type":"wait","units":1)" + std::string(400, '0') +
                                              R"(,"seconds":17976931348623157)"));
    CHECK(Run(wait + yes, script({{early}})).verdict().substr(0, 37) == "fail: an expected output did not come");
    const Run hung(wait + yes, script({{out("p", "Yes")}}));
    CHECK(hung.verdict() == "error: the adapter did not answer `wait` within 35 s");
    CHECK(hung.run.adapter_lost);
    CHECK(Run(wait, script({{quiet(), early, quiet()}})).verdict() == "pass"); // quiet is no answer
}

TEST_CASE("an adapter that breaks down gives no verdict on the system") {
    const auto broken = [](Reply reply) {
        auto run = std::make_unique<Run>(ask + yes, script({{std::move(reply)}}));
        CHECK(run->run.verdict == TestVerdict::error);
        CHECK(run->run.answered);
        return run;
    };
    CHECK(broken({0, AdapterClosed{"exited with status 3"}})->verdict() == "error: the adapter exited with status 3");
    CHECK(broken({0, AdapterClosed{"exited with status 3"}})->run.adapter_lost);
    CHECK(broken({0, AdapterLineTooLong{4 << 20}})->verdict() ==
          "error: the adapter broke the protocol: a line of more than 4 MiB");
    CHECK(broken(say("hello"))->verdict() ==
          "error: the adapter broke the protocol: this is not JSON: there is no value here (byte 1): hello");
    CHECK(broken(say("[]"))->verdict() ==
          "error: the adapter broke the protocol: an object with a string `type` is expected: []");
    CHECK(broken(say("{'type':'Output'}"))->verdict().find("there is no type `Output`") != std::string::npos);
    CHECK(broken(say("{'type':'output','port':1,'message':'M'}"))->run.adapter_lost);
    CHECK(broken(say("{'type':'output','port':'p','message':'M','fields':[]}"))->run.adapter_lost);
    CHECK(broken(say("{'type':'error'}"))->run.adapter_lost);
    CHECK(broken(say("{'type':'quiet','step':-1}"))->run.adapter_lost);
    CHECK(broken(say("{'type':'wait'}"))->verdict().find("was not asked for") != std::string::npos);
    CHECK(broken(say("{'type':'reset'}"))->verdict().find("was not asked for") != std::string::npos);
    const auto said = broken(say("{'type':'error','text':'the broker is gone'}"));
    CHECK(said->verdict() == "error: the adapter reported: the broker is gone");
    CHECK_FALSE(said->run.adapter_lost); // it goes on after a reset
}

TEST_CASE("what came before a breakdown is kept") {
    const Run run(ask + yes + give, script({{out("p", "Yes"), {0.1, AdapterClosed{"exited with status 0"}}}}));
    REQUIRE(run.run.lines.size() == 2);
    CHECK(run.run.lines[0].text == "input p (Ask 1)");
    CHECK(run.run.lines[1].text == "output p (Yes)");
}

TEST_CASE("a reset that is not answered, and outputs of the test before it") {
    Executable of(test_of(ask + yes));
    FakeAdapter silent([](const std::string&) { return std::vector<Reply>{}; });
    silent.answers_reset = false;
    const TestRun run = execute_test(silent, of.good().tests[0], {});
    CHECK(run.reason == "the adapter did not answer `reset` within 5 s");
    CHECK(run.adapter_lost);
    CHECK_FALSE(run.answered);
    FakeAdapter old([](const std::string& line) {
        if (line.find("reset") != std::string::npos)
            return std::vector<Reply>{out("p", "Yes"), quiet(), say("{'type':'wait'}"), say("{'type':'reset'}", 1)};
        return std::vector<Reply>{out("p", "Yes")};
    });
    old.answers_reset = false;
    CHECK(execute_test(old, of.good().tests[0], {}).verdict == TestVerdict::pass);
}

TEST_CASE("somebody asks for the end") {
    const Run run(ask + yes, script({{{0.1, Interrupted{}}}}));
    CHECK(run.run.interrupted);
    CHECK_FALSE(run.run.adapter_lost);
}

TEST_CASE("a test that ends in an error of the model's says nothing of what follows") {
    const auto run = [](std::vector<Reply> replies) {
        Executable of(suite_of("<test id='t' error='no!'>" + ask + yes + "</test>"));
        FakeAdapter adapter(script({std::move(replies)}));
        return execute_test(adapter, of.good().tests[0], {});
    };
    const TestRun fits = run({out("p", "Yes"), out("p", "Whatever"), quiet()});
    CHECK(fits.verdict == TestVerdict::inconclusive);
    CHECK(fits.reason.find("no!") != std::string::npos);
    CHECK_FALSE(fits.open_difference);
    CHECK(run({out("p", "Other"), quiet()}).verdict == TestVerdict::fail);
}

namespace {

// Of a test whose end is open.
struct OpenRun {
    OpenRun(const std::string& inside, FakeAdapter::Answer answer)
        : of(suite_of("<test id='t' end='open'>" + inside + "</test>")), adapter(std::move(answer)),
          run(execute_test(adapter, of.good().tests.at(0), {})) {}
    std::string verdict() const { return std::string(word_of(run.verdict)) + ": " + run.reason; }
    Executable of;
    FakeAdapter adapter;
    TestRun run;
};

} // namespace

TEST_CASE("past an open end nothing is judged, and nobody waits for silence") {
    const OpenRun more(ask + yes, script({{out("p", "Yes", "", 0.1), out("p", "Odd", "", 0.1)}}));
    CHECK(more.verdict() == "pass: ");
    CHECK(more.run.seconds == doctest::Approx(0.2 + 0.1)); // quiet before the input, and the answer
    CHECK(OpenRun(ask + yes, script({{out("p", "Yes")}})).run.seconds == doctest::Approx(0.2));
    CHECK(OpenRun(ask, script({{}})).run.seconds == doctest::Approx(0.2)); // nothing is listed
    CHECK(OpenRun(ask, script({{out("p", "Odd")}})).verdict() == "pass: ");
    // Time passes before it is over.
    const OpenRun waits("<wait units='3'/>", script({{out("p", "Odd"), say("{'type':'wait'}", 3)}}));
    CHECK(waits.verdict() == "pass: ");
    CHECK(waits.run.seconds == doctest::Approx(0.2 + 3));
    // A test without anything to do does not even listen.
    CHECK(OpenRun("", script({})).run.seconds == doctest::Approx(0));
}

TEST_CASE("what is listed before an open end must come, in order on its port") {
    CHECK(OpenRun(ask + yes, script({{}})).verdict() == "fail: an expected output did not come within 5 s");
    CHECK(OpenRun(ask + yes, script({{quiet()}})).verdict() == "fail: an expected output did not come");
    CHECK(OpenRun(ask + yes, script({{out("p", "Odd"), quiet()}})).verdict() ==
          "fail: an output is not the expected one");
    CHECK(OpenRun(ask + yes, script({{out("p", "Odd"), out("p", "Yes"), quiet()}})).verdict() ==
          "fail: an output came that the test does not expect");
    // On another port anything may come before it: there the end is open already.
    CHECK(OpenRun(ask + yes, script({{out("q", "Odd"), out("p", "Yes", "", 1)}})).verdict() == "pass: ");
    CHECK(OpenRun(ask + yes + no, script({{out("q", "No", "'s':'x'"), out("q", "Odd"), out("p", "Yes", "", 1)}}))
              .verdict() == "pass: ");
    CHECK(OpenRun(ask + yes + no, script({{out("q", "Odd"), out("p", "Yes"), quiet()}})).verdict() ==
          "fail: an output is not the expected one");
    // Such outputs do not put off the time-out.
    std::vector<Reply> chatter;
    for (int i = 0; i < 40; ++i) chatter.push_back(out("q", "Odd", "", i * 0.5));
    const OpenRun late(ask + yes, script({chatter}));
    CHECK(late.verdict() == "fail: an expected output did not come within 5 s");
    CHECK(late.run.seconds == doctest::Approx(0.2 + 5));
    // What was not judged is shown.
    REQUIRE_FALSE(late.run.lines.empty());
    CHECK(std::any_of(late.run.lines.begin(), late.run.lines.end(), [](const ReplayLine& l) {
        return l.mark == ' ' && l.text == "output q (Odd)" &&
               l.details == std::vector<std::string>{"the model leaves open what comes here"};
    }));
}

TEST_CASE("only the end is open") {
    CHECK(OpenRun(ask + yes + ask + yes, script({{out("p", "Yes"), out("p", "Odd"), quiet()}})).verdict() ==
          "fail: an output came that the test does not expect");
    const OpenRun two(ask + yes + ask + no, script({{out("p", "Yes")}, {out("q", "No", "'s':'x'"), out("q", "Odd")}}));
    CHECK(two.verdict() == "pass: ");
    CHECK(two.run.seconds == doctest::Approx(0.2 + 0.2));
}
