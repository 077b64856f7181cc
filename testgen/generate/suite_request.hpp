// What is asked for of a suite, and when to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct SuiteRequest {
    uint32_t depth = 0; // of the search, which the suite names
    uint64_t seed = 0;
    std::vector<bool> wanted{};   // by TargetId: what a test may be there for; empty: all
    std::function<bool()> stop{}; // asked before each replay; what is not replayed then is left out
    // Of the kept tests, which will stand before these: their names, and the errors that they show.
    std::set<std::string> names{};
    std::vector<std::pair<std::string, Span>> errors{};

    bool is_wanted(TargetId id) const { return wanted.empty() || wanted[index(id)]; }
};

} // namespace espalier
