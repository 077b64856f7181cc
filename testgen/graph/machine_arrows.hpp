// A machine as arrows between states. They are found in the λ-IR, so they do not depend on the macros that the machine
// was written with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct MachineArrow {
    uint32_t from;              // the state that the clause stands in; it may have states inside it
    uint32_t to;                // a state, perhaps the same; no_state: the machine stays where it is
    uint32_t number;            // of the transition, in the state `from`
    const SelectClause* clause; // null: taken when an inner machine is done
};

inline constexpr uint32_t no_state = UINT32_MAX;

struct MachineArrows {
    std::vector<MachineArrow> arrows;                      // by state and number
    std::vector<uint32_t> initial;                         // by state: of a state around others, the one it enters
    std::vector<std::vector<const SelectClause*>> ignored; // by state: clauses without effect
};

// One for each of the program's machines.
std::vector<MachineArrows> machine_arrows(const Program& program);

} // namespace espalier
