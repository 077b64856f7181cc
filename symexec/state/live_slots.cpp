#include "symexec/state/live_slots.hpp"

#include <algorithm>

#include "symexec/state/effects.hpp"

namespace espalier::sym {

namespace {

// Blocks of the same λ that a terminator may lead to.
void followers(const Program& p, const TerminatorKind& kind, std::vector<BlockId>& to) {
    if (const auto* j = std::get_if<terminator::Jump>(&kind)) {
        to.push_back(j->target);
    } else if (const auto* b = std::get_if<terminator::Branch>(&kind)) {
        to.push_back(b->then_block);
        to.push_back(b->else_block);
    } else if (const auto* c = std::get_if<terminator::Call>(&kind)) {
        to.push_back(c->back);
    } else if (const auto* s = std::get_if<terminator::Select>(&kind)) {
        for (const SelectClause& clause : p.select_clauses(*s)) to.push_back(clause.test);
    } else if (const auto* a = std::get_if<terminator::Accept>(&kind)) {
        to.push_back(a->body);
    } else if (const auto* choose = std::get_if<terminator::Choose>(&kind)) {
        for (uint32_t i = 0; i < choose->count; ++i) to.push_back(p.choices[choose->first + i]);
    }
}

} // namespace

std::span<const uint32_t> LiveSlots::after(BlockId block) {
    const auto known = known_.find(index(block));
    return known != known_.end() ? known->second : known_.emplace(index(block), find(block)).first->second;
}

std::vector<uint32_t> LiveSlots::find(BlockId from) const {
    const Lambda& lambda = program_[program_[from].lambda];
    std::vector<bool> seen(lambda.block_count, false), written(lambda.variables, false);
    std::vector<VarId> read;
    std::vector<BlockId> waiting;
    followers(program_, program_[from].terminator.kind, waiting);
    Effects e;
    const auto note = [&] {
        read.insert(read.end(), e.reads.begin(), e.reads.end());
        for (VarId v : e.writes) written[index(v)] = true;
        if (e.callee != no_var) read.push_back(e.callee);
    };
    while (!waiting.empty()) {
        const BlockId b = waiting.back();
        waiting.pop_back();
        if (seen[index(b) - lambda.first_block]) continue;
        seen[index(b) - lambda.first_block] = true;
        for (VarId v : program_.list(program_[b].params)) written[index(v)] = true;
        for (const Operation& o : program_.operations(program_[b])) {
            effects_of(program_, o.kind, e);
            note();
        }
        effects_of(program_, program_[b].terminator.kind, e);
        note();
        followers(program_, program_[b].terminator.kind, waiting);
    }
    const uint32_t* const slots = code_.slots(program_[from].lambda);
    std::vector<uint32_t> live;
    for (VarId v : read)
        if (!written[index(v)] && slots[index(v)] != no_slot) live.push_back(slots[index(v)]);
    std::sort(live.begin(), live.end());
    live.erase(std::unique(live.begin(), live.end()), live.end());
    return live;
}

} // namespace espalier::sym
