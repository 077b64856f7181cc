// `espalier export`: a suite, generated or written by hand, in another format.
#include <unistd.h>

#include <cstdio>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/commands/suite_file.hpp"
#include "testgen/export/exporter.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/outputs.hpp"

namespace espalier {

namespace {

int complain(const Problem& problem) { return espalier::complain("export", problem); }

} // namespace

int export_command(const ExportOptions& options) {
    const auto exporter = choose_exporter(options.format, options.template_file);
    if (!exporter) return complain(exporter.problem());
    if (options.output.empty() && exporter->binary && isatty(STDOUT_FILENO) == 1)
        return complain({"an archive is nothing for a terminal: use -o FILE"});
    const auto loaded = load_suite_or_report("export", options.model, options.suite);
    if (!loaded) return exit_usage;
    OutputFiles files{{options.output}, files_of(loaded->model), options.force, {}, exporter->recognised};
    files.read.insert(files.read.end(), {options.suite, options.template_file});
    if (const std::string problem = problem_with(files); !problem.empty()) return complain({problem});
    const SuiteView view(loaded->model, loaded->suite);
    if (options.output.empty()) {
        exporter->write(view, [](std::string_view part) { std::fwrite(part.data(), 1, part.size(), stdout); });
        return exit_done; // whether it got there is asked at the end of the program
    }
    const std::string problem = write_file(options.output, [&](const Sink& sink) { exporter->write(view, sink); });
    return problem.empty() ? exit_done : complain({problem});
}

Action declare_export(Arguments& arguments) {
    const auto options = std::make_shared<ExportOptions>();
    arguments.word("MODEL", options->model, "The model's file");
    arguments.word("SUITE", options->suite, "The suite's file, generated or written by hand");
    add_format_options(arguments, options->format, options->template_file);
    arguments.text("-o,--output", "FILE", options->output, "Where to write it; by default to standard output");
    add_force(arguments, options->force);
    arguments.check(
        [options] { return options->format.empty() && options->template_file.empty() ? "--format is required" : ""; });
    return [options] { return export_command(*options); };
}

} // namespace espalier
