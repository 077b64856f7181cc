// Machines: states become procedures that tail-call each other, so that arrows use no stack.
//
// For each state S of a machine there are, inside the machine's own lambda,
//   enter S    marks the state, sets its locals, starts its timers, runs its entry; then a composite state enters its
//              initial one, a leaf waits, a final one returns or takes the outer `done`
//   wait S     (leaves) one select over the clauses of S and of all states around it, inner ones first
//   exit S     (where there is something to do) its exit action, then its timers are stopped
// The clauses of an outer state are expanded once for each leaf inside it, because what an arrow leaves depends on the
// leaf: exits run from the leaf up to the state that is common to it and the arrow's target.
#pragma once

#include "lang/expand/machine_form.hpp"
#include "lang/expand/machine_reader.hpp"
#include "lang/expand/part.hpp"

namespace espalier {

// The lambda of (define-machine (name parameter …) (state …) …).
CoreId expand_machine(Expansion& all, DatumId d, const Context& ctx);

class MachineExpander : Part {
public:
    MachineExpander(Expansion& all, MachineForm& machine) : Part(all), machine_(machine), reader_(all, machine) {}

    CoreId body(Span span);
    void warn_unreachable();

private:
    using Parts = std::span<const DatumId>;
    struct Procedures {
        std::vector<LocalId> locals;
        std::vector<CoreId> lambdas;
    };
    struct Cells { // variables that live as long as the machine: locals of states, timers
        std::vector<LocalId> locals;
        std::vector<CoreId> inits;
    };
    void name_procedures(StateForm& s, Cells& cells);
    void name_waits();
    void make_procedures(uint32_t state, Procedures& out);
    CoreId wait_body(uint32_t leaf);
    CoreId enter_body(uint32_t state);
    CoreId enter_initial(uint32_t state);
    CoreId finish(uint32_t state);
    CoreId entry_body(uint32_t state);
    CoreId exit_body(uint32_t state);
    std::optional<CoreClause> clause(uint32_t owner, uint32_t leaf, DatumId d);
    CoreClause ignored(uint32_t owner, uint32_t leaf, DatumId source);
    CoreId call(LocalId procedure, Span span);

    // machine_actions.cpp
    // An action of one of the owner's clauses, taken while the machine is in the leaf.
    struct Place {
        uint32_t owner, leaf;
    };
    using Sets = std::vector<std::pair<LocalId, DatumId>>; // variable, new value
    CoreId action(Place place, DatumId clause, Parts forms, Scope* scope, Numbering& numbering,
                  const std::function<CoreId()>& before_staying);
    CoreId stay(uint32_t leaf, const std::function<CoreId()>& before_staying, Span span);
    std::vector<DatumId> with_arrow_form(Parts forms, Scope* scope);
    CoreId arrow(Place place, uint64_t key, Parts parts, Span span, const Context& ctx);
    CoreId arrow_values(Parts parts, Span span, Sets& out); // no_core: nothing is wrong
    CoreId all_values(DatumId target, Sets& out);
    CoreId some_values(DatumId with, Sets& out);
    CoreId move(Place place, uint32_t to, const Sets& sets, Span span, const Context& ctx);
    TargetId transition(uint32_t owner, uint64_t key, std::string to, Span span);

    MachineForm& machine_;
    MachineReader reader_;
};

} // namespace espalier
