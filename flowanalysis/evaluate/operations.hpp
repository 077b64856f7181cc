// The abstract meaning of each operation. Where a run would end with a model error, nothing goes on.
#pragma once

#include <cstdint>

#include "flowanalysis/evaluate/arguments.hpp"
#include "flowanalysis/evaluate/calls.hpp"
#include "flowanalysis/evaluate/folding.hpp"
#include "flowanalysis/evaluate/inputs.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/evaluate/literals.hpp"
#include "flowanalysis/evaluate/refinement.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

// The parts that evaluate a block, as far as operations need them.
struct OperationParts {
    Memory& memory;
    Knowledge& knowledge;
    Refinement& refinement;
    Literals& literals;
    Inputs& inputs;
    Arguments& arguments;
    Calls& calls;
    Folding& folding;
};

class Operations {
public:
    Operations(Context& context, const OperationParts& parts);
    // The operation at that position of its block. False: control ends here.
    bool apply(const Operation& o, uint32_t position);
    // Is what the primitive changes only ever a literal of the program's text, which may not be changed?
    bool changes_literal(const op::Primitive& o) const;

private:
    bool apply_primitive(const op::Primitive& o, Label label);
    bool make_closures(const op::MakeClosures& o);
    bool make_box(const op::MakeBox& o, Label label);
    bool set_box(const op::BoxSet& o);
    bool make_record(const op::MakeRecord& o, Label label);
    bool set_record(const op::RecordSet& o);
    bool is_record(const op::RecordIs& o);
    bool make_message(const op::MakeMessage& o, Label label);
    bool is_message(const op::MessageIs& o);
    bool ref_field(VarId dst, VarId object, Key::Kind kind, uint32_t field);
    bool ref_global(const op::GlobalRef& o);
    bool set_global(const op::GlobalSet& o);
    bool assert_that(const op::Assert& o);
    bool spawn(const op::Spawn& o, Label label, uint32_t position);
    bool send(const op::Send& o, uint32_t position);
    bool start_timer(const op::StartTimer& o);
    bool mark_boundary(const op::MarkBoundary& o, uint32_t position);
    Key key_of(GlobalId g) const;
    ValueId as_given(GlobalId g, ValueId defined);

    Context& context_;
    const Program& program_;
    Domain& domain_;
    Memory& memory_;
    Knowledge& knowledge_;
    Refinement& refinement_;
    Literals& literals_;
    Inputs& inputs_;
    Arguments& arguments_;
    Calls& calls_;
    Folding& folding_;
    Point& here_;
};

} // namespace espalier::flow
