// `espalier generate`: a model in, a suite out.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/export/exporter.hpp"
#include "testgen/generate/generation.hpp"
#include "testgen/report/report.hpp"
#include "testgen/terminal/file_watch.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"
#include "testgen/text/outputs.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

namespace {

// A suite may take the place of the one whose tests it keeps, as long as tests can be kept from it again.
OutputFiles files_of(const Model& model, const GenerateOptions& options, const std::string& suite,
                     const Exporter& exporter) {
    OutputFiles files{{suite, options.stats, options.timeline, options.report}, files_of(model), options.force};
    files.read.insert(files.read.end(), {options.keep, options.waive, options.template_file});
    if (exporter.name == "xml") files.updated = options.keep;
    files.recognised = exporter.recognised;
    return files;
}

template <typename Content>
bool write_or_complain(const std::string& file, const Content& content) {
    const std::string problem = write_file(file, content);
    if (problem.empty()) return true;
    std::fprintf(stderr, "espalier generate: %s\n", problem.c_str());
    return false;
}

// What one run of the command did, for one that is run again when the model changes.
struct Run {
    std::vector<std::string> read; // the model's files
    bool loaded = false;
    std::string written; // the suite's file
    int status = exit_usage;
};

int run_on(Model& model, const GenerateOptions& options, Limits& limits, Run& run) {
    const auto exporter = choose_exporter(options.format, options.template_file);
    if (!exporter) return complain("generate", exporter.problem());
    const std::string file = options.output.empty()
                                 ? std::filesystem::path(options.model).stem().string() + exporter->suffix
                                 : options.output;
    const std::string problem = problem_with(files_of(model, options, file, *exporter));
    if (!problem.empty()) return complain("generate", {problem});
    const auto result = generate(model, options, limits);
    if (!result) return complain("generate", result.problem());
    for (const std::string& warning : result->selection.warnings)
        std::fprintf(stderr, "%s\n", printable(warning).c_str());
    bool written =
        write_or_complain(file, [&](const Sink& sink) { exporter->write(SuiteView(model, result->suite), sink); });
    std::string statistics;
    if (!options.stats.empty() || !options.report.empty()) statistics = statistics_json(model, options, *result);
    if (!options.stats.empty()) written = write_or_complain(options.stats, statistics) && written;
    if (!options.timeline.empty())
        written = write_or_complain(options.timeline, timeline_csv(model, *result)) && written;
    if (!options.report.empty()) {
        const Report report{model, options, *result, statistics};
        written = write_or_complain(options.report, [&](const Sink& sink) { report_to_html(report, sink); }) && written;
    }
    if (!written) return exit_usage;
    run.written = file;
    if (!options.quiet) std::fputs(summary(model, options, *result, file).c_str(), stdout);
    if (result->kept && !options.quiet) std::fputs(kept_text(*result->kept, result->suite).c_str(), stdout);
    std::fflush(stdout); // before what goes to standard error, also in a log
    for (const std::string& wrong : result->suite.not_replayed)
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(wrong).c_str());
    if (result->found.internal_error)
        std::fprintf(stderr, "espalier: internal error: %s\n", printable(*result->found.internal_error).c_str());
    if (limits.signal() != 0) return 128 + limits.signal();
    if (result->found.internal_error || !result->suite.not_replayed.empty()) return exit_internal;
    bool under = false;
    if (options.fail_under && result->coverage() < *options.fail_under) {
        under = true;
        std::fprintf(stderr, "espalier generate: coverage is %.1f %%, under the %.1f %% asked for\n",
                     result->coverage(), *options.fail_under);
    }
    return under || !result->found.errors.empty() ? exit_found : exit_done;
}

// Without signals of the caller's, the first ones ask for the end once the model is read: before that there is nothing
// to be lost.
Run run_once(const GenerateOptions& options, const StopSignals* outer) {
    std::optional<StopSignals> own;
    Limits limits(outer, options.time_limit, options.memory_limit);
    Run run;
    Model model;
    try {
        CompileOptions compile;
        compile.stop = &limits.reading_over();
        model = load_model(options.model, compile);
    } catch (const CompileStopped&) {
        run.status = ended_early("generate", limits);
        return run;
    }
    if (model.diagnostics.has_errors()) report(model);
    for (uint32_t i = 0; i < model.sources.size(); ++i) run.read.push_back(model.sources.path(FileId{i}));
    run.loaded = model.program.has_value();
    if (outer == nullptr) limits.heed(own.emplace());
    if (run.loaded) run.status = run_on(model, options, limits, run);
    return run;
}

// Again and again, each time with the tests of the time before. A model that is broken for the moment is waited for.
int watch(GenerateOptions options) {
    const StopSignals signals;
    std::vector<std::string> files{options.model};
    bool own = false; // `keep` is what was written the time before
    for (bool first = true;; first = false) {
        std::error_code ignored;
        if (own && !std::filesystem::exists(options.keep, ignored))
            options.keep.clear(); // it was removed, to begin anew
        FileWatch changes(files); // from before they are read
        const Run run = run_once(options, &signals);
        if (signals.received() != 0) return 128 + signals.received();
        if (run.status == exit_internal || (first && run.loaded && run.status == exit_usage)) return run.status;
        if (!run.written.empty()) {
            options.keep = run.written;
            own = true;
        }
        if (run.read != files && !run.read.empty()) {
            files = run.read;
            changes = FileWatch(files);
        }
        std::fprintf(stderr, "espalier: waiting for a change of %s%s; Ctrl-C ends it\n",
                     printable(options.model).c_str(), files.size() > 1 ? " or what it includes" : "");
        if (!changes.wait_for_change([&] { return signals.received() != 0; })) return 128 + signals.received();
    }
}

void declare_cutting(Arguments& arguments, GenerateOptions& options) {
    arguments.choice(
        "--cut", "HOW", options.cut,
        "Which states are not followed: with v1, v2 or v3, three ways to the same answer, those from which "
        "no target is within the bound; with flow or off none. off analyses nothing; otherwise the search "
        "ends when no target is left that the flow analysis believes reachable");
    for (const Option& option : {arguments.flag("--no-target-info", options.no_target_info,
                                                "The oracle is not told which targets are covered: for comparisons"),
                                 arguments.flag("--no-bound-info", options.no_bound_info,
                                                "The oracle is not told how far a path may still go: for comparisons")})
        arguments.check([option, &options] {
            if (asks_oracle(options.cut) || !option.is_given()) return std::string();
            return option.name() + ": --cut " + std::string(word_of(options.cut)) + " asks no oracle";
        });
}

void declare_outputs(Arguments& arguments, GenerateOptions& options) {
    arguments.text("--stats", "FILE", options.stats, "Write statistics to this file, as JSON");
    arguments.text("--timeline", "FILE", options.timeline, "Write to this file when each target was covered, as CSV");
    arguments.text("--report", "FILE.html", options.report,
                   "Write a page to this file that shows the coverage, the model, the tests and the search, as HTML "
                   "that needs no network");
    arguments.text("-o,--output", "FILE", options.output,
                   "The suite's file; by default the model's base name plus -suite and what the format's files end "
                   "in (.xml), in the current folder");
    add_format_options(arguments, options.format, options.template_file);
}

} // namespace

int generate_command(const GenerateOptions& options) {
    return options.watch ? watch(options) : run_once(options, nullptr).status;
}

Action declare_generate(Arguments& arguments) {
    const auto options = std::make_shared<GenerateOptions>();
    arguments.word_or_last_of("MODEL", options->model, options->targets, "The model's file");
    add_search_options(arguments, *options);
    declare_cutting(arguments, *options);
    arguments.list("--target", "ID", options->targets,
                   "Search only for these targets, named as in the suite: branch:f#1:then, state:m/idle, …");
    arguments.text("--waive", "FILE", options->waive,
                   "A file with a target's name on each line: these need not be reached");
    arguments.percent("--fail-under", options->fail_under,
                      "Exit status 1 where less than so many percent of the targets that are asked for are covered");
    declare_outputs(arguments, *options);
    arguments.text("--keep", "FILE", options->keep,
                   "Keep the tests of this suite that the model still takes, under their names; new tests are made "
                   "for what they do not cover");
    arguments.flag("--watch", options->watch,
                   "Do it again whenever the model changes, each time keeping the tests of the "
                   "time before, until Ctrl-C");
    arguments.check([options] {
        const bool is_xml = options->template_file.empty() && (options->format.empty() || options->format == "xml");
        return options->watch && !is_xml ? "--watch: tests are kept from suites as XML" : "";
    });
    arguments.flag("--quiet", options->quiet, "No summary");
    add_force(arguments, options->force);
    return [options] { return generate_command(*options); };
}

} // namespace espalier
