// `espalier execute`: a suite against a real system.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/execute/alternatives.hpp"
#include "testgen/execute/results.hpp"
#include "testgen/terminal/live_line.hpp"
#include "testgen/terminal/stop_signals.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"

namespace espalier {

namespace {

void report(const Sources& sources, Diagnostics& diagnostics) {
    diagnostics.sort(sources);
    for (const Diagnostic& d : diagnostics.all()) std::fputs(render(sources, d).c_str(), stderr);
}

// By test, those that are asked for; nothing after a name that the suite does not have.
std::optional<std::vector<bool>> asked_tests(const ExecutableSuite& suite, const std::vector<std::string>& names) {
    std::set<std::string> wanted(names.begin(), names.end());
    std::vector<bool> asked;
    for (const ExecutableTest& t : suite.tests) asked.push_back(names.empty() || wanted.erase(t.id) > 0);
    // What is left is in no test
    for (const std::string& name : names) {
        if (wanted.count(name) == 0) continue;
        std::fprintf(stderr, "espalier execute: the suite has no test `%s`\n", printable(name).c_str());
        return std::nullopt;
    }
    return asked;
}

// The page is read, and written again. Words of the adapter's command that name a file are its program, or of use to
// it.
OutputFiles files_of(const ExecuteOptions& options, const Model* model) {
    OutputFiles files{{options.report, options.results, options.junit}, {options.suite}, options.force, options.report};
    files.read.push_back(options.report);
    std::error_code ignored;
    for (const std::string& word : options.adapter)
        if (std::filesystem::exists(word, ignored)) files.read.push_back(word);
    if (model != nullptr)
        for (std::string& file : files_of(*model)) files.read.push_back(std::move(file));
    return files;
}

// Results are kept in a file from the first verdict on, whatever becomes of this program: each is written at once. Only
// where that would take half of all the time, in a large suite of quick tests, some are written together.
class ResultsFile {
public:
    ResultsFile(const ExecuteOptions& options, const ExecutableSuite& suite, const std::vector<bool>& asked,
                SuitePlaces& places, const std::string& page, Adapter& clock)
        : options_(options), suite_(suite), asked_(asked), places_(places), page_(page), clock_(clock),
          begin_(clock.now()) {}

    void update(const SuiteRun& run) {
        behind_ = &run;
        catch_up();
    }
    // Asked now and then: what was put off is not put off until after a long test.
    void catch_up() {
        const double begin = clock_.now();
        if (behind_ == nullptr || spent_ > (begin - begin_) / 2) return;
        write(*behind_, false);
        spent_ += clock_.now() - begin;
    }
    void write(const SuiteRun& run, bool ended) {
        behind_ = nullptr;
        // What is written again soon need not outlive the machine, only this program.
        const Lasting lasting = ended ? Lasting::synced : Lasting::in_cache;
        if (!options_.results.empty()) {
            const ResultsHead head{options_.suite, suite_.model, options_.adapter};
            const std::string json = results_json(head, suite_, run, asked_, ended);
            keep(write_file(
                options_.results, [&](const Sink& sink) { sink(json); }, lasting));
        }
        if (!options_.junit.empty()) {
            const JunitSuite results = junit_results(options_.suite, suite_, run, asked_, places_);
            keep(write_file(
                options_.junit, [&](const Sink& sink) { write_junit(results, sink); }, lasting));
        }
        if (!options_.report.empty()) {
            const std::string page = with_verdicts(page_, page_verdicts(suite_, run, places_)).value();
            keep(write_file(
                options_.report, [&](const Sink& sink) { sink(page); }, lasting));
        }
    }
    const std::string& problem() const { return problem_; }

private:
    void keep(const std::string& problem) {
        if (!problem.empty()) problem_ = problem;
    }
    const ExecuteOptions& options_;
    const ExecutableSuite& suite_;
    const std::vector<bool>& asked_;
    SuitePlaces& places_;
    const std::string& page_; // the report, as it was
    Adapter& clock_;
    const double begin_;
    double spent_ = 0;                 // seconds, on writing
    const SuiteRun* behind_ = nullptr; // has verdicts that are not written yet
    std::string problem_;
};

// Empty, or why verdicts on the suite's tests have no place in the page.
std::string page_problem(const std::string& page, const XmlTree& suite) {
    const auto shown = tests_of_page(page);
    if (!with_verdicts(page, {}) || !shown)
        return "is no page that generate --report has written: it has no place for verdicts";
    std::map<std::string, std::string> known;
    for (const TestDigest& t : *shown) known.emplace(t.test, t.digest);
    for (const TestDigest& t : test_digests(suite)) {
        const auto it = known.find(t.test);
        if (it == known.end()) return "is the report of another suite: it has no test `" + printable(t.test) + "`";
        if (it->second != t.digest)
            return "is the report of another suite: its test `" + printable(t.test) + "` is another one";
    }
    return {};
}

// The model, and the suite as read for it.
struct ModelOfSuite {
    Model model;
    Suite suite;
};

std::optional<ModelOfSuite> load_model_of(const XmlTree& tree, const ExecuteOptions& options, const Limits& limits,
                                          Diagnostics& diagnostics) {
    auto model = load_or_report(options.model, true, &limits);
    if (!model) return std::nullopt;
    model->program = instrument(*model->program, criteria_of(tree));
    auto suite = read_suite(tree, *model->program, diagnostics);
    if (!suite) return std::nullopt;
    return ModelOfSuite{std::move(*model), std::move(*suite)};
}

int execute_within(const ExecuteOptions& options, Limits& limits, std::optional<StopSignals>& signals) {
    auto text = read_file(options.suite);
    if (!text) {
        std::fprintf(stderr, "espalier: cannot read `%s`: %s\n", printable(options.suite).c_str(),
                     std::strerror(errno));
        return exit_usage;
    }
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_xml(sources, sources.add(options.suite, std::move(*text)), diagnostics);
    const auto suite = tree ? read_executable_suite(*tree, diagnostics) : std::nullopt;
    const bool with_model = suite && !options.model.empty();
    const auto model = with_model ? load_model_of(*tree, options, limits, diagnostics) : std::nullopt;
    report(sources, diagnostics);
    if (!suite || (with_model && !model)) return exit_usage;
    std::optional<Alternatives> alternatives;
    if (model) alternatives.emplace(model->model);
    const auto asked = asked_tests(*suite, options.tests);
    if (!asked) return exit_usage;
    const OutputFiles files = files_of(options, model ? &model->model : nullptr);
    if (const std::string problem = problem_with(files); !problem.empty()) {
        std::fprintf(stderr, "espalier execute: %s\n", problem.c_str());
        return exit_usage;
    }

    SuitePlaces places(sources);
    std::string page;
    if (!options.report.empty()) {
        auto there = read_file(options.report);
        const std::string problem =
            there ? page_problem(*there, *tree) : std::string("cannot be read: ") + std::strerror(errno);
        if (!problem.empty()) {
            std::fprintf(stderr, "espalier execute: `%s` %s\n", printable(options.report).c_str(), problem.c_str());
            return exit_usage;
        }
        page = std::move(*there);
    }
    limits.heed(signals.emplace());
    std::optional<ResultsFile> results;
    LiveLine live(!options.quiet, 0);
    std::string progress;
    AdapterCommand command;
    command.words = options.adapter;
    command.stopped = [&] {
        live.show(progress);
        if (results) results->catch_up();
        return signals->received() != 0 || limits.is_over();
    };
    command.said = [&](const std::string& line) {
        if (options.quiet) return;
        live.clear();
        std::fprintf(stderr, "adapter: %s\n", printable(line).c_str());
    };
    const auto adapter = adapter_process(std::move(command));
    if (const std::string problem = adapter->start(); !problem.empty()) {
        std::fprintf(stderr, "espalier execute: cannot start the adapter `%s`: %s\n",
                     printable(options.adapter.front()).c_str(), problem.c_str());
        return exit_usage;
    }
    results.emplace(options, *suite, *asked, places, page, *adapter);
    ExecuteHooks hooks;
    hooks.wanted = [&](size_t i) { return (*asked)[i]; };
    hooks.reconsider = [&](size_t i, TestRun& made) {
        reconsider(made, suite->tests[i], model ? &model->suite.tests[i] : nullptr,
                   alternatives ? &*alternatives : nullptr, &limits.over());
    };
    hooks.before = [&](size_t i) {
        progress = "test " + std::to_string(i + 1) + " of " + std::to_string(suite->tests.size()) + ": " +
                   printable(suite->tests[i].id);
    };
    hooks.after = [&](const SuiteRun& so_far, size_t i) {
        const TestRun& made = *so_far.tests[i];
        live.clear();
        if (!options.quiet || made.verdict != Verdict::pass) {
            std::fputs(verdict_text(suite->tests[i], made, places).c_str(), stdout);
            std::fflush(stdout);
        }
        results->update(so_far);
    };
    const SuiteRun run = execute_suite(*adapter, *suite, options.timing, hooks);
    results->write(run, true);
    live.clear();
    if (!run.interrupted) {
        const std::string bad_end = adapter->finish(options.timing.timeout);
        if (!bad_end.empty() && run.gave_up.empty())
            std::fprintf(stderr, "espalier execute: warning: after the last test the adapter %s\n",
                         printable(bad_end).c_str());
    }
    if (!run.gave_up.empty()) std::fprintf(stderr, "espalier execute: %s\n", printable(run.gave_up).c_str());
    if (!options.quiet) std::printf("%s: %s\n", printable(options.suite).c_str(), summary_text(run).c_str());
    if (!results->problem().empty()) {
        std::fprintf(stderr, "espalier: %s\n", results->problem().c_str());
        return exit_usage;
    }
    if (run.interrupted) {
        if (signals->received() != 0) return 128 + signals->received();
        std::fflush(stdout); // before what goes to standard error, also in a log
        return ended_early("execute", limits);
    }
    return run.good() ? exit_done : exit_found;
}

} // namespace

int execute_command(const ExecuteOptions& options) {
    std::optional<StopSignals> signals;
    Limits limits(nullptr, options.limits.time, options.limits.memory);
    try {
        return execute_within(options, limits, signals);
    } catch (const CompileStopped&) {
        return ended_early("execute", limits);
    }
}

Action declare_execute(Arguments& arguments) {
    const auto options = std::make_shared<ExecuteOptions>();
    arguments.footer(
        "After `--` comes the adapter's command, with its arguments: execute SUITE -- ADAPTER ARG...\n"
        "Exit status: 0 nothing speaks against the system; 1 a test failed or had an error; 2 wrong usage");
    arguments.word_or_last_of("SUITE", options->suite, options->tests, "The suite's file");
    arguments.rest("-- ADAPTER", options->adapter);
    const auto duration = [&](const char* name, double& seconds, const std::string& what) {
        arguments.seconds(name, seconds, what + ", in seconds").shows_default();
    };
    duration("--time-unit", options->timing.time_unit, "How long a unit of the model's time takes");
    duration("--timeout", options->timing.timeout,
             "How long an expected output, or an answer of the adapter, may take");
    duration("--quiet-time", options->timing.quiet_time,
             "How long nothing may come after the expected outputs before the next input is sent");
    add_limits(arguments, options->limits, "it ends");
    arguments.list("--test", "ID", options->tests, "Run only these tests, named as in the suite");
    arguments.text("--model", "FILE", options->model,
                   "The model of the suite: a difference that another schedule or choice of it allows is inconclusive");
    arguments.text("--junit", "FILE", options->junit, "Write the verdicts to this file, as JUnit XML");
    arguments.text("--report", "FILE.html", options->report,
                   "Put the verdicts into this page, which generate --report has written");
    arguments.text("--results", "FILE", options->results, "Write the verdicts to this file, as JSON");
    arguments.flag("--quiet", options->quiet, "Only what did not pass, no summary");
    add_force(arguments, options->force);
    return [options] { return execute_command(*options); };
}

} // namespace espalier
