// What blocks share, and which of them must look again when it grows.
//
// The values of variables belong to one variant; cells (globals, parameters, results, the content of abstract objects)
// are shared by all. Whatever the block at `Context::here` reads is noted, and whatever grows marks the blocks that
// have read it. Nothing ever shrinks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "flowanalysis/state/context.hpp"
#include "flowanalysis/state/number_set.hpp"

namespace espalier::flow {

class Memory {
public:
    explicit Memory(Context& context);

    // ── Cells
    ValueId read(CellId cell) { return store_.read(cell, here_.slot); }
    ValueId peek(CellId cell) const { return store_.peek(cell); } // without being told when it grows
    void grow(CellId cell, ValueId value);
    CellId global(GlobalId g) const { return CellId{index(globals_) + index(g)}; }

    // ── Objects and their content
    ObjectId make(Families kind, Label label, VariantId variant, uint32_t which, uint32_t cells);
    ObjectId make_here(Families kind, Label label, uint32_t which, uint32_t cells) {
        return make(kind, label, here_.variant, which, cells);
    }
    ObjectId closure(LambdaId lambda, VariantId maker);
    CellId cell(ObjectId o, uint32_t field) const { return CellId{index(domain_[o].first_cell) + field}; }
    // What that field holds in any of the value's objects of these kinds. The result is known to be at least `least`.
    ValueId content(ValueId objects, Families kinds, uint32_t field, ValueId least = bottom);
    void grow_content(ValueId objects, Families kinds, uint32_t field, ValueId value);
    // Free variables of a λ's closures: a number that changes when one of them grows that was read before.
    void grow_capture(LambdaId lambda, CellId cell, ValueId value);
    uint64_t captures_grown(uint32_t lambda) { return captures_grown_[lambda]; }

    // ── Variables
    bool define(VarId dst, ValueId value); // false: nothing arrives, so control ends here
    void mark_users(VarId v);              // later blocks that look at the variable
    // Blocks that must look again when the variable's value grows, beyond those that the text says.
    struct Dependent {
        enum class Kind : uint8_t { block, users, predecessors, writers } kind;
        uint32_t id; // a block; or the variable whose users they are; or the block whose predecessors; or unused
    };
    void add_dependent(VarId v, Dependent dependent);
    void depend_on(VarId v) { add_dependent(v, {Dependent::Kind::block, here_.block}); } // this block

private:
    const Program& program_;
    const Shape& shape_;
    Objects& objects_;
    Domain& domain_;
    Store& store_;
    Variants& variants_;
    Worklist& worklist_;
    const Point& here_;
    CellId globals_;
    std::unordered_map<uint32_t, std::vector<Dependent>> dependents_; // by the variable's place among all values
    NumberSet depending_;                                             // those in it
    std::unordered_map<uint32_t, uint64_t> captures_grown_;           // by λ
};

} // namespace espalier::flow
