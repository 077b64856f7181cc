// Reads a machine: which states it has, and what stands in them.
#pragma once

#include "lang/expand/machine_form.hpp"
#include "lang/expand/part.hpp"

namespace espalier {

class MachineReader : Part {
public:
    MachineReader(Expansion& all, MachineForm& machine) : Part(all), machine_(machine) {}

    CoreId read_head(DatumId head); // name and variables; no_core: nothing is wrong
    void read_state(DatumId d, uint32_t parent);
    std::optional<uint32_t> state_named(DatumId name); // says what is wrong

private:
    using Parts = std::span<const DatumId>;
    uint32_t add_state(DatumId name, uint32_t parent);
    void check_state(const StateForm& s);
    bool read_part(uint32_t state, DatumId part); // false: an error was said
    bool read_clause(StateForm& s, DatumId part, std::string_view word, Parts operands);
    bool read_action(StateForm& s, std::string_view word, Parts forms);
    bool read_locals(StateForm& s, Parts locals);
    bool read_initial(StateForm& s, DatumId part, Parts operands);
    bool read_final(StateForm& s, DatumId part, Parts operands);
    bool read_done(StateForm& s, DatumId part);
    bool no_part(DatumId word);
    void make_timers(StateForm& s); // `after` clauses with the same delay share a timer

    MachineForm& machine_;
};

} // namespace espalier
