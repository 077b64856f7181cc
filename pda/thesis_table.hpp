// The table of oracles v1 and v2: for each procedure, the least cost from its root to a return and to a
// checkpoint.
//
// M. Lahola, Flow Analysis Directed Symbolic Execution for Model-Based Test Generation, Aalto University
// 2010: Algorithms 5.1 (ComputeTable) and 5.2 (AnalyzeProcedure), a fixpoint over procedures, each searched
// on its own with its calls skipped. Extended to what the thesis's automata do not have:
//
// - several callees: the least over them;
// - spawns: the checkpoints of a started thread count, its return does not;
// - jumps: as a call that counts for both columns of the table and has no return point. The place where a
//   jump arrives need not be a root, so the table has a row for each *entry*, a root or the end of a jump.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "pda/pda.hpp"
#include "pda/target_set.hpp"

namespace espalier::pda {

class ThesisTable {
public:
    // Values above the limit are `unreachable`, which stands for the thesis's ⊥.
    ThesisTable(const Graph& graph, Distance limit);

    void compute(const TargetSet& targets);

    // Table(v.procedureid, return) and Table(v.procedureid, checkpoint) of a call or spawn node, the least
    // over callees.
    Distance to_return(NodeId node) const;
    Distance to_checkpoint(NodeId node) const;
    Distance to_checkpoint(ProcedureId procedure) const { return rows_[raw(procedure)].checkpoint; }

    uint64_t visited_nodes() const { return visited_nodes_; }

private:
    struct Row {
        Distance ret = unreachable;
        Distance checkpoint = unreachable;
    };
    struct Item {
        NodeId node;
        Distance length;
    };
    void find_entries();
    void find_callers();
    bool analyze(uint32_t entry, const TargetSet& targets);
    void analyze_edges(Item item, Row& row);
    static void update(Distance& cell, Distance length);
    bool update_visited(NodeId node, Distance length);

    const Graph& graph_;
    Distance limit_;
    // Entries: the roots, numbered as their procedures, then where jumps arrive otherwise.
    std::vector<NodeId> entries_;
    std::vector<uint32_t> entry_at_;                // by node
    std::vector<std::vector<uint32_t>> entries_of_; // by procedure
    std::vector<std::vector<ProcedureId>> callers_; // by entry
    std::vector<Row> rows_;
    // Of analyze().
    std::queue<Item> worklist_;
    std::vector<Distance> visited_;
    std::vector<NodeId> visited_list_;
    uint64_t visited_nodes_ = 0;
};

} // namespace espalier::pda
