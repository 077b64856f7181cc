#include "testgen/execute/run.hpp"

namespace espalier {

namespace {

void count(SuiteRun& run, const TestRun& test) {
    if (test.open_difference) ++run.open_differences;
    switch (test.verdict) {
    case TestVerdict::pass: ++run.passed; break;
    case TestVerdict::fail: ++run.failed; break;
    case TestVerdict::inconclusive: ++run.inconclusive; break;
    case TestVerdict::error: ++run.errors; break;
    }
}

TestRun not_started(const std::string& problem) {
    TestRun run;
    run.verdict = TestVerdict::error;
    run.reason = "the adapter cannot be started: " + problem;
    run.adapter_lost = true;
    return run;
}

// Whatever came before its reset was answered is of an earlier test.
bool failed_to_begin(const ExecutableTest& test, const TestRun& run) {
    return !run.answered && !run.interrupted && test.misnamed.empty();
}

// A system may do anything after a test whose end is open, and die of it. That is no matter of the test that comes
// next.
TestRun execute_anew(Adapter& adapter, const ExecutableTest& test, const Timing& timing) {
    adapter.kill();
    const std::string problem = adapter.start();
    return problem.empty() ? execute_test(adapter, test, timing) : not_started(problem);
}

} // namespace

SuiteRun execute_suite(Adapter& adapter, const ExecutableSuite& suite, const Timing& timing,
                       const ExecuteHooks& hooks) {
    SuiteRun run;
    run.tests.resize(suite.tests.size());
    for (size_t i = 0; i < suite.tests.size(); ++i)
        if (hooks.wanted(i)) ++run.asked;
    bool running = true, left_open = false;
    int failed_starts = 0;
    for (size_t i = 0; i < suite.tests.size(); ++i) {
        const ExecutableTest& test = suite.tests[i];
        if (!hooks.wanted(i)) continue;
        hooks.before(i);
        const std::string problem = running ? "" : adapter.start();
        TestRun made = problem.empty() ? execute_test(adapter, test, timing) : not_started(problem);
        if (left_open && failed_to_begin(test, made)) made = execute_anew(adapter, test, timing);
        if (made.interrupted) {
            run.interrupted = true;
            adapter.kill();
            return run;
        }
        running = !made.adapter_lost;
        if (test.misnamed.empty()) left_open = test.open_end && made.verdict == TestVerdict::pass;
        if (made.adapter_lost) {
            for (const std::string& said : adapter.last_words())
                made.lines.push_back({' ', "the adapter said: " + said, {}, {}});
            adapter.kill();
        }
        if (made.verdict == TestVerdict::fail) hooks.reconsider(i, made);
        made.seen = {}; // needed no more, and may be much
        made.names = {};
        failed_starts = made.adapter_lost && !made.answered ? failed_starts + 1 : 0;
        count(run, made);
        const std::string reason = made.reason;
        run.interrupted = made.interrupted;
        run.tests[i] = std::move(made);
        hooks.after(run, i);
        if (run.interrupted) {
            adapter.kill();
            return run;
        }
        if (failed_starts >= most_failed_starts && !run.complete()) {
            run.gave_up = "the adapter failed " + std::to_string(failed_starts) +
                          " times in a row before a test could begin; the last time, " + reason;
            return run;
        }
    }
    return run;
}

} // namespace espalier
