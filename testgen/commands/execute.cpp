// `espalier execute`: a suite against a real system.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/results_files.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/commands/suite_file.hpp"
#include "testgen/execute/alternatives.hpp"
#include "testgen/terminal/live_line.hpp"
#include "testgen/terminal/stop_signals.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"

namespace espalier {

namespace {

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

// What is wrong, in words fit for a terminal.
int complain(const std::string& problem) {
    std::fprintf(stderr, "espalier execute: %s\n", problem.c_str());
    return exit_usage;
}

// All that an execution reads. Stays where it was made: parts of it refer to others.
struct Given {
    Sources sources; // of the suite
    std::optional<XmlTree> tree;
    std::optional<ExecutableSuite> suite;
    std::optional<ModelOfSuite> model;
    std::optional<std::vector<bool>> asked; // by test
    std::string page;                       // the report, as it was; "" where none is asked for
};

// Each says what is wrong, and is false then.
bool read_suite_and_model(const ExecuteOptions& options, const Limits& limits, Given& given) {
    auto text = read_or_report(options.suite);
    if (!text) return false;
    Diagnostics diagnostics;
    given.tree = parse_xml(given.sources, given.sources.add(options.suite, std::move(*text)), diagnostics);
    if (given.tree) given.suite = read_executable_suite(*given.tree, diagnostics);
    const bool with_model = given.suite && !options.model.empty();
    if (with_model) given.model = load_model_of(*given.tree, options, limits, diagnostics);
    report(given.sources, diagnostics);
    return given.suite && (!with_model || given.model);
}

bool can_write(const ExecuteOptions& options, const Given& given) {
    const std::string problem = problem_with(files_of(options, given.model ? &given.model->model : nullptr));
    if (!problem.empty()) complain(problem);
    return problem.empty();
}

bool read_page(const ExecuteOptions& options, Given& given) {
    if (options.report.empty()) return true;
    auto there = read_file(options.report);
    const std::string problem =
        there ? page_problem(*there, *given.tree) : std::string("cannot be read: ") + std::strerror(errno);
    if (problem.empty())
        given.page = std::move(*there);
    else
        complain("`" + printable(options.report) + "` " + problem);
    return problem.empty();
}

// One execution of what was read.
class ExecuteRun {
public:
    ExecuteRun(const ExecuteOptions& options, const Given& given, const Limits& limits, const StopSignals& signals)
        : options_(options), suite_(*given.suite), model_(given.model ? &*given.model : nullptr), asked_(*given.asked),
          page_(given.page), limits_(limits), signals_(signals), places_(given.sources), live_(!options.quiet, 0) {
        if (model_ != nullptr) alternatives_.emplace(model_->model);
    }

    // The exit status.
    int run() {
        const auto adapter = adapter_process(command());
        if (const std::string problem = adapter->start(); !problem.empty())
            return complain("cannot start the adapter `" + printable(options_.adapter.front()) + "`: " + problem);
        results_.emplace(options_, suite_, asked_, places_, page_, *adapter);
        const SuiteRun made = execute_suite(*adapter, suite_, options_.timing, hooks());
        results_->finish(made);
        live_.clear();
        if (!made.interrupted) end(*adapter, made);
        return status(made);
    }

private:
    AdapterCommand command() {
        AdapterCommand command;
        command.words = options_.adapter;
        command.stopped = [this] {
            live_.show(progress_);
            if (results_) results_->catch_up();
            return signals_.received() != 0 || limits_.is_over();
        };
        command.said = [this](const std::string& line) {
            if (options_.quiet) return;
            live_.clear();
            std::fprintf(stderr, "adapter: %s\n", printable(line).c_str());
        };
        return command;
    }

    ExecuteHooks hooks() {
        ExecuteHooks hooks;
        hooks.wanted = [this](size_t i) { return asked_[i]; };
        hooks.reconsider = [this](size_t i, TestRun& made) {
            reconsider(made, suite_.tests[i], model_ != nullptr ? &model_->suite.tests[i] : nullptr,
                       alternatives_ ? &*alternatives_ : nullptr, &limits_.over());
        };
        hooks.before = [this](size_t i) {
            progress_ = "test " + std::to_string(i + 1) + " of " + std::to_string(suite_.tests.size()) + ": " +
                        printable(suite_.tests[i].id);
        };
        hooks.after = [this](const SuiteRun& so_far, size_t i) {
            const TestRun& made = *so_far.tests[i];
            live_.clear();
            if (!options_.quiet || made.verdict != TestVerdict::pass) {
                std::fputs(verdict_text(suite_.tests[i], made, places_).c_str(), stdout);
                std::fflush(stdout);
            }
            results_->update(so_far);
        };
        return hooks;
    }

    void end(Adapter& adapter, const SuiteRun& made) const {
        const std::string bad_end = adapter.finish(options_.timing.timeout);
        if (!bad_end.empty() && made.gave_up.empty())
            std::fprintf(stderr, "espalier execute: warning: after the last test the adapter %s\n",
                         printable(bad_end).c_str());
    }

    int status(const SuiteRun& made) {
        if (!made.gave_up.empty()) complain(printable(made.gave_up));
        if (!options_.quiet) std::printf("%s: %s\n", printable(options_.suite).c_str(), summary_text(made).c_str());
        if (!results_->problem().empty()) {
            std::fprintf(stderr, "espalier: %s\n", results_->problem().c_str());
            return exit_usage;
        }
        if (made.interrupted) {
            if (signals_.received() != 0) return 128 + signals_.received();
            std::fflush(stdout); // before what goes to standard error, also in a log
            return ended_early("execute", limits_);
        }
        return made.good() ? exit_done : exit_found;
    }

    const ExecuteOptions& options_;
    const ExecutableSuite& suite_;
    const ModelOfSuite* model_; // or null
    const std::vector<bool>& asked_;
    const std::string& page_;
    const Limits& limits_;
    const StopSignals& signals_;
    SuitePlaces places_;
    std::optional<Alternatives> alternatives_; // of the model
    std::optional<ResultsFiles> results_;      // once the adapter has been started
    LiveLine live_;
    std::string progress_;
};

int execute_within(const ExecuteOptions& options, Limits& limits, std::optional<StopSignals>& signals) {
    Given given;
    if (!read_suite_and_model(options, limits, given)) return exit_usage;
    given.asked = asked_tests(*given.suite, options.tests);
    if (!given.asked || !can_write(options, given) || !read_page(options, given)) return exit_usage;
    limits.heed(signals.emplace());
    return ExecuteRun(options, given, limits, *signals).run();
}

} // namespace

int execute_command(const ExecuteOptions& options) {
    std::optional<StopSignals> signals;
    Limits limits(nullptr, options.limits.time, options.limits.memory);
    return unless_stopped("execute", limits, [&] { return execute_within(options, limits, signals); });
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
