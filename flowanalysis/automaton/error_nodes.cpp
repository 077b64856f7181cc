#include "flowanalysis/automaton/error_nodes.hpp"

#include <algorithm>

namespace espalier::flow {

using pda::NodeId;

ErrorNodes::ErrorNodes(Building& building)
    : b_(building), program_(building.program), callees_(building.analyser.context().variants.size()) {}

NodeId ErrorNodes::add_failing(const Block& block, BlockId id, const Outcome& outcome) {
    const Label own =
        outcome.terminates ? block.terminator.label : program_.ops[block.first_op + outcome.completed].label;
    const Label label = b_.author_label(own);
    const NodeId node = b_.add(pda::NodeKind::checkpoint, id, own);
    const pda::TargetId target = b_.graph.target("error:" + std::to_string(index(label)));
    b_.graph.set_target(node, target);
    auto& failing = b_.tables.failing;
    const auto at = std::lower_bound(failing.begin(), failing.end(), label,
                                     [](const FlowTables::Failing& f, Label l) { return f.label < l; });
    if (at == failing.end() || at->label != label) failing.insert(at, {target, label});
    return node;
}

void ErrorNodes::note(const Block& block, BlockId id, const Outcome& outcome) {
    note_fallible(block, id, outcome);
    note_callees(block, outcome);
    note_deadlock(block, id, outcome);
}

void ErrorNodes::note_fallible(const Block& block, BlockId id, const Outcome& outcome) {
    for (const uint32_t i : outcome.fallible) {
        const Label own = i < block.op_count ? program_.ops[block.first_op + i].label : block.terminator.label;
        const NodeId node = b_.tables.nodes_of(b_.variant, id).after(b_.tables.nodes_before(id, i));
        b_.tables.fallible.push_back({node, b_.author_label(own)});
    }
}

void ErrorNodes::note_callees(const Block& block, const Outcome& outcome) {
    for (const VariantId callee : outcome.callees) callees_[index(b_.variant)].push_back(callee);
    for (const auto& [position, callee] : outcome.spawns)
        if (!std::get<op::Spawn>(program_.ops[block.first_op + position].kind).service) spawned_.push_back(callee);
}

// A thread that waits for other threads only may wait for ever.
void ErrorNodes::note_deadlock(const Block& block, BlockId id, const Outcome& outcome) {
    const auto* t = std::get_if<terminator::Select>(&block.terminator.kind);
    if (t == nullptr || !outcome.terminates) return;
    for (uint32_t i = 0; i < outcome.clauses.size(); ++i) {
        const ClauseOutcome& c = outcome.clauses[i];
        const SelectClause::Kind kind = program_.clauses[t->first + i].kind;
        const bool is_message_of_tester =
            kind == SelectClause::Kind::message && c.live && c.from_outside && !c.from_channel;
        if (is_message_of_tester || kind == SelectClause::Kind::after) return;
    }
    const NodeId node = b_.tables.nodes_of(b_.variant, id).last;
    deadlocks_.push_back({b_.variant, {node, b_.author_label(block.terminator.label)}});
}

// Services may wait for ever, so a wait is left out where only services come to it.
void ErrorNodes::finish() {
    std::vector<bool> runs(callees_.size(), false); // by variant: in a thread that is no service
    std::vector<VariantId> tasks = spawned_;
    tasks.push_back(VariantId{0}); // the top level
    while (!tasks.empty()) {
        const VariantId v = tasks.back();
        tasks.pop_back();
        if (runs[index(v)]) continue;
        runs[index(v)] = true;
        tasks.insert(tasks.end(), callees_[index(v)].begin(), callees_[index(v)].end());
    }
    for (const Deadlock& d : deadlocks_)
        if (runs[index(d.variant)]) b_.tables.fallible.push_back(d.at);
}

} // namespace espalier::flow
