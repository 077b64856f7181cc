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

std::span<const uint32_t> LiveSlots::known(uint64_t key, BlockId block, uint32_t from) {
    const auto found = known_.find(key);
    return found != known_.end() ? found->second : known_.emplace(key, find(block, from)).first->second;
}

std::span<const uint32_t> LiveSlots::after(BlockId block) {
    return known(uint64_t{index(block)} << 2, block, program_[block].op_count + 1);
}

std::span<const uint32_t> LiveSlots::before(const Instruction& i) {
    if (i.op >= Opcode::terminator) return known(uint64_t{i.e} << 2 | 1, BlockId{i.e}, program_[BlockId{i.e}].op_count);
    if (block_of_.empty()) {
        block_of_.resize(program_.ops.size());
        for (uint32_t b = 0; b < program_.blocks.size(); ++b)
            std::fill_n(block_of_.begin() + program_.blocks[b].first_op, program_.blocks[b].op_count, BlockId{b});
    }
    const BlockId block = block_of_[i.e];
    return known(uint64_t{i.e} << 2 | 2, block, i.e - program_[block].first_op);
}

void LiveSlots::each_frame(const Thread& t, bool is_running, const Visit& visit) {
    BlockId at = t.select;
    bool is_trying = is_running && t.waiting; // a clause; and other clauses may come, in the frame that waits
    std::vector<uint32_t> both;
    for (Frame* f = t.frame.get(); f != nullptr; f = f->caller) {
        const bool runs = (is_running || !t.waiting) && f == t.frame.get(); // or will
        std::span<const uint32_t> live = runs ? before(code_.at(t.pc)) : after(at);
        if (is_trying && f->lambda == program_[t.select].lambda) {
            is_trying = false;
            const auto others = after(t.select);
            both.clear();
            std::set_union(live.begin(), live.end(), others.begin(), others.end(), std::back_inserter(both));
            live = both;
        }
        visit(*f, runs ? t.pc : index(at), live);
        if (f->caller != nullptr) at = BlockId{code_.at(f->back).e};
    }
}

std::vector<uint32_t> LiveSlots::find(BlockId start, uint32_t first) const {
    const Lambda& lambda = program_[program_[start].lambda];
    std::vector<bool> seen(lambda.block_count, false), written(lambda.variables, false);
    std::vector<VarId> read;
    std::vector<BlockId> waiting;
    Effects e;
    const auto note = [&] {
        read.insert(read.end(), e.reads.begin(), e.reads.end());
        for (VarId v : e.writes) written[index(v)] = true;
        if (e.callee != no_var) read.push_back(e.callee);
    };
    const auto note_block = [&](BlockId b, uint32_t from) {
        const auto operations = program_.operations(program_[b]);
        for (size_t i = from; i < operations.size(); ++i) {
            effects_of(program_, operations[i].kind, e);
            note();
        }
        if (from <= operations.size()) {
            effects_of(program_, program_[b].terminator.kind, e);
            note();
        }
        followers(program_, program_[b].terminator.kind, waiting);
    };
    note_block(start, first);
    while (!waiting.empty()) {
        const BlockId b = waiting.back();
        waiting.pop_back();
        if (seen[index(b) - lambda.first_block]) continue;
        seen[index(b) - lambda.first_block] = true;
        for (VarId v : program_.list(program_[b].params)) written[index(v)] = true;
        note_block(b, 0);
    }
    const uint32_t* const slots = code_.slots(program_[start].lambda);
    std::vector<uint32_t> live;
    for (VarId v : read)
        if (!written[index(v)] && slots[index(v)] != no_slot) live.push_back(slots[index(v)]);
    std::sort(live.begin(), live.end());
    live.erase(std::unique(live.begin(), live.end()), live.end());
    return live;
}

} // namespace espalier::sym
