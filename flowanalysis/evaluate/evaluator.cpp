#include "flowanalysis/evaluate/evaluator.hpp"

namespace espalier::flow {

Evaluator::Evaluator(Context& c)
    : context(c), memory(c), knowledge(c, memory), refinement(c, memory, knowledge), literals(c, memory),
      inputs(c, memory, literals), arguments(c, memory, knowledge), calls(c, memory, knowledge, arguments),
      waits(c, memory, knowledge, inputs, calls), folding(c, literals),
      operations(c, {memory, knowledge, refinement, literals, inputs, arguments, calls, folding}),
      control(c, memory, knowledge, refinement, calls, waits) {}

const Outcome& Evaluator::evaluate(Slot slot) {
    Point& here = context.here;
    const Program& program = context.program;
    const BlockState& state = context.variants[slot];
    const VariantState& v = context.variants[state.variant];
    const uint32_t first_block = program[v.lambda].first_block;
    here.variant = state.variant;
    here.lambda = v.lambda;
    here.slot = slot;
    here.block = first_block + index(slot) - index(v.first_slot);
    here.first_value = v.first_value;
    here.facts = state.entry;
    here.outcome.clear();
    Outcome& outcome = here.outcome;
    if (here.block == first_block) control.begin();
    const Block& block = program.blocks[here.block];
    for (const Operation& o : program.operations(block)) {
        here.fails = false;
        const bool goes_on = operations.apply(o, outcome.completed);
        if (here.fails) outcome.fallible.push_back(outcome.completed);
        if (!goes_on) return outcome;
        ++outcome.completed;
    }
    outcome.terminates = true;
    here.fails = false;
    control.finish(block.terminator);
    if (here.fails) outcome.fallible.push_back(outcome.completed);
    return outcome;
}

} // namespace espalier::flow
