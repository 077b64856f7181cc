// Waits in the automaton: their nodes, the edges to the tests of clauses, and where a test that refuses leads.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "flowanalysis/automaton/building.hpp"

namespace espalier::flow {

class SelectNodes {
public:
    explicit SelectNodes(Building& building);
    void begin_variant();
    // The wait at the end of the block. `entry` is set where control enters it at another node.
    pda::NodeId add_select(const Block& block, BlockId id, const Outcome& outcome, pda::NodeId& entry);
    // The refusal at the end of the block.
    pda::NodeId add_refusal(const Block& block, BlockId id);
    void finish_variant(); // once it has all its nodes: where its refusals lead

private:
    // Which clauses of a select may have a turn after another one.
    struct Turns {
        std::vector<bool> offered, queued; // by clause: may a message on offer, or what is queued or due, come to it?
        std::vector<uint32_t> others;      // `else` clauses
        struct Next {
            pda::NodeId offered = pda::no_node, queued = pda::no_node;
        };
        std::vector<Next> chained; // by clause, where they are many: the nodes that lead to it and the later ones
    };
    Turns turns_of(const terminator::Select& t, BlockId waits);
    void chain(Turns& turns, const terminator::Select& t, BlockId waits);
    void add_turns(pda::NodeId refusal, uint32_t clause, BlockId waits, const Turns& turns);
    pda::NodeId test_of(const terminator::Select& t, uint32_t clause) const;

    Building& b_;
    const Program& program_;
    bool spawns_;                                            // there may be several threads
    std::map<uint32_t, std::vector<ClauseOutcome>> clauses_; // of the variant, by the block that waits
    std::vector<std::pair<pda::NodeId, BlockId>> refusals_;  // of the variant
};

} // namespace espalier::flow
