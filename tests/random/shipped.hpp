// The models that are shipped, for tests that try something on each of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"

namespace espalier::test {

// In the order of their names.
inline std::vector<std::string> shipped_models() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ESPALIER_SOURCE_DIR "/models"))
        if (entry.path().extension() == ".scm") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// Instrumented with the standard criteria, and analysed: `use(name, program, flow)`.
template <typename Use>
void with_each_shipped_model(const Use& use) {
    for (const std::string& file : shipped_models()) {
        Model model = load_model(file);
        if (!model.program) continue; // a part of another model
        model.program = instrument(*model.program, Criteria::standard());
        use(std::filesystem::path(file).filename().string(), *model.program, analyse(*model.program));
    }
}

} // namespace espalier::test
