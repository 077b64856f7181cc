// `espalier replay`: a suite against its model.
#include <cstdio>
#include <filesystem>

#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/commands/suite_file.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/terminal/stop_signals.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"

namespace espalier {

namespace {

// Signals end the replay once there is something to be lost.
int replay_within(const ReplayOptions& options, Limits& limits, std::optional<StopSignals>& signals) {
    const auto loaded = load_suite_or_report("replay", options.model, options.suite, &limits);
    if (!loaded) return exit_usage;
    const auto& [sources, criteria, model, suite] = *loaded;
    OutputFiles files{{options.junit}, files_of(model), options.force};
    files.read.push_back(options.suite);
    if (const std::string problem = problem_with(files); !problem.empty()) {
        std::fprintf(stderr, "espalier replay: %s\n", problem.c_str());
        return exit_usage;
    }
    const std::string name = valid_utf8(std::filesystem::path(options.model).filename().string());
    if (suite.model != name && !options.quiet)
        std::fprintf(stderr, "%s: warning: the suite is for `%s`, and is replayed on `%s`\n",
                     printable(options.suite).c_str(), printable(suite.model).c_str(), printable(name).c_str());
    limits.heed(signals.emplace());
    const SuiteReplay replay = replay_suite(model, suite, criteria, {&limits.over(), options.step_limit});
    std::fputs(differences_text(replay, suite, sources).c_str(), stdout);
    if (!options.junit.empty()) {
        const JunitSuite results = replay_results(replay, suite, sources);
        const std::string problem = write_file(options.junit, [&](const Sink& sink) { write_junit(results, sink); });
        if (!problem.empty()) {
            std::fprintf(stderr, "espalier replay: %s\n", problem.c_str());
            return exit_usage;
        }
    }
    if (!options.quiet) {
        const std::string stopped =
            replay.stopped_tests == 0 ? "" : ", " + std::to_string(replay.stopped_tests) + " not run to the end";
        std::printf("%s: %zu of %zu test%s passed%s%s\n", printable(options.suite).c_str(), replay.passed_tests,
                    replay.tests.size(), replay.tests.size() == 1 ? "" : "s", stopped.c_str(),
                    replay.table.empty() ? "" : ", and the table of targets is not true");
        std::fputs(coverage_text(*model.program, replay.covered).c_str(), stdout);
    }
    if (replay.stopped_tests > 0) {
        std::fflush(stdout); // before what goes to standard error, also in a log
        if (!replay.is_out_of_steps) return ended_early("replay", limits);
        std::fprintf(stderr, "espalier replay: ended by the step limit\n");
    }
    return replay.passed() ? exit_done : exit_found;
}

} // namespace

int replay_command(const ReplayOptions& options) {
    std::optional<StopSignals> signals;
    Limits limits(nullptr, options.limits.time, options.limits.memory);
    return unless_stopped("replay", limits, [&] { return replay_within(options, limits, signals); });
}

Action declare_replay(Arguments& arguments) {
    const auto options = std::make_shared<ReplayOptions>();
    arguments.word("MODEL", options->model, "The model's file");
    arguments.word("SUITE", options->suite, "The suite's file, generated or written by hand");
    arguments.text("--junit", "FILE", options->junit, "Write the results to this file, as JUnit XML");
    add_limits(arguments, options->limits, "the replay ends");
    add_call_limit(arguments, options->step_limit, "the replay ends");
    arguments.flag("--quiet", options->quiet, "Only what differs, no summary");
    add_force(arguments, options->force);
    return [options] { return replay_command(*options); };
}

} // namespace espalier
