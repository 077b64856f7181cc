// What a system sent, compared with what a test expects.
#pragma once

#include <string>
#include <vector>

#include "testgen/suite/test_value.hpp"

namespace espalier {

struct SeenDifference {
    std::string place; // "items[2].id"; empty: the whole message
    std::string expected, seen;
};

// Compares outputs with what a test expects of them. Names get their values from the first output that has them; so
// outputs which come in another order than in the suite can bind and use them.
class SeenMatcher {
public:
    SeenMatcher(NamedValues& names, const NamesApart& apart) : names_(names), apart_(apart) {}
    bool matches(const Exchange& expected, const SeenOutput& seen); // gives names their values where it does
    bool would_match(const Exchange& expected, const SeenOutput& seen);
    std::vector<SeenDifference> differences(const Exchange& expected, const SeenOutput& seen);

private:
    struct Walk;
    NamedValues& names_;
    const NamesApart& apart_;
};

} // namespace espalier
