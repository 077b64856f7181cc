// What evaluates a block: its parts, each of which knows only those before it.
#pragma once

#include "flowanalysis/evaluate/arguments.hpp"
#include "flowanalysis/evaluate/calls.hpp"
#include "flowanalysis/evaluate/control.hpp"
#include "flowanalysis/evaluate/folding.hpp"
#include "flowanalysis/evaluate/inputs.hpp"
#include "flowanalysis/evaluate/knowledge.hpp"
#include "flowanalysis/evaluate/literals.hpp"
#include "flowanalysis/evaluate/operations.hpp"
#include "flowanalysis/evaluate/refinement.hpp"
#include "flowanalysis/evaluate/waits.hpp"

namespace espalier::flow {

struct Evaluator {
    explicit Evaluator(Context& context);
    Evaluator(const Evaluator&) = delete; // its members refer to each other
    Evaluator& operator=(const Evaluator&) = delete;
    // Evaluates the block from what is known where control enters it. What grows marks other blocks. Afterwards
    // Context::here tells of this block until the next one is evaluated, and so does the result.
    const Outcome& evaluate(Slot slot);

    Context& context;
    Memory memory;
    Knowledge knowledge;
    Refinement refinement;
    Literals literals;
    Inputs inputs;
    Arguments arguments;
    Calls calls;
    Waits waits;
    Folding folding;
    Operations operations;
    Control control;
};

} // namespace espalier::flow
