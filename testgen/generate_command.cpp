// `espalier generate`: a model in, a suite out.
#include <cstdio>
#include <filesystem>
#include <vector>

#include "testgen/exporter.hpp"
#include "testgen/generation.hpp"
#include "testgen/model_file.hpp"
#include "testgen/report.hpp"
#include "testgen/testgen.hpp"
#include "testgen/write_file.hpp"

namespace espalier {

namespace {

// What would be lost after a long search, or would overwrite something, is found before it.
std::string problem_with(const std::vector<std::string>& files, const std::string& model) {
    for (size_t i = 0; i < files.size(); ++i) {
        std::error_code ignored;
        if (std::filesystem::equivalent(files[i], model, ignored)) return "`" + files[i] + "` is the model itself";
        for (size_t j = 0; j < i; ++j)
            if (files[i] == files[j] && !std::filesystem::is_character_file(files[i], ignored))
                return "`" + files[i] + "` cannot be written twice";
        if (std::string problem = check_writable(files[i]); !problem.empty()) return problem;
    }
    return {};
}

template <typename Content>
bool write_or_complain(const std::string& file, const Content& content) {
    const std::string problem = write_file(file, content);
    if (problem.empty()) return true;
    std::fprintf(stderr, "espalier generate: %s\n", problem.c_str());
    return false;
}

} // namespace

int generate_command(const GenerateOptions& options) {
    auto model = load_or_report(options.model, true);
    if (!model) return exit_usage;
    std::string problem;
    const auto exporter = choose_exporter(options.format, options.template_file, problem);
    if (!exporter) {
        std::fputs(problem.c_str(), stderr);
        return exit_usage;
    }
    const std::string file = options.output.empty()
                                 ? std::filesystem::path(options.model).stem().string() + exporter->suffix
                                 : options.output;
    std::vector<std::string> files{file};
    for (const std::string& more : {options.stats, options.timeline, options.report})
        if (!more.empty()) files.push_back(more);
    problem = problem_with(files, options.model);
    std::error_code ignored;
    if (std::filesystem::equivalent(file, options.template_file, ignored)) problem = "`" + file + "` is the template";
    if (!problem.empty()) {
        std::fprintf(stderr, "espalier generate: %s\n", problem.c_str());
        return exit_usage;
    }
    const StopSignals signals;
    const auto result = generate(*model, options, signals, problem);
    if (!result) {
        std::fprintf(stderr, "espalier generate: %s\n", problem.c_str());
        return exit_usage;
    }
    for (const std::string& warning : result->selection.warnings)
        std::fprintf(stderr, "%s\n", printable(warning).c_str());
    bool written =
        write_or_complain(file, [&](const Sink& sink) { exporter->write(SuiteView(*model, result->suite), sink); });
    std::string statistics;
    if (!options.stats.empty() || !options.report.empty()) statistics = statistics_json(*model, options, *result);
    if (!options.stats.empty()) written = write_or_complain(options.stats, statistics) && written;
    if (!options.timeline.empty())
        written = write_or_complain(options.timeline, timeline_csv(*model, *result)) && written;
    if (!options.report.empty()) {
        const Report report{*model, options, *result, statistics};
        written = write_or_complain(options.report, [&](const Sink& sink) { report_to_html(report, sink); }) && written;
    }
    if (!written) return exit_usage;
    if (!options.quiet) std::fputs(summary(*model, options, *result, file).c_str(), stdout);
    std::fflush(stdout); // before what goes to standard error, also in a log
    for (const std::string& wrong : result->suite.not_replayed)
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(wrong).c_str());
    if (signals.received() != 0) return 128 + signals.received();
    if (!result->suite.not_replayed.empty()) return exit_internal;
    bool under = false;
    if (options.fail_under && result->coverage() < *options.fail_under) {
        under = true;
        std::fprintf(stderr, "espalier generate: coverage is %.1f %%, under the %.1f %% asked for\n",
                     result->coverage(), *options.fail_under);
    }
    return under || !result->found.errors.empty() ? exit_found : exit_done;
}

} // namespace espalier
