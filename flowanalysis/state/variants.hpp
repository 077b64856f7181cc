// The variants that control has entered, their blocks, and the values of their variables.
//
// A slot is a block of a variant: what is evaluated at a time. The slots of one variant stand together, in the order of
// its blocks, and so do the values of its variables.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "flowanalysis/shape/shape.hpp"
#include "flowanalysis/state/facts.hpp"
#include "flowanalysis/state/store.hpp"

namespace espalier::flow {

struct BlockState {
    Facts entry;
    Facts exit; // of a jump with arguments
    VariantId variant{};
    bool reached = false; // by control
    bool dirty = false;   // it must be evaluated again
    bool left = false;    // the jump was reached, and `exit` holds there; or it has refused
};

struct VariantState {
    LambdaId lambda;
    Label site;
    Slot first_slot;
    uint32_t first_value; // of its variables
    CellId parameters;    // its parameters, then the closures that run, then its result
    CellId self;
    CellId result;
    std::vector<uint32_t> pending = {}; // blocks to evaluate when it next runs, counted from its first one
    PartsId begun = no_parts;           // closures whose free variables were looked at
    uint64_t captured = 0;              // when; see Memory::captures_grown
    uint32_t reached = 0;               // no block from that one on is reached
    bool queued = false;
};

class Variants {
public:
    Variants(const Program& program, const Shape& shape, Store& store, bool call_sites)
        : program_(program), shape_(shape), store_(store), call_sites_(call_sites) {}

    struct Entered {
        VariantId id;
        bool is_new;
    };
    // The variant of the λ for calls from that site. `is_shared`: the site calls very many procedures, see VariantId.
    Entered enter(LambdaId lambda, Label site, bool is_shared = false);

    size_t size() const { return variants_.size(); }
    const VariantState& operator[](VariantId v) const { return variants_[index(v)]; }
    VariantState& operator[](VariantId v) { return variants_[index(v)]; }
    const std::unordered_map<uint64_t, VariantId>& ids() const { return ids_; } // by variant_key

    size_t slot_count() const { return blocks_.size(); }
    const BlockState& operator[](Slot slot) const { return blocks_[index(slot)]; }
    BlockState& operator[](Slot slot) { return blocks_[index(slot)]; }
    ValueId value(VariantId v, VarId var) const { return values_[variants_[index(v)].first_value + index(var)]; }
    ValueId value_at(uint32_t place) const { return values_[place]; } // VariantState::first_value, and on
    ValueId& value_at(uint32_t place) { return values_[place]; }

private:
    const Program& program_;
    const Shape& shape_;
    Store& store_;
    bool call_sites_;
    std::deque<VariantState> variants_;
    std::unordered_map<uint64_t, VariantId> ids_;
    std::unordered_map<uint32_t, uint32_t> sites_of_; // by λ: how many call sites were told apart
    std::deque<BlockState> blocks_;
    std::vector<ValueId> values_; // of variables
};

} // namespace espalier::flow
