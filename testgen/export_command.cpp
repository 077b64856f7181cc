// `espalier export`: a suite, generated or written by hand, in another format.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "testgen/exporter.hpp"
#include "testgen/suite_file.hpp"
#include "testgen/testgen.hpp"

namespace espalier {

namespace {

// Whole lines with their places, or a few words.
int complain(const std::string& text) {
    if (text.ends_with('\n'))
        std::fputs(text.c_str(), stderr);
    else
        std::fprintf(stderr, "espalier export: %s\n", text.c_str());
    return exit_usage;
}

// Nothing where the file can be written without losing one that is read.
std::string problem_with(const ExportOptions& options) {
    std::error_code ignored;
    for (const std::string& read : {options.model, options.suite, options.template_file})
        if (!read.empty() && std::filesystem::equivalent(options.output, read, ignored))
            return "`" + options.output + "` is read from, and would be lost";
    return check_writable(options.output);
}

} // namespace

int export_command(const ExportOptions& options) {
    std::string problem;
    const auto exporter = choose_exporter(options.format, options.template_file, problem);
    if (!exporter) return complain(problem);
    if (!options.output.empty()) {
        problem = problem_with(options);
        if (!problem.empty()) return complain(problem);
    } else if (exporter->binary && isatty(STDOUT_FILENO) == 1) {
        return complain("an archive is nothing for a terminal: use -o FILE");
    }
    const auto loaded = load_suite_or_report("espalier export", options.model, options.suite);
    if (!loaded) return exit_usage;
    const SuiteView view(loaded->model, loaded->suite);
    if (options.output.empty()) {
        exporter->write(view, [](std::string_view part) { std::fwrite(part.data(), 1, part.size(), stdout); });
        return exit_done; // whether it got there is asked at the end of the program
    }
    problem = write_file(options.output, [&](const Sink& sink) { exporter->write(view, sink); });
    return problem.empty() ? exit_done : complain(problem);
}

} // namespace espalier
