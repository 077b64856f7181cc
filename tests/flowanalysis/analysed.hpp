// A model from its text, with what the analysis makes of it.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "flowanalysis/flowanalysis.hpp"
#include "tests/flowanalysis/walk.hpp"

namespace espalier {

inline Model compiled(const std::string& text) {
    Model model = compile_text(text);
    for (const Diagnostic& d : model.diagnostics.all())
        if (d.severity == Severity::error) FAIL(render(model.sources, d) << "\nin\n" << text);
    return model;
}

inline std::set<std::string> names(const Program& program, const std::vector<TargetId>& targets) {
    std::set<std::string> result;
    for (TargetId t : targets) result.insert(program.targets[index(t)].name);
    return result;
}

// The checkpoints that the analysis proves unreachable. The model is also run, beside the automaton.
inline std::set<std::string> unreachable(const std::string& text, const FlowOptions& options = {}) {
    const Model model = compiled(text);
    const Flow flow = analyse(*model.program, options);
    for (uint32_t seed = 0; seed < 20; ++seed)
        if (const auto failure = walk(*model.program, flow, seed)) FAIL(*failure << "\nin\n" << text);
    return names(*model.program, flow.unreachable_targets());
}

using Names = std::set<std::string>;

} // namespace espalier

template <>
struct doctest::StringMaker<espalier::Names> {
    static String convert(const espalier::Names& names) {
        std::string text;
        for (const std::string& each : names) text += each + " ";
        return text.c_str();
    }
};
