#include "testgen/coverage.hpp"

#include <array>
#include <cstdio>

#include "testgen/suite.hpp"

namespace espalier {

namespace {

struct Criterion {
    const char *prefix, *name;
};
// language.md, section 6
constexpr std::array criteria = {
    Criterion{"cp", "checkpoints"},  Criterion{"req", "requirements"}, Criterion{"proc", "procedures"},
    Criterion{"branch", "branches"}, Criterion{"state", "states"},     Criterion{"transition", "transitions"},
    Criterion{"cond", "conditions"}, Criterion{"mcdc", "mcdc"},        Criterion{"bound", "boundaries"},
    Criterion{"error", "errors"},
};

} // namespace

std::string criterion_of(std::string_view target_id) {
    const std::string_view prefix = target_id.substr(0, target_id.find(':'));
    for (const Criterion& c : criteria) {
        if (prefix == c.prefix) return c.name;
    }
    return {};
}

std::string coverage_lines(const Program& program, const std::vector<bool>& covered) {
    std::string lines;
    std::vector<std::string> of;
    for (const Target& t : program.targets) of.push_back(criterion_of(target_id(t)));
    for (const Criterion& c : criteria) {
        size_t all = 0, reached = 0;
        for (uint32_t i = 0; i < of.size(); ++i) {
            if (of[i] != c.name) continue;
            ++all;
            if (covered[i]) ++reached;
        }
        if (all == 0) continue;
        char line[120];
        std::snprintf(line, sizeof line, "  %-13s %zu of %zu covered (%zu %%)\n", c.name, reached, all,
                      100 * reached / all);
        lines += line;
    }
    return lines;
}

} // namespace espalier
