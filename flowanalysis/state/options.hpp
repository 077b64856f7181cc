// What the analysis is asked for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct FlowOptions {
    // One variant for each call site. Without: one for each λ (0-CFA), faster and much less precise.
    bool call_sites = true;
    // How often the bounds of an integer may move before they are widened.
    uint32_t patience = 8;
    // Of settings (see Flow::settings): only runs are of interest in which these globals are so defined. Values are
    // symbols, booleans and small integers.
    std::vector<std::pair<GlobalId, Value>> given{};
    bool certain_errors = false; // find them too
};

} // namespace espalier
