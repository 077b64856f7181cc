// Where control enters a variant, and where it goes at the end of a block: to other blocks, into procedures, and back.
#pragma once

#include "flowanalysis/evaluate/calls.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/evaluate/refinement.hpp"
#include "flowanalysis/evaluate/waits.hpp"
#include "flowanalysis/state/memory.hpp"

namespace espalier::flow {

class Control {
public:
    Control(Context& context, Memory& memory, Knowledge& knowledge, Refinement& refinement, Calls& calls, Waits& waits);
    void begin(); // the first block of a variant: its parameters and free variables have their values
    void finish(const Terminator& t);

private:
    void jump(const terminator::Jump& t);
    void branch(const terminator::Branch& t);

    const Program& program_;
    Domain& domain_;
    Variants& variants_;
    Memory& memory_;
    Knowledge& knowledge_;
    Refinement& refinement_;
    Calls& calls_;
    Waits& waits_;
    Point& here_;
};

} // namespace espalier::flow
