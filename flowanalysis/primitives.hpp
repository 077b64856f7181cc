// The abstract meaning of each primitive, built from lang/ir/primitives.def: one without a meaning does not
// compile.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "flowanalysis/machine.hpp"

namespace espalier::flow {

// What a type predicate is true of; 0: it is none.
Families tested_families(Prim prim);
// What the operand must be, so that the run goes on.
Families operand_families(Prim prim, size_t operand);

// One application: its operands, known to be what they must be, to the value it gives. Bottom: it never does.
class Primitives {
public:
    Primitives(Machine& machine, const op::Primitive& o, Label label);
    ValueId apply();
    std::string complaint(); // what it says of the operands, where they are constants and it always fails
    bool may_fail() const;   // with a model error, for some of these operands

private:
    ValueId fold(bool& done);
    std::optional<std::vector<Value>> constants(ValueId v);
    std::optional<ValueId> folded(std::span<const Value> operands);

    ValueId a() const { return args_[0]; }
    ValueId b() const { return args_[1]; }
    const Integers& ints(size_t i) const { return m_.domain_[args_[i]].integers; }
    bool has(size_t i, Families f) const { return (m_.domain_.families(args_[i]) & f) != 0; }
    ValueId atoms(Atoms a) { return m_.domain_.atoms(a); }
    ValueId truth() { return m_.domain_.boolean(true, true); }
    ValueId all_integers() { return m_.domain_.integers(Integers::all()); }
    ValueId naturals() { return m_.domain_.integers(Integers::range(0, no_high)); }
    ValueId numbers(Integers set, bool rational);
    ValueId is_one_of();
    ValueId compared(bool structural);
    ValueId ordered(size_t less, size_t more, int64_t gap);
    ValueId rounded();
    ValueId content(ValueId objects, Families kind, uint32_t field);
    void store(ValueId objects, Families kind, uint32_t field, ValueId v);
    ObjectId make(Families kind, uint32_t which, uint32_t cells) { return m_.make_here(kind, label_, which, cells); }
    ValueId list_of(ValueId element);

#define PRIMITIVE(id, name, arity, effect) ValueId id();
#include "lang/ir/primitives.def"
#undef PRIMITIVE

    Machine& m_;
    const op::Primitive& o_;
    std::span<const VarId> vars_;
    Label label_;
    std::vector<ValueId> args_;
};

} // namespace espalier::flow
