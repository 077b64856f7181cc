// `espalier replay`: a suite against its model.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "testgen/model_file.hpp"
#include "testgen/replay_report.hpp"
#include "testgen/suite_reader.hpp"
#include "testgen/testgen.hpp"

namespace espalier {

namespace {

// The model, with the targets of the criteria that a suite speaks of. One that names no target claims no coverage, and
// what it reaches is shown for the usual criteria.
std::optional<Model> load_for_suite(const std::string& path, Criteria spoken_of) {
    auto model = load_or_report(path, true);
    if (model) instrument(*model->program, spoken_of.empty() ? Criteria::standard() : spoken_of);
    return model;
}

void report(const Sources& sources, Diagnostics& diagnostics) {
    diagnostics.sort(sources);
    for (const Diagnostic& d : diagnostics.all()) std::fputs(render(sources, d).c_str(), stderr);
}

bool begins_as_xml(const std::string& text) {
    size_t at = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0; // a byte-order mark
    at = text.find_first_not_of(" \t\r\n", at);
    return at != std::string::npos && text[at] == '<';
}

} // namespace

int replay_command(const ReplayOptions& options) {
    auto text = read_file(options.suite);
    if (!text) {
        std::fprintf(stderr, "espalier: cannot read `%s`: %s\n", options.suite.c_str(), std::strerror(errno));
        return exit_usage;
    }
    if (const auto model = read_file(options.model); model && begins_as_xml(*model) && !begins_as_xml(*text)) {
        std::fprintf(stderr, "espalier replay: `%s` is a suite, and the model comes first: replay %s %s\n",
                     options.model.c_str(), options.suite.c_str(), options.model.c_str());
        return exit_usage;
    }
    if (!options.junit.empty()) { // before work whose result would be lost
        std::string problem = check_writable(options.junit);
        std::error_code ignored;
        for (const std::string& read : {options.model, options.suite})
            if (std::filesystem::equivalent(options.junit, read, ignored)) problem = "`" + read + "` would be lost";
        if (!problem.empty()) {
            std::fprintf(stderr, "espalier replay: %s\n", problem.c_str());
            return exit_usage;
        }
    }
    Sources sources;
    Diagnostics diagnostics;
    const auto tree = parse_xml(sources, sources.add(options.suite, std::move(*text)), diagnostics);
    if (!tree) {
        report(sources, diagnostics);
        return exit_usage;
    }
    const Criteria criteria = criteria_of(*tree);
    const auto model = load_for_suite(options.model, criteria);
    if (!model) return exit_usage;
    const auto suite = read_suite(*tree, *model->program, diagnostics);
    report(sources, diagnostics);
    if (!suite) return exit_usage;
    const std::string name = std::filesystem::path(options.model).filename().string();
    if (suite->model != name && !options.quiet)
        std::fprintf(stderr, "%s: warning: the suite is for `%s`, and is replayed on `%s`\n", options.suite.c_str(),
                     printable(suite->model).c_str(), name.c_str());
    const SuiteReplay replay = replay_suite(*model, *suite, criteria);
    std::fputs(differences_text(replay, *suite, sources).c_str(), stdout);
    if (!options.junit.empty()) {
        const JunitSuite results = replay_results(replay, *suite, sources);
        const std::string problem = write_file(options.junit, [&](const Sink& sink) { write_junit(results, sink); });
        if (!problem.empty()) {
            std::fprintf(stderr, "espalier replay: %s\n", problem.c_str());
            return exit_usage;
        }
    }
    if (!options.quiet) {
        std::printf("%s: %zu of %zu test%s passed%s\n", options.suite.c_str(), replay.passed_tests, replay.tests.size(),
                    replay.tests.size() == 1 ? "" : "s",
                    replay.table.empty() ? "" : ", and the table of targets is not true");
        std::fputs(coverage_text(*model->program, replay.covered).c_str(), stdout);
    }
    return replay.passed() ? exit_done : exit_found;
}

} // namespace espalier
