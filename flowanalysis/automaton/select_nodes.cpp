#include "flowanalysis/automaton/select_nodes.hpp"

#include <algorithm>

namespace espalier::flow {

using pda::Cost;
using pda::NodeId;
using pda::NodeKind;

SelectNodes::SelectNodes(Building& building)
    : b_(building), program_(building.program),
      spawns_(std::any_of(program_.ops.begin(), program_.ops.end(),
                          [](const Operation& o) { return std::holds_alternative<op::Spawn>(o.kind); })) {}

void SelectNodes::begin_variant() {
    clauses_.clear();
    refusals_.clear();
}

// What messages must satisfy is asked by a thread of its own, before any clause is tried. What is charged is the edge
// of a clause whose source can only be a port or a timer.
NodeId SelectNodes::add_select(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry) {
    const auto waits_outside = [](const ClauseOutcome& c) { return c.live && c.from_outside; };
    const bool stable = std::any_of(outcome.clauses.begin(), outcome.clauses.end(), waits_outside);
    if (!outcome.demands.empty()) {
        entry = b_.add(NodeKind::spawn, id, block.terminator.label);
        for (VariantId v : outcome.demands) b_.graph.add_callee(entry, Building::procedure_of(v));
    }
    const NodeId node = b_.add(stable ? NodeKind::stable : NodeKind::plain, id, block.terminator.label);
    if (entry != pda::no_node) b_.graph.add_edge(entry, node);
    const auto& t = std::get<terminator::Select>(block.terminator.kind);
    for (uint32_t i = 0; i < outcome.clauses.size(); ++i) {
        const ClauseOutcome& c = outcome.clauses[i];
        if (c.live)
            b_.graph.add_edge(node, test_of(t, i), c.from_outside && !c.from_channel ? Cost::charged : Cost::free);
    }
    clauses_[index(id)] = outcome.clauses;
    return node;
}

NodeId SelectNodes::add_refusal(const Block& block, BlockId id) {
    refusals_.emplace_back(b_.add(NodeKind::plain, id, block.terminator.label), id);
    return refusals_.back().first;
}

void SelectNodes::finish_variant() {
    const Clauses& clauses = b_.analyser.context().shape.clauses;
    std::map<uint32_t, Turns> turns; // by the block that waits
    for (const auto& [node, block] : refusals_) {
        const uint32_t clause = clauses.clause_of(block);
        const BlockId waits = clauses.select_of(clause);
        const auto [at, is_new] = turns.try_emplace(index(waits));
        if (is_new) at->second = turns_of(std::get<terminator::Select>(program_[waits].terminator.kind), waits);
        add_turns(node, clause, waits, at->second);
    }
}

// A clause that refuses leaves its turn to a later one, or the thread waits on. The stable state, if any, was
// left (and charged) when the first clause was tried: a message is offered to the clauses on its port, while
// queues and timers are tried together. The tester sends only what some thread accepts: so where there is one thread, a
// message that its last clause refuses ends the path.
void SelectNodes::add_turns(NodeId refusal, uint32_t clause, BlockId waits, const Turns& turns) {
    const auto& t = std::get<terminator::Select>(program_[waits].terminator.kind);
    const uint32_t own = clause - t.first;
    const SelectClause::Kind kind = program_.clauses[clause].kind;
    const ClauseOutcome& outcome = clauses_[index(waits)][own];
    const bool timer = kind == SelectClause::Kind::timer || kind == SelectClause::Kind::after;
    const bool offered = kind == SelectClause::Kind::message && outcome.from_outside;
    const bool queued = timer || outcome.from_channel;
    if (kind != SelectClause::Kind::other) {
        for (uint32_t i = own + 1; i < t.count && turns.chained.empty(); ++i)
            if ((offered && turns.offered[i]) || (queued && turns.queued[i])) b_.graph.add_edge(refusal, test_of(t, i));
        if (offered && !turns.chained.empty() && turns.chained[own + 1].offered != pda::no_node)
            b_.graph.add_edge(refusal, turns.chained[own + 1].offered);
        if (queued && !turns.chained.empty() && turns.chained[own + 1].queued != pda::no_node)
            b_.graph.add_edge(refusal, turns.chained[own + 1].queued);
    }
    for (uint32_t i : turns.others)
        if (queued) b_.graph.add_edge(refusal, test_of(t, i));
    if ((offered && spawns_) || timer) b_.graph.add_edge(refusal, b_.tables.nodes_of(b_.variant, waits).last);
}

NodeId SelectNodes::test_of(const terminator::Select& t, uint32_t clause) const {
    return b_.entry_of(program_.clauses[t.first + clause].test);
}

SelectNodes::Turns SelectNodes::turns_of(const terminator::Select& t, BlockId waits) {
    constexpr uint32_t many = 16;
    Turns turns;
    const std::vector<ClauseOutcome>& all = clauses_[index(waits)];
    for (uint32_t i = 0; i < t.count; ++i) {
        const SelectClause::Kind kind = program_.clauses[t.first + i].kind;
        const bool message = kind == SelectClause::Kind::message, other = kind == SelectClause::Kind::other;
        turns.offered.push_back(all[i].live && message && all[i].from_outside);
        turns.queued.push_back(all[i].live && !other && (!message || all[i].from_channel));
        if (other && all[i].live) turns.others.push_back(i);
    }
    if (t.count > many) chain(turns, t, waits);
    return turns;
}

// Where clauses are many, each refusal goes to a node that leads to the next one and, over another such node, to those
// after it: as many edges as clauses, not their square.
void SelectNodes::chain(Turns& turns, const terminator::Select& t, BlockId waits) {
    turns.chained.resize(t.count + 1);
    const auto link = [&](NodeId next, uint32_t i) {
        const NodeId node = b_.add(NodeKind::plain, waits, program_[waits].terminator.label);
        b_.graph.add_edge(node, test_of(t, i));
        if (next != pda::no_node) b_.graph.add_edge(node, next);
        return node;
    };
    for (uint32_t i = t.count; i-- > 0;) {
        turns.chained[i] = turns.chained[i + 1];
        if (turns.offered[i]) turns.chained[i].offered = link(turns.chained[i + 1].offered, i);
        if (turns.queued[i]) turns.chained[i].queued = link(turns.chained[i + 1].queued, i);
    }
}

} // namespace espalier::flow
