// A whole suite: what is run, in which order, what becomes of an adapter that is lost, and what is written down.
#include "testgen/execute/results.hpp"
#include "tests/testgen/execute_fake.hpp"

using namespace espalier;

namespace {

std::string suite_with(int tests) {
    std::string inside;
    for (int i = 0; i < tests; ++i)
        inside += "<test id='t" + std::to_string(i) +
                  "'><input port='p' message='Ask'/><output port='p' message='Yes'/></test>\n";
    return suite_of(inside);
}

struct Suites {
    Suites(int tests, FakeAdapter::Answer answer) : of(suite_with(tests)), adapter(std::move(answer)) {
        asked.assign(static_cast<size_t>(tests), true);
    }
    void run() {
        ExecuteHooks hooks;
        hooks.wanted = [&](size_t i) { return asked[i]; };
        hooks.reconsider = [](size_t, TestRun&) {};
        hooks.before = [&](size_t i) { said += "(" + std::to_string(i); };
        hooks.after = [&](const SuiteRun& so_far, size_t i) {
            said += std::string(":") + std::string(word_of(so_far.tests[i]->verdict)) + ")";
        };
        made = execute_suite(adapter, of.good(), {}, hooks);
    }
    std::string summary() const { return summary_text(made); }
    std::string json(bool ended = true) const {
        return results_json({"s.xml", "m.scm", {"adapter", "-x"}}, of.good(), made, asked, ended);
    }
    Executable of;
    FakeAdapter adapter;
    std::vector<bool> asked;
    SuiteRun made;
    std::string said;
};

std::vector<Reply> good(const std::string&) { return {out("p", "Yes"), quiet()}; }

} // namespace

TEST_CASE("tests run one after the other, on one adapter") {
    Suites suites(3, good);
    suites.run();
    CHECK(suites.said == "(0:pass)(1:pass)(2:pass)");
    CHECK(suites.summary() == "3 of 3 tests passed");
    CHECK(suites.adapter.starts == 0); // whoever calls has started it
    CHECK(suites.made.good());
}

TEST_CASE("only the tests that are asked for") {
    Suites suites(3, good);
    suites.asked = {false, true, false};
    suites.run();
    CHECK(suites.said == "(1:pass)");
    CHECK(suites.summary() == "1 of 1 test passed");
    CHECK(suites.made.complete());
}

TEST_CASE("after a lost adapter the next test begins with a new one") {
    int n = 0;
    Suites suites(4, [&](const std::string& line) -> std::vector<Reply> {
        ++n;
        if (n == 1) return {{0, AdapterClosed{"was ended by signal 11 (Segmentation fault)"}}};
        if (n == 2) return {}; // the system hangs: the test fails, the adapter is well
        if (n == 3) return {say("garbage")};
        return good(line);
    });
    suites.run();
    CHECK(suites.said == "(0:error)(1:fail)(2:error)(3:pass)");
    CHECK(suites.adapter.starts == 2);
    CHECK(suites.adapter.kills == 2);
    CHECK(suites.summary() == "1 of 4 tests passed, 1 failed, 2 errors");
    CHECK(suites.made.tests[0]->lines.back().text == "the adapter said: its last words");
    CHECK_FALSE(suites.made.good());
    CHECK(suites.made.complete());
}

TEST_CASE("what comes after an open end is not held against the next test") {
    const std::string yes = "<input port='p' message='Ask'/><output port='p' message='Yes'/></test>\n";
    const auto three_tests = [&](const std::string& end_of_first) {
        return suite_of("<test id='a" + end_of_first + yes + "<test id='b'>" + yes + "<test id='c'>" + yes);
    };
    for (const Reply& then : {Reply{0.1, AdapterClosed{"exited with status 1"}}, say("garbage", 0.1),
                              say("{'type':'error','text':'it crashed'}", 0.1), say("{'type':'reset'}{", 0.1)}) {
        for (const bool open : {true, false}) {
            int n = 0;
            Suites suites(3, [&](const std::string& line) -> std::vector<Reply> {
                if (line.find("\"reset\"") != std::string::npos) return {say("{'type':'reset'}", 0.2)};
                auto replies = good(line);
                if (++n == 1) replies.push_back(then);
                return replies;
            });
            suites.adapter.answers_reset = false; // but later
            suites.of = Executable(three_tests(open ? "' end='open'>" : "'>"));
            suites.run();
            CHECK(suites.said.starts_with(open ? "(0:pass)(1:pass)(2:pass)"
                                               : "(0:pass)(1:error)(2:pass)")); // one at most
            CHECK(suites.adapter.starts == 1);
        }
    }
}

TEST_CASE("an adapter that does not come back after an open end is an error of the next test") {
    int resets = 0;
    Suites suites(2, [&](const std::string& line) -> std::vector<Reply> {
        if (line.find("\"reset\"") == std::string::npos) return good(line);
        if (++resets == 1) return {say("{'type':'reset'}")};
        return {{0, AdapterClosed{"exited with status 1"}}};
    });
    suites.adapter.answers_reset = false;
    suites.of = Executable(suite_of("<test id='a' end='open'/><test id='b'/>"));
    suites.run();
    CHECK(suites.said == "(0:pass)(1:error)");
    CHECK(resets == 3);
}

TEST_CASE("an adapter that fails three times before a test can begin is given up") {
    Suites suites(9, [](const std::string&) -> std::vector<Reply> {
        return {{0, AdapterClosed{"exited with status 1"}}};
    });
    suites.adapter.answers_reset = false;
    suites.run();
    CHECK(suites.said == "(0:error)(1:error)(2:error)");
    CHECK(suites.made.gave_up == "the adapter failed 3 times in a row before a test could begin; the last time, the "
                                 "adapter exited with status 1");
    CHECK(suites.summary() == "0 of 9 tests passed, 3 errors, 6 not run");
    CHECK_FALSE(suites.made.good());
    CHECK(suites.json().find("\"complete\": false") != std::string::npos);
    CHECK(suites.json().find("\"not run\"") != std::string::npos);
}

TEST_CASE("an adapter that dies in every test, after the reset, is started again each time") {
    Suites suites(9, [](const std::string&) -> std::vector<Reply> {
        return {{0, AdapterClosed{"exited with status 1"}}};
    });
    suites.run();
    CHECK(suites.made.errors == 9);
    CHECK(suites.adapter.starts == 8);
    CHECK(suites.made.gave_up.empty());
}

TEST_CASE("an adapter that cannot be started again") {
    Suites suites(5, [](const std::string&) -> std::vector<Reply> {
        return {{0, AdapterClosed{"exited with status 1"}}};
    });
    suites.adapter.start_problem = "No such file or directory";
    suites.run();
    CHECK(suites.said == "(0:error)(1:error)(2:error)(3:error)");
    CHECK(suites.made.tests[3]->reason == "the adapter cannot be started: No such file or directory");
    CHECK_FALSE(suites.made.gave_up.empty());
}

TEST_CASE("an interrupted run keeps its verdicts, and ends the adapter") {
    int n = 0;
    Suites suites(3, [&](const std::string& line) -> std::vector<Reply> {
        if (++n == 2) return {{0.1, Interrupted{}}};
        return good(line);
    });
    suites.run();
    CHECK(suites.made.interrupted);
    CHECK(suites.adapter.kills == 1);
    CHECK(suites.summary() == "1 of 3 tests passed, 2 not run");
    CHECK_FALSE(suites.made.complete());
    CHECK_FALSE(suites.made.good());
}

TEST_CASE("results as JSON and as JUnit") {
    Suites suites(2, [n = 0](const std::string& line) mutable -> std::vector<Reply> {
        if (++n == 1) return {out("p", "No\\u001b[31m"), quiet()};
        return good(line);
    });
    suites.run();
    const auto json = parse_json(suites.json());
    REQUIRE_MESSAGE(json, suites.json());
    CHECK(json->member("complete")->kind == JsonValue{true}.kind);
    CHECK(*json->member("suite")->string() == "s.xml");
    const auto& tests = std::get<JsonList>(json->member("tests")->kind);
    REQUIRE(tests.size() == 2);
    CHECK(*tests[0].member("verdict")->string() == "fail");
    CHECK(*tests[1].member("verdict")->string() == "pass");
    CHECK(std::get<JsonList>(tests[0].member("lines")->kind).size() == 3);
    CHECK(suites.json(false).find("\"complete\": false") != std::string::npos); // while the run goes on
    SuitePlaces places(suites.of.sources);
    // Control characters are shown, not obeyed.
    CHECK(
        verdict_text(suites.of.good().tests[0], *suites.made.tests[0], places) ==
        "fail t0 (suite.xml:2:2): an output is not the expected one\n    input p (Ask)\n"
        "  - output p (Yes)   (suite.xml:2:47)\n  + output p (No\\x1b;[31m)\n      expected Yes, found No\\x1b;[31m\n");
    const JunitSuite junit = junit_results("s.xml", suites.of.good(), suites.made, suites.asked, places);
    REQUIRE(junit.tests.size() == 2);
    CHECK(junit.tests[0].verdict == TestVerdict::fail);
    CHECK(junit.tests[0].message == "an output is not the expected one");
    CHECK(junit.tests[1].verdict == TestVerdict::pass);
}
