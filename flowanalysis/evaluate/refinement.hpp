// Branch refinement: what a test says of the values that it looked at, on each arm.
//
// A condition is traced back to the operation that made it, and through `not`, and through the join of an
// `and` or `or` to the arms that it came from; so (assert (or (Msg1? m) (Msg2? m))) leaves m with two types
// of message, and the else of a dispatch on both is never reached (Lahola 2010, figure 6.4).
#pragma once

#include "flowanalysis/evaluate/knowledge.hpp"

namespace espalier::flow {

class Refinement {
public:
    Refinement(Context& context, Memory& memory, Knowledge& knowledge);
    // Adds what follows to the facts. False: the condition cannot come out so.
    bool assume(Facts& facts, VarId condition, bool truth);

private:
    bool assume(Facts& facts, VarId condition, bool truth, int depth);
    bool assume_test(Facts& facts, const OpKind& test, bool truth, int depth);
    bool assume_primitive(Facts& facts, const op::Primitive& test, bool truth, int depth);
    bool assume_equal(Facts& facts, VarId a, VarId b, bool truth, bool structural);
    bool assume_order(Facts& facts, VarId a, VarId b, Prim prim);
    bool assume_parameter(Facts& facts, const Definition& parameter, bool truth, int depth);
    ValueId looked_at(const Facts& facts, VarId v);

    const Program& program_;
    const Shape& shape_;
    Domain& domain_;
    const Variants& variants_;
    Memory& memory_;
    Knowledge& knowledge_;
    const Point& here_;
    int trace_steps_ = 0;     // that are left
    bool other_name_ = false; // a condition is being traced that the text calls otherwise
};

} // namespace espalier::flow
