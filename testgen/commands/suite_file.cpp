#include "testgen/commands/suite_file.hpp"

#include <cstdio>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

bool begins_as_xml(const std::string& text) {
    size_t at = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0; // a byte-order mark
    at = text.find_first_not_of(" \t\r\n", at);
    return at != std::string::npos && text[at] == '<';
}

} // namespace

void report(const Sources& sources, Diagnostics& diagnostics) {
    diagnostics.sort(sources);
    for (const Diagnostic& d : diagnostics.all()) std::fputs(render(sources, d).c_str(), stderr);
}

std::optional<LoadedSuite> load_suite_or_report(const std::string& command, const std::string& model_path,
                                                const std::string& suite_path, const Limits* limits) {
    auto text = read_or_report(suite_path);
    if (!text) return std::nullopt;
    if (const auto model = read_file(model_path); model && begins_as_xml(*model) && !begins_as_xml(*text)) {
        std::fprintf(stderr, "espalier %s: `%s` is a suite, and the model comes first: %s %s %s\n", command.c_str(),
                     printable(model_path).c_str(), command.c_str(), printable(suite_path).c_str(),
                     printable(model_path).c_str());
        return std::nullopt;
    }
    LoadedSuite loaded;
    Diagnostics diagnostics;
    const auto tree = parse_xml(loaded.sources, loaded.sources.add(suite_path, std::move(*text)), diagnostics);
    if (!tree) {
        report(loaded.sources, diagnostics);
        return std::nullopt;
    }
    loaded.spoken_of = criteria_of(*tree);
    auto model = load_or_report(model_path, true, limits);
    if (!model) return std::nullopt;
    loaded.model = std::move(*model);
    loaded.model.program =
        instrument(*loaded.model.program, loaded.spoken_of.empty() ? Criteria::standard() : loaded.spoken_of);
    auto suite = read_suite(*tree, *loaded.model.program, diagnostics);
    report(loaded.sources, diagnostics);
    if (!suite) return std::nullopt;
    loaded.suite = std::move(*suite);
    return loaded;
}

} // namespace espalier
