#include "pda/thesis_table.hpp"

#include <algorithm>

#include "pda/distance.hpp"

namespace espalier::pda {

static constexpr uint32_t no_entry = UINT32_MAX;

ThesisTable::ThesisTable(const Graph& graph, Distance limit)
    : graph_(graph), limit_(limit), visited_(graph.node_count(), unreachable) {
    find_entries();
    find_callers();
}

void ThesisTable::find_entries() {
    entry_at_.assign(graph_.node_count(), no_entry);
    entries_of_.resize(graph_.procedure_count());
    const auto add_entry = [&](NodeId node) {
        entry_at_[raw(node)] = static_cast<uint32_t>(entries_.size());
        entries_of_[raw(graph_.procedure(node))].push_back(entry_at_[raw(node)]);
        entries_.push_back(node);
    };
    for (const ProcedureId procedure : graph_.procedures()) add_entry(graph_.root(procedure));
    for (const NodeId node : graph_.nodes()) {
        for (const EdgeId edge : graph_.edges(node)) {
            if (graph_.is_jump(edge) && entry_at_[raw(graph_.to(edge))] == no_entry) add_entry(graph_.to(edge));
        }
    }
}

// p.callers of section 5.2. A procedure that jumps or spawns counts as a caller.
void ThesisTable::find_callers() {
    callers_.resize(entries_.size());
    const auto add_caller = [&](NodeId callee_entry, NodeId user) {
        callers_[entry_at_[raw(callee_entry)]].push_back(graph_.procedure(user));
    };
    for (const NodeId node : graph_.nodes()) {
        for (const ProcedureId callee : graph_.callees(node)) add_caller(graph_.root(callee), node);
        for (const EdgeId edge : graph_.edges(node)) {
            if (graph_.is_jump(edge)) add_caller(graph_.to(edge), node);
        }
    }
    for (std::vector<ProcedureId>& callers : callers_) {
        std::ranges::sort(callers);
        callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
    }
}

// Algorithm 5.1. Deviations: an entry already waiting is not put on the worklist again; only the row that
// AnalyzeProcedure was asked for can change, so only that is compared (line 10).
void ThesisTable::compute(const TargetSet& targets) {
    std::queue<uint32_t> worklist;
    std::vector<bool> waiting(entries_.size(), true);
    for (uint32_t entry = 0; entry < entries_.size(); ++entry) // lines 2-6
        worklist.push(entry);
    rows_.assign(entries_.size(), Row{});
    while (!worklist.empty()) { // lines 7-16
        const uint32_t entry = worklist.front();
        worklist.pop();
        waiting[entry] = false;
        if (!analyze(entry, targets)) continue;
        for (const ProcedureId procedure : callers_[entry]) { // lines 12-14
            for (const uint32_t caller : entries_of_[raw(procedure)]) {
                if (!waiting[caller]) worklist.push(caller);
                waiting[caller] = true;
            }
        }
    }
}

// Algorithm 5.2. Returns whether the row has changed.
bool ThesisTable::analyze(uint32_t entry, const TargetSet& targets) {
    Row row = rows_[entry];
    worklist_.push({entries_[entry], 0}); // line 2
    while (!worklist_.empty()) {
        auto [node, length] = worklist_.front(); // line 4
        worklist_.pop();
        ++visited_nodes_;
        const NodeKind kind = graph_.kind(node);
        if (kind == NodeKind::call) { // lines 5-7
            update(row.checkpoint, add(length, to_checkpoint(node), limit_));
            length = add(length, to_return(node), limit_);
        } else if (kind == NodeKind::spawn) {
            update(row.checkpoint, add(length, to_checkpoint(node), limit_));
        } else if (kind == NodeKind::ret) { // lines 8-9
            update(row.ret, length);
        } else if (targets.has_checkpoint(node)) { // lines 10-11
            update(row.checkpoint, length);
        }
        if (length != unreachable) analyze_edges({node, length}, row);
    }
    for (const NodeId node : visited_list_) visited_[raw(node)] = unreachable;
    visited_list_.clear();
    const bool changed = row.ret != rows_[entry].ret || row.checkpoint != rows_[entry].checkpoint;
    rows_[entry] = row;
    return changed;
}

// Lines 13-17, and the jumps, which leave E_p.
void ThesisTable::analyze_edges(Item item, Row& row) {
    for (const EdgeId edge : graph_.edges(item.node)) {
        const NodeId to = graph_.to(edge);
        const Distance length = add(item.length, graph_.cost(edge), limit_);
        if (graph_.is_jump(edge)) {
            const Row& there = rows_[entry_at_[raw(to)]];
            update(row.ret, add(length, there.ret, limit_));
            update(row.checkpoint, add(length, there.checkpoint, limit_));
        } else if (update_visited(to, length)) {
            worklist_.push({to, length});
        }
    }
}

// UpdateTable: a shorter length is the greater element, ⊥ the least.
void ThesisTable::update(Distance& cell, Distance length) { cell = std::min(cell, length); }

// UpdateVisited.
bool ThesisTable::update_visited(NodeId node, Distance length) {
    Distance& visited = visited_[raw(node)];
    if (length >= visited) return false;
    if (visited == unreachable) visited_list_.push_back(node);
    visited = length;
    return true;
}

Distance ThesisTable::to_return(NodeId node) const {
    Distance least = unreachable;
    for (const ProcedureId callee : graph_.callees(node)) least = std::min(least, rows_[raw(callee)].ret);
    return least;
}

Distance ThesisTable::to_checkpoint(NodeId node) const {
    Distance least = unreachable;
    for (const ProcedureId callee : graph_.callees(node)) least = std::min(least, rows_[raw(callee)].checkpoint);
    return least;
}

} // namespace espalier::pda
