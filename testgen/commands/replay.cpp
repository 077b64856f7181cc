// `espalier replay`: a suite against its model.
#include <cstdio>
#include <filesystem>

#include "testgen/commands/model_file.hpp"
#include "testgen/commands/suite_file.hpp"
#include "testgen/replay/replay_report.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"

namespace espalier {

int replay_command(const ReplayOptions& options) {
    const auto loaded = load_suite_or_report("espalier replay", options.model, options.suite);
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
    const SuiteReplay replay = replay_suite(model, suite, criteria);
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
        std::printf("%s: %zu of %zu test%s passed%s\n", printable(options.suite).c_str(), replay.passed_tests,
                    replay.tests.size(), replay.tests.size() == 1 ? "" : "s",
                    replay.table.empty() ? "" : ", and the table of targets is not true");
        std::fputs(coverage_text(*model.program, replay.covered).c_str(), stdout);
    }
    return replay.passed() ? exit_done : exit_found;
}

} // namespace espalier
