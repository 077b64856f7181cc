#include "testgen/execute/results.hpp"
#include "testgen/text/escapes.hpp"

#include "testgen/text/json.hpp"

namespace espalier {

namespace {

// Where nothing differs, the end of what happened is what matters.
void append_happened(std::string& out, const TestRun& run, SuitePlaces& places) {
    append_lines(out, run.lines, places, run.verdict == TestVerdict::error ? ShowLines::last : ShowLines::differences);
}

} // namespace

std::string verdict_text(const ExecutableTest& test, const TestRun& run, SuitePlaces& places) {
    std::string out(word_of(run.verdict));
    out += " " + printable(test.id);
    if (run.verdict == TestVerdict::pass) return out + "\n";
    out += " (" + places.of(test.in_suite) + "): " + printable(run.reason) + "\n";
    append_happened(out, run, places);
    return out;
}

std::string summary_text(const SuiteRun& run) {
    std::string out = std::to_string(run.passed) + " of " + std::to_string(run.asked) +
                      (run.asked == 1 ? " test passed" : " tests passed");
    const auto add = [&](size_t n, const char* what) {
        if (n > 0) out += ", " + std::to_string(n) + " " + what;
    };
    add(run.failed, "failed");
    add(run.inconclusive, "inconclusive");
    add(run.errors, run.errors == 1 ? "error" : "errors");
    add(run.asked - run.passed - run.failed - run.inconclusive - run.errors, "not run");
    return out;
}

JunitSuite junit_results(const std::string& name, const ExecutableSuite& suite, const SuiteRun& run,
                         const std::vector<bool>& asked, SuitePlaces& places) {
    JunitSuite out{name, {}};
    for (size_t i = 0; i < suite.tests.size(); ++i) {
        if (!asked[i]) continue;
        JunitTest test{suite.tests[i].id, 0, TestVerdict::error, "not run", {}};
        if (const auto& made = run.tests[i]) {
            test = {suite.tests[i].id, made->seconds, made->verdict, made->reason, {}};
            if (made->verdict != TestVerdict::pass) append_happened(test.detail, *made, places);
        }
        out.tests.push_back(std::move(test));
    }
    return out;
}

std::vector<ReportVerdict> page_verdicts(const ExecutableSuite& suite, const SuiteRun& run, SuitePlaces& places) {
    std::vector<ReportVerdict> out;
    for (size_t i = 0; i < suite.tests.size(); ++i) {
        const auto& made = run.tests[i];
        if (!made) continue;
        std::string text = made->reason;
        if (made->verdict != TestVerdict::pass) append_happened(text += "\n", *made, places);
        out.push_back({suite.tests[i].id, made->verdict, std::move(text)});
    }
    return out;
}

std::string results_json(const ResultsHead& head, const ExecutableSuite& suite, const SuiteRun& run,
                         const std::vector<bool>& asked, bool ended) {
    JsonWriter out;
    out.begin_object();
    out.member("suite", std::string_view(head.suite));
    out.member("model", std::string_view(head.model));
    out.key("adapter");
    out.begin_list();
    for (const std::string& word : head.adapter) out.value(std::string_view(word));
    out.end_list();
    out.member("complete", ended && run.complete());
    if (!run.gave_up.empty()) out.member("gave_up", std::string_view(run.gave_up));
    out.member("tests_asked", uint64_t{run.asked});
    out.member("passed", uint64_t{run.passed});
    out.member("failed", uint64_t{run.failed});
    out.member("inconclusive", uint64_t{run.inconclusive});
    out.member("errors", uint64_t{run.errors});
    out.key("tests");
    out.begin_list();
    for (size_t i = 0; i < suite.tests.size(); ++i) {
        if (!asked[i]) continue;
        out.begin_object();
        out.member("id", std::string_view(suite.tests[i].id));
        const auto& test = run.tests[i];
        out.member("verdict", test ? word_of(test->verdict) : std::string_view("not run"));
        if (test) {
            out.member("seconds", test->seconds);
            if (!test->reason.empty()) out.member("reason", std::string_view(test->reason));
            if (test->verdict != TestVerdict::pass) {
                out.key("lines");
                out.begin_list();
                for (const ReplayLine& l : test->lines) {
                    out.begin_object();
                    out.member("mark", std::string_view(&l.mark, 1));
                    out.member("text", std::string_view(l.text));
                    if (!l.details.empty()) {
                        out.key("details");
                        out.begin_list();
                        for (const std::string& d : l.details) out.value(std::string_view(d));
                        out.end_list();
                    }
                    out.end_object();
                }
                out.end_list();
            }
        }
        out.end_object();
    }
    out.end_list();
    out.end_object();
    return out.take();
}

} // namespace espalier
