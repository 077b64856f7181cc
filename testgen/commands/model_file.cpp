#include "testgen/commands/model_file.hpp"

#include <cstdio>

#include "testgen/testgen.hpp"

namespace espalier {

void report(const Model& model) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(model.sources, d).c_str(), stderr);
}

std::optional<Model> load_or_report(const std::string& path, bool quiet, const Limits* limits) {
    CompileOptions compile;
    if (limits != nullptr) compile.stop = &limits->reading_over();
    Model model = load_model(path, compile);
    if (!quiet || model.diagnostics.has_errors()) report(model);
    if (!model.program) return std::nullopt;
    return model;
}

std::vector<std::string> files_of(const Model& model) {
    std::vector<std::string> files;
    for (uint32_t i = 0; i < model.sources.size(); ++i)
        if (i == 0 || model.sources.path(FileId{i}) != "<prelude>") files.push_back(model.sources.path(FileId{i}));
    return files;
}

int unless_stopped(const char* command, const Limits& limits, const std::function<int()>& act) {
    try {
        return act();
    } catch (const CompileStopped&) {
        return ended_early(command, limits);
    }
}

int ended_early(const char* command, const Limits& limits) {
    std::fprintf(stderr, "espalier %s: ended by the %s\n", command, to_text(limits.reason()).c_str());
    return limits.reason() == EndedBy::signal ? 128 + limits.signal() : exit_found;
}

} // namespace espalier
