// The abstract meaning of each primitive, built from lang/ir/primitives.def: one without a meaning does not
// compile.
#pragma once

#include <span>
#include <vector>

#include "flowanalysis/evaluate/arguments.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

// What a type predicate is true of; 0: it is none.
Families tested_families(Prim prim);
// What the operand must be, so that the run goes on.
Families operand_families(Prim prim, size_t operand);

// One application, on operands that are known to be what they must be.
class PrimitiveApplication {
public:
    PrimitiveApplication(Context& context, Memory& memory, Knowledge& knowledge, Arguments& arguments,
                         const op::Primitive& o, Label label);
    ValueId apply();       // the value that it gives; bottom: it never gives one
    bool may_fail() const; // with a model error, for some of these operands
    std::span<const ValueId> operands() const { return args_; }

private:
    ValueId a() const { return args_[0]; }
    ValueId b() const { return args_[1]; }
    const Integers& ints(size_t i) const { return domain_[args_[i]].integers; }
    bool has(size_t i, Families f) const { return (domain_.families(args_[i]) & f) != 0; }
    ValueId atoms(Atoms a) { return domain_.atoms(a); }
    ValueId truth() { return domain_.boolean(true, true); }
    ValueId all_integers() { return domain_.integers(Integers::all()); }
    ValueId naturals() { return domain_.integers(Integers::range(0, no_high)); }
    ValueId numbers(Integers set, bool rational);
    ValueId is_one_of();
    ValueId compared(bool structural);
    ValueId ordered(size_t less, size_t more, int64_t gap);
    ValueId rounded();
    ValueId content(ValueId objects, Families kind, uint32_t field) { return memory_.content(objects, kind, field); }
    void store(ValueId objects, Families kind, uint32_t field, ValueId v) {
        memory_.grow_content(objects, kind, field, v);
    }
    ObjectId make(Families kind, uint32_t which, uint32_t cells) {
        return memory_.make_here(kind, label_, which, cells);
    }
    ValueId list_of(ValueId element);

#define PRIMITIVE(id, name, arity, effect) ValueId id();
#include "lang/ir/primitives.def"
#undef PRIMITIVE

    Domain& domain_;
    Memory& memory_;
    Knowledge& knowledge_;
    Arguments& arguments_;
    Prim prim_;
    std::span<const VarId> vars_;
    Label label_;
    std::vector<ValueId> args_;
};

} // namespace espalier::flow
