#include "flowanalysis/evaluate/refinement.hpp"

#include "flowanalysis/evaluate/primitives.hpp"
#include "flowanalysis/shape/operands.hpp"

namespace espalier::flow {

namespace {
// How many steps a condition is traced back in all: each of eight joins may have hundreds of ways into it. Beyond them
// less is learnt.
constexpr int most_trace_steps = 512;
} // namespace

Refinement::Refinement(Context& context, Memory& memory, Knowledge& knowledge)
    : program_(context.program), shape_(context.shape), domain_(context.domain), variants_(context.variants),
      memory_(memory), knowledge_(knowledge), here_(context.here) {}

bool Refinement::assume(Facts& facts, VarId condition, bool truth) {
    trace_steps_ = most_trace_steps;
    other_name_ = false;
    return assume(facts, condition, truth, trace_depth);
}

// The text tells which blocks look at a variable that a condition was made of, unless the condition has another name
// there.
ValueId Refinement::looked_at(const Facts& facts, VarId v) {
    if (other_name_) memory_.depend_on(knowledge_.canonical(facts, v));
    return knowledge_.known(facts, v);
}

bool Refinement::assume(Facts& facts, VarId condition, bool truth, int depth) {
    const ValueId before = looked_at(facts, condition);
    if (!knowledge_.narrow(facts, condition, truth ? domain_.truthy(before) : domain_.falsy(before))) return false;
    if (depth == 0 || trace_steps_ == 0) return true;
    --trace_steps_;
    const VarId origin = knowledge_.canonical(facts, condition);
    other_name_ = other_name_ || origin != condition;
    if (other_name_) memory_.depend_on(origin);
    const Definition& d = shape_.uses.definition(here_.lambda, origin);
    switch (d.kind) {
    case Definition::Kind::entry: return true;
    case Definition::Kind::operation: return assume_test(facts, program_.ops[d.where].kind, truth, depth);
    case Definition::Kind::parameter: return assume_parameter(facts, d, truth, depth);
    }
    return true;
}

bool Refinement::assume_test(Facts& facts, const OpKind& test, bool truth, int depth) {
    if (const auto* o = std::get_if<op::Primitive>(&test))
        return !is_test(test) || assume_primitive(facts, *o, truth, depth);
    if (const auto* o = std::get_if<op::MessageIs>(&test))
        return knowledge_.narrow(facts, o->object, domain_.messages(looked_at(facts, o->object), o->message, truth));
    if (const auto* o = std::get_if<op::RecordIs>(&test))
        return knowledge_.narrow(facts, o->object, domain_.records(looked_at(facts, o->object), o->record, truth));
    return true;
}

bool Refinement::assume_primitive(Facts& facts, const op::Primitive& test, bool truth, int depth) {
    const auto args = program_.list(test.args);
    switch (test.prim) {
    case Prim::not_: return assume(facts, args[0], !truth, depth - 1);
    case Prim::eq:
    case Prim::eqv:
    case Prim::num_eq: return assume_equal(facts, args[0], args[1], truth, false);
    case Prim::equal:
    case Prim::string_eq: return assume_equal(facts, args[0], args[1], truth, true);
    case Prim::lt:
        return truth ? assume_order(facts, args[0], args[1], Prim::lt)
                     : assume_order(facts, args[1], args[0], Prim::le);
    case Prim::le:
        return truth ? assume_order(facts, args[0], args[1], Prim::le)
                     : assume_order(facts, args[1], args[0], Prim::lt);
    case Prim::gt:
        return truth ? assume_order(facts, args[1], args[0], Prim::lt)
                     : assume_order(facts, args[0], args[1], Prim::le);
    case Prim::ge:
        return truth ? assume_order(facts, args[1], args[0], Prim::le)
                     : assume_order(facts, args[0], args[1], Prim::lt);
    default: break;
    }
    const Families yes = tested_families(test.prim);
    if (yes == 0) return true;
    return knowledge_.narrow(
        facts, args[0],
        domain_.keep(looked_at(facts, args[0]), family::opaque | (truth ? yes : family::everything & ~yes)));
}

bool Refinement::assume_equal(Facts& facts, VarId a, VarId b, bool truth, bool structural) {
    const ValueId x = looked_at(facts, a), y = looked_at(facts, b);
    if (!truth && knowledge_.canonical(facts, a) == knowledge_.canonical(facts, b))
        return (domain_.families(x) & family::opaque) != 0;
    if (truth)
        return knowledge_.narrow(facts, a, domain_.equal_to(x, y, structural)) &&
               knowledge_.narrow(facts, b, domain_.equal_to(y, x, structural));
    return knowledge_.narrow(facts, a, domain_.different_from(x, y, structural)) &&
           knowledge_.narrow(facts, b, domain_.different_from(y, x, structural));
}

// a < b, or a <= b. Between two rationals there is always another: a bound moves only where both ends are
// integers.
bool Refinement::assume_order(Facts& facts, VarId a, VarId b, Prim prim) {
    const ValueId x = looked_at(facts, a), y = looked_at(facts, b);
    const int64_t gap = prim == Prim::lt ? 1 : 0;
    const Integers &low = domain_[x].integers, &high = domain_[y].integers;
    ValueId less = x, more = y;
    if ((domain_.families(y) & (family::rational | family::opaque)) == 0 && high.high() != no_high && !high.empty())
        less = domain_.with_integers(x, meet(low, Integers::range(no_low, high.high() - gap)));
    if ((domain_.families(x) & (family::rational | family::opaque)) == 0 && low.low() != no_low && !low.empty())
        more = domain_.with_integers(y, meet(high, Integers::range(low.low() + gap, no_high)));
    return knowledge_.narrow(facts, a, less) && knowledge_.narrow(facts, b, more);
}

// The condition was handed to a join by one of these jumps: what holds now is what holds after at least one
// of them.
bool Refinement::assume_parameter(Facts& facts, const Definition& parameter, bool truth, int depth) {
    std::optional<Facts> any;
    for (uint32_t from : shape_.jumps[parameter.where]) {
        const BlockState& block = variants_[here_.slot_of(from)];
        if (!block.left) continue;
        Facts there = block.exit;
        const VarId arg =
            program_.list(std::get<terminator::Jump>(program_.blocks[from].terminator.kind).args)[parameter.position];
        if (!assume(there, arg, truth, depth - 1)) continue;
        if (any)
            knowledge_.merge(*any, there, here_.block);
        else
            any = std::move(there);
    }
    if (!any) return shape_.jumps[parameter.where].empty();
    bool possible = true;
    any->lasting_facts().visit_unlike(facts.lasting_facts(), [&](const Fact& fact) {
        if (possible && fact.key.kind == Key::Kind::value)
            possible = knowledge_.narrow(facts, VarId{fact.key.name},
                                         domain_.meet(knowledge_.known(facts, VarId{fact.key.name}), fact.value));
    });
    return possible;
}

} // namespace espalier::flow
