// Branch signatures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

// One entry of a branch signature (thesis, definition 4.1): which way a branching event went. At a branch 0 is "then";
// at a stable state it numbers the tester's choices.
struct Choice {
    Label label{};
    uint32_t taken = 0;
    uint32_t of = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
};

// "12:0/19:1": labels and the ways taken.
std::string to_text(const std::vector<Choice>& signature);

} // namespace espalier
