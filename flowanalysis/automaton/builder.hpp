// From the fixpoint to the pushdown automaton.
//
// A procedure for each variant, and in it nodes only for what matters: marks, spawns, sends, calls, waits,
// returns, and branches that lead to different nodes. A block that has none of these shares the node of its
// successor. A tail call is an edge into another procedure, so that a server loop keeps its stack flat; the
// thesis pushes on each turn (Lahola 2010, figure 4.1).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "flowanalysis/automaton/building.hpp"
#include "flowanalysis/automaton/error_nodes.hpp"
#include "flowanalysis/automaton/select_nodes.hpp"
#include "flowanalysis/errors/certain_errors.hpp"

namespace espalier::flow {

class FlowBuilder {
public:
    explicit FlowBuilder(Analyser& analyser); // at its fixpoint
    FlowTables build();                       // but for the statistics; nothing of use where the analyser was stopped

private:
    void add_targets();
    void count_nodes();
    void add_procedures();
    void add_blocks(VariantId v);
    void add_block(Slot slot, BlockId id);
    void add_operations(const Block& block, BlockId id, const Outcome& outcome);
    pda::NodeId add_operation(const Operation& o, uint32_t position, BlockId id, const Outcome& outcome);
    void add_send(pda::NodeId node, const Outcome& outcome, uint32_t position);
    void add_rest(const Block& block, BlockId id, const Outcome& outcome, bool fails);
    pda::NodeId add_terminator(const Block& block, BlockId id, const Outcome& outcome, pda::NodeId& entry);
    pda::NodeId add_call(const Block& block, BlockId id, const Outcome& outcome);
    pda::NodeId add_tail_call(const Block& block, BlockId id, const Outcome& outcome);
    pda::NodeId add_branch(const Block& block, BlockId id, const Outcome& outcome);
    void add_entry();
    void finish();

    Building b_;
    const Program& program_;
    Analyser& analyser_;
    SelectNodes selects_;
    ErrorNodes errors_;
    MistakeFinder mistakes_;
    std::optional<CertainErrors> certain_errors_;       // where they are asked for
    std::map<std::vector<Label>, pda::TargetId> sends_; // by the channels that they may go to
    std::vector<pda::NodeId> roots_;                    // by variant
    std::vector<std::pair<pda::NodeId, VariantId>> tail_calls_;
    FlowTables::Nodes* nodes_ = nullptr; // of the block being built
};

} // namespace espalier::flow
