#include "symexec/machine/tracer.hpp"

namespace espalier::sym {

Tracer::Tracer(const Context& context) : context_(context) {
    if (!is_on()) return;
    for (const Variant& v : context.limits.traced->variants()) {
        const std::vector<bool> none(context.program[v.lambda].block_count, false);
        traces_.push_back({none, none, none});
    }
}

void Tracer::note(const State& s) {
    const Thread& t = s.threads[s.running];
    const VariantId v = context_.limits.traced->variant(t.frame->lambda, t.frame->site);
    const Lambda& lambda = context_.program[t.frame->lambda];
    if (v == no_variant) return;
    uint32_t low = 0, high = lambda.block_count; // blocks of a λ are decoded one after the other
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        (context_.code.start(BlockId{lambda.first_block + middle}) <= t.pc ? low : high) = middle;
    }
    Trace& trace = traces_[index(v)];
    const BlockId now{lambda.first_block + low};
    trace.entered[low] = true;
    if (frame_ == t.frame.get())
        if (const auto* b = std::get_if<terminator::Branch>(&context_.program[block_].terminator.kind); b != nullptr) {
            const uint32_t from = index(block_) - lambda.first_block;
            if (b->then_block == now) trace.then[from] = true;
            if (b->else_block == now) trace.other[from] = true;
        }
    frame_ = t.frame.get();
    block_ = now;
}

} // namespace espalier::sym
