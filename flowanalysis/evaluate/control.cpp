#include "flowanalysis/evaluate/control.hpp"

namespace espalier::flow {

Control::Control(Context& context, Memory& memory, Knowledge& knowledge, Refinement& refinement, Calls& calls,
                 Waits& waits)
    : program_(context.program), domain_(context.domain), variants_(context.variants), memory_(memory),
      knowledge_(knowledge), refinement_(refinement), calls_(calls), waits_(waits), here_(context.here) {}

// Parameters come from the calls, free variables from the closures that are called here.
void Control::begin() {
    const Lambda& lambda = program_[here_.lambda];
    VariantState& v = variants_[here_.variant];
    for (uint32_t i = 0; i < lambda.params(); ++i)
        memory_.define(VarId{i}, memory_.read(CellId{index(v.parameters) + i}));
    const ValueId self = memory_.read(v.self);
    memory_.define(lambda.self(), self);
    if (self == bottom || lambda.captures == 0) return;
    // Many closures may come one by one: those that were here before are looked at again only where one of them grew.
    const uint64_t now = memory_.captures_grown(domain_[*domain_.first_object(self)].which);
    const auto look_at = [&](ObjectId o) {
        for (uint32_t i = 0; i < lambda.captures; ++i)
            memory_.define(VarId{lambda.params() + i}, memory_.read(memory_.cell(o, i)));
    };
    for (ObjectId o : domain_.new_objects(self, v.captured == now ? v.begun : no_parts)) look_at(o);
    v.begun = domain_.parts(self);
    v.captured = now;
}

void Control::finish(const Terminator& t) {
    std::visit(Overloaded{
                   [&](const terminator::Jump& k) { jump(k); },
                   [&](const terminator::Branch& k) { branch(k); },
                   [&](const terminator::Call& k) {
                       const ValueId result = calls_.call(k.callee, k.args, k.spread, t.label);
                       here_.facts.forget_mutable();
                       if (result != bottom && memory_.define(program_.list(program_[k.back].params)[0], result))
                           knowledge_.flow_to(k.back);
                   },
                   [&](const terminator::TailCall& k) {
                       memory_.grow(variants_[here_.variant].result, calls_.call(k.callee, k.args, k.spread, t.label));
                   },
                   [&](const terminator::Return& k) {
                       memory_.grow(variants_[here_.variant].result, knowledge_.known(k.value));
                   },
                   [&](const terminator::Select& k) { waits_.select(k); },
                   [&](const terminator::Accept& k) {
                       const auto params = program_.list(program_[k.body].params);
                       for (size_t i = 0; i < params.size(); ++i)
                           memory_.define(params[i], knowledge_.known(program_.list(k.args)[i]));
                       knowledge_.flow_to(k.body);
                   },
                   [&](const terminator::Refuse&) { waits_.refuse(); },
                   [&](const terminator::Choose& k) {
                       for (uint32_t i = k.first; i < k.first + k.count; ++i) knowledge_.flow_to(program_.choices[i]);
                   },
               },
               t.kind);
}

void Control::jump(const terminator::Jump& t) {
    const auto params = program_.list(program_[t.target].params);
    const auto args = program_.list(t.args);
    for (size_t i = 0; i < params.size(); ++i) memory_.define(params[i], knowledge_.known(args[i]));
    knowledge_.flow_to(t.target);
    BlockState& block = variants_[here_.slot];
    if (params.empty() || (block.left && block.exit == here_.facts)) return;
    block.left = true;
    block.exit = here_.facts;
    for (VarId p : params) memory_.mark_users(p);
}

void Control::branch(const terminator::Branch& t) {
    const Facts before = here_.facts;
    if (refinement_.assume(here_.facts, t.condition, true)) knowledge_.flow_to(t.then_block);
    here_.facts = before;
    if (refinement_.assume(here_.facts, t.condition, false)) knowledge_.flow_to(t.else_block);
}

} // namespace espalier::flow
