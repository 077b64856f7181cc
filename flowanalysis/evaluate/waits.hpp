// Waiting: which clauses of a select can be tried, and with what.
//
// A port gives what the tester may send, a channel what any thread may send to it. A clause sees no message
// that an earlier clause on the same source always accepts: so an `else` behind clauses for all that is ever
// sent is not reached.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "flowanalysis/evaluate/calls.hpp"
#include "flowanalysis/evaluate/inputs.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

class Waits {
public:
    Waits(Context& context, Memory& memory, Knowledge& knowledge, Inputs& inputs, Calls& calls);
    void select(const terminator::Select& t);
    void refuse();                                  // the end of the test that is evaluated
    ValueId waited_for(const SelectClause& clause); // of its source: what can be waited for

private:
    // Earlier clauses of a select that always accept, by their type of message, and those for more: a clause for one
    // type asks only the clauses that take it.
    struct Takers {
        std::unordered_map<uint32_t, std::vector<uint32_t>> for_type;
        std::vector<uint32_t> for_more, all;
    };
    ValueId left_for(const SelectClause& clause, uint32_t number, ClauseOutcome& outcome, Takers& takers);
    ValueId received(const SelectClause& clause, ValueId source, ClauseOutcome& outcome);
    void try_clause(const SelectClause& clause, ValueId message, const ClauseOutcome& outcome);
    ValueId left_by(std::span<const uint32_t> clauses, VarId source, ValueId messages);
    ValueId other_message(const terminator::Select& t, std::span<const uint32_t> takers);
    bool same_source(VarId a, VarId b) const;
    bool always_accepts(uint32_t clause) const;
    void demand_of_inputs(ValueId messages);
    Slot slot_of(BlockId b) const { return here_.slot_of(index(b)); }

    const Program& program_;
    const Clauses& clauses_;
    Domain& domain_;
    Variants& variants_;
    Worklist& worklist_;
    Memory& memory_;
    Knowledge& knowledge_;
    Inputs& inputs_;
    Calls& calls_;
    Point& here_;
    std::unordered_map<uint32_t, uint32_t> refused_; // by the slot of a select: how many ways to refuse were found
};

} // namespace espalier::flow
