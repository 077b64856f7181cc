// The analysis: every variant of every procedure that can be reached is run on abstract values, to the least fixpoint.
//
// The unit of work is a slot, a block of a variant, evaluated from the facts known where control enters it. Values of
// variables are kept for each variant (a variable is assigned once); what crosses variants goes through cells of the
// store. A block is evaluated again when facts on its entry, a variable or a cell that it looked at have grown. Nothing
// is evaluated before control is known to get there, and what is reached stays reached: all of this only grows, so it
// ends.
//
//   Analyser analyser(program, options, stop);
//   analyser.run();                       // the whole analysis
//   analyser.evaluate(slot).successors    // at the fixpoint: what one block does
#pragma once

#include <cstdint>
#include <functional>

#include "flowanalysis/evaluate/evaluator.hpp"

namespace espalier::flow {

class Analyser {
public:
    // `stop` is asked now and then whether to end.
    Analyser(const Program& program, const FlowOptions& options, std::function<bool()> stop);
    void run();
    bool stopped() const { return stopped_; }
    bool should_stop(); // one more step was taken
    const Outcome& evaluate(Slot slot) { return evaluator_.evaluate(slot); }

    const Context& context() const { return context_; }
    Evaluator& evaluator() { return evaluator_; }
    ValueId result(VariantId v) const { return context_.store.peek(context_.variants[v].result); }
    bool is_setting(GlobalId g); // see Flow::settings
    uint64_t work() const;       // see FlowStatistics

private:
    Context context_;
    Evaluator evaluator_;
    std::function<bool()> stop_;
    uint64_t fact_steps_before_ = FactMap::steps();
    uint32_t steps_ = 0;
    bool stopped_ = false;
};

} // namespace espalier::flow
