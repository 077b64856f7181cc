// The kernel: variants, a worklist, and the evaluation of one block.
#include "flowanalysis/machine.hpp"

#include <algorithm>
#include <functional>

namespace espalier::flow {

namespace {
// Blocks of one λ that are told apart by who calls it: a large one that is called from very many places, as a hand-made
// machine with hundreds of states is, would take the product of the two. Calls from further places share a variant.
constexpr uint64_t most_slots = 1U << 20;
} // namespace

void Variants::add(VariantId v) {
    constexpr size_t many = 16;
    if (all_.size() < many) {
        if (std::find(all_.begin(), all_.end(), v) == all_.end()) all_.push_back(v);
        return;
    }
    if (members_.empty())
        for (VariantId each : all_) members_.insert(index(each));
    if (members_.insert(index(v)).second) all_.push_back(v);
}

void Variants::clear() {
    all_.clear();
    if (!members_.empty()) members_ = {}; // clearing would keep the room, and take the time, of the largest
}

void Outcome::clear() {
    completed = 0;
    terminates = false;
    successors.clear();
    callees.clear();
    spawns.clear();
    sends.clear();
    excluded.clear();
    clauses.clear();
    demands.clear();
    fallible.clear();
}

Machine::Machine(const Program& program, const FlowOptions& options, std::function<bool()> stop)
    : program_(program), options_(options), shape_(program), domain_(program),
      store_(domain_, shape_.integers(), options.patience),
      globals_(store_.allocate(static_cast<uint32_t>(program.globals.size()))), stop_(std::move(stop)) {}

bool Machine::should_stop() {
    constexpr uint32_t between = 256; // looking at clocks and memory costs as much as a block
    if (!stopped_ && ++steps_ % between == 0) stopped_ = stop_();
    return stopped_;
}

void Machine::run() {
    const VariantId top = enter(program_.top, no_label);
    grow(variants_[index(top)].self, domain_.object(closure(program_.top, top)));
    while (!queue_.empty() && !stopped_) {
        const VariantId v = queue_.front();
        queue_.pop_front();
        run_variant(v);
    }
}

// The variant, new or not. Control reaches its first block.
VariantId Machine::enter(LambdaId lambda, Label site, bool is_shared) {
    if (!options_.call_sites || (site != no_label && shape_.jump_sites()[index(site)] == lambda)) site = no_label;
    const auto [at, made] = variant_ids_.try_emplace(static_cast<uint64_t>(index(lambda)) << 32 | index(site),
                                                     VariantId{static_cast<uint32_t>(variants_.size())});
    const Lambda& l = program_[lambda];
    // What prelude code calls counts as called where the prelude was entered, so that must stay known.
    if (made && site != no_label && !l.prelude &&
        (is_shared || uint64_t{++variants_of_[index(lambda)]} * l.block_count > most_slots)) {
        const VariantId shared = enter(lambda, no_label);
        return variant_ids_[static_cast<uint64_t>(index(lambda)) << 32 | index(site)] = shared;
    }
    if (made) {
        const CellId cells = store_.allocate(l.params() + 2);
        variants_.push_back({.lambda = lambda,
                             .site = site,
                             .first_slot = Slot{static_cast<uint32_t>(blocks_.size())},
                             .first_value = static_cast<uint32_t>(values_.size()),
                             .parameters = cells,
                             .self = CellId{index(cells) + l.params()},
                             .result = CellId{index(cells) + l.params() + 1}});
        values_.resize(values_.size() + l.variables, bottom);
        blocks_.resize(blocks_.size() + l.block_count);
        for (uint32_t b = 0; b < l.block_count; ++b) blocks_[blocks_.size() - 1 - b].variant = at->second;
        reach(variants_.back().first_slot);
    }
    return at->second;
}

void Machine::reach(Slot slot) {
    BlockState& block = blocks_[index(slot)];
    VariantState& v = variants_[index(block.variant)];
    block.reached = true;
    v.reached = std::max(v.reached, index(slot) - index(v.first_slot) + 1);
    mark_dirty(slot);
}

void Machine::mark_dirty(Slot slot) {
    BlockState& block = blocks_[index(slot)];
    ++marked_;
    if (!block.reached || block.dirty) return;
    block.dirty = true;
    VariantState& v = variants_[index(block.variant)];
    const uint32_t b = index(slot) - index(v.first_slot);
    if (block.variant == running_ && slot > slot_) {
        round_.push_back(b);
        std::push_heap(round_.begin(), round_.end(), std::greater<>());
        return;
    }
    v.pending.push_back(b);
    if (!v.queued) {
        v.queued = true;
        queue_.push_back(block.variant);
    }
}

void Machine::grow(CellId cell, ValueId value) {
    const ValueId before = store_.peek(cell);
    mark_dirty(store_.write(cell, value));
    if (store_.peek(cell) == before) return;
    for (CellId to : store_.links(cell)) mark_dirty(store_.write(to, store_.peek(cell))); // which links no further
}

void Machine::mark_dirty(std::span<const Slot> slots) {
    for (size_t i = 0; i < slots.size(); ++i) mark_dirty(slots[i]);
}

// Blocks are in topological order, so one round sees every change that an earlier block makes. What concerns earlier
// blocks (a clause that refuses, a call of itself) waits for the next one: it comes together.
void Machine::run_variant(VariantId v) {
    VariantState& state = variants_[index(v)];
    running_ = v;
    while (!state.pending.empty() && !stopped_) {
        std::swap(round_, state.pending);
        std::make_heap(round_.begin(), round_.end(), std::greater<>());
        while (!round_.empty() && !should_stop()) {
            std::pop_heap(round_.begin(), round_.end(), std::greater<>());
            const Slot slot{index(state.first_slot) + round_.back()};
            round_.pop_back();
            blocks_[index(slot)].dirty = false;
            ++evaluated_;
            evaluate(slot);
        }
    }
    state.queued = false;
    running_ = no_variant;
}

const Outcome& Machine::evaluate(Slot slot) {
    const BlockState& state = blocks_[index(slot)];
    const VariantState& v = variants_[index(state.variant)];
    variant_ = state.variant;
    lambda_ = v.lambda;
    slot_ = slot;
    const Lambda& lambda = program_[lambda_];
    block_ = lambda.first_block + index(slot) - index(v.first_slot);
    facts_ = state.entry;
    outcome_.clear();
    if (block_ == lambda.first_block) begin(lambda_);
    const Block& block = program_.blocks[block_];
    for (const Operation& o : program_.operations(block)) {
        fails_ = false;
        const bool goes_on = apply(o, outcome_.completed);
        if (fails_) outcome_.fallible.push_back(outcome_.completed);
        if (!goes_on) return outcome_;
        ++outcome_.completed;
    }
    outcome_.terminates = true;
    fails_ = false;
    finish(block.terminator);
    if (fails_) outcome_.fallible.push_back(outcome_.completed);
    return outcome_;
}

// Parameters come from the calls, free variables from the closures that are called here.
void Machine::begin(LambdaId id) {
    const Lambda& lambda = program_[id];
    VariantState& v = variants_[index(variant_)];
    for (uint32_t i = 0; i < lambda.params(); ++i) define(VarId{i}, read(CellId{index(v.parameters) + i}));
    const ValueId self = read(v.self);
    define(lambda.self(), self);
    if (self == bottom || lambda.captures == 0) return;
    // Many closures may come one by one: those that were here before are looked at again only where one of them grew.
    const uint64_t now = captures_grown_[domain_[*domain_.first_object(self)].which];
    const auto look_at = [&](ObjectId o) {
        for (uint32_t i = 0; i < lambda.captures; ++i) define(VarId{lambda.params() + i}, read(cell(o, i)));
    };
    for (ObjectId o : domain_.new_objects(self, v.captured == now ? v.begun : no_parts)) look_at(o);
    v.begun = domain_.parts(self);
    v.captured = now;
}

bool Machine::define(VarId dst, ValueId value) {
    const VariantState& v = variants_[index(variant_)];
    ValueId& kept = values_[v.first_value + index(dst)];
    const ValueId grown = domain_.join(kept, value);
    if (grown == kept) return value != bottom;
    kept = grown;
    mark_users(dst);
    return value != bottom;
}

void Machine::mark_users(VarId var) {
    const VariantState& v = variants_[index(variant_)];
    const uint32_t first = program_[lambda_].first_block;
    const auto mark = [&](uint32_t b) {
        if (b > block_) mark_dirty(Slot{index(v.first_slot) + b - first});
    };
    const auto mark_all = [&](std::span<const uint32_t> blocks) { // in ascending order
        for (uint32_t b : blocks) {
            if (b >= first + v.reached) return;
            mark(b);
        }
    };
    mark_all(shape_.users(lambda_, var));
    const auto more = dependents_.find(v.first_value + index(var));
    if (more == dependents_.end()) return;
    for (const Dependent& d : more->second) {
        switch (d.kind) {
        case Dependent::Kind::block: mark(d.id); break;
        case Dependent::Kind::users: mark_all(shape_.users(lambda_, VarId{d.id})); break;
        case Dependent::Kind::predecessors: mark_all(shape_.predecessors(BlockId{d.id})); break;
        case Dependent::Kind::writers: mark_all(shape_.writers(lambda_)); break;
        }
    }
}

// Control goes on to the block with what is known here.
void Machine::flow_to(BlockId target) {
    const Slot to{index(variants_[index(variant_)].first_slot) + index(target) - program_[lambda_].first_block};
    BlockState& block = blocks_[index(to)];
    outcome_.successors.push_back(target);
    if (block.reached) {
        if (merge(block.entry, facts_, index(target))) mark_dirty(to);
        return;
    }
    reach(to);
    block.entry = facts_;
    block.entry.expire(index(target));
}

Label Machine::site_of(Label label) const {
    return program_[lambda_].prelude ? variants_[index(variant_)].site : label;
}

} // namespace espalier::flow
