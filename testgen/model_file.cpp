#include "testgen/model_file.hpp"

#include <cstdio>

namespace espalier {

void report(const Model& model) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(model.sources, d).c_str(), stderr);
}

std::optional<Model> load_or_report(const std::string& path, bool quiet) {
    Model model = load_model(path);
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

} // namespace espalier
