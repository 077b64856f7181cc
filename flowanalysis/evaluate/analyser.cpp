#include "flowanalysis/evaluate/analyser.hpp"

namespace espalier::flow {

Analyser::Analyser(const Program& program, const FlowOptions& options, std::function<bool()> stop)
    : context_(program, options), evaluator_(context_), stop_(std::move(stop)) {}

bool Analyser::should_stop() {
    constexpr uint32_t between = 256; // looking at clocks and memory costs as much as a block
    if (!stopped_ && ++steps_ % between == 0) stopped_ = stop_();
    return stopped_;
}

void Analyser::run() {
    const LambdaId top = context_.program.top;
    const VariantId first = evaluator_.calls.enter(top, no_label);
    evaluator_.memory.grow(context_.variants[first].self,
                           context_.domain.object(evaluator_.memory.closure(top, first)));
    while (const auto slot = context_.worklist.take()) {
        if (should_stop()) return;
        evaluate(*slot);
    }
}

bool Analyser::is_setting(GlobalId g) {
    const Global& global = context_.program.globals[index(g)];
    if (global.assigned || global.prelude || global.known != no_lambda) return false;
    Domain& domain = context_.domain;
    const ValueId v = evaluator_.memory.peek(evaluator_.memory.global(g));
    return v != bottom && domain.drop(v, family::boolean | family::symbol | family::integer) == bottom &&
           !domain.is_constant(v, false);
}

uint64_t Analyser::work() const {
    return context_.worklist.taken() + context_.worklist.marked() + context_.domain.set_steps() + FactMap::steps() -
           fact_steps_before_;
}

} // namespace espalier::flow
