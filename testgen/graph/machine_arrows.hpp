// A machine as arrows between states, found in the λ-IR: whatever macros a machine was written with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/lang.hpp"

namespace espalier {

struct MachineArrow {
    uint32_t from;              // a state of the machine; one around others where the clause stands there
    uint32_t to;                // the same or another, or no_state where the machine stays
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
