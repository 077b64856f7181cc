#include "flowanalysis/evaluate/calls.hpp"

#include <algorithm>

namespace espalier::flow {

namespace {
// Closures in one call beyond which it remembers what it did.
constexpr size_t many_closures = 16;
// Procedures in one call beyond which it shares one variant of each with all such calls. Where n procedures call each
// other through one table, each has n places that call it, and in each of them n callees: n³ edges. Such a call hands
// the same arguments to all of them, so there is little to be told apart.
constexpr size_t most_callees = 16;
} // namespace

Calls::Calls(Context& context, Memory& memory, Knowledge& knowledge, Arguments& arguments)
    : program_(context.program), domain_(context.domain), store_(context.store), variants_(context.variants),
      worklist_(context.worklist), memory_(memory), knowledge_(knowledge), arguments_(arguments), here_(context.here) {}

VariantId Calls::enter(LambdaId lambda, Label site, bool is_shared) {
    const auto [v, is_new] = variants_.enter(lambda, site, is_shared);
    if (is_new) worklist_.reach(variants_[v].first_slot);
    return v;
}

Label Calls::site_of(Label label) const {
    return program_[here_.lambda].prelude ? variants_[here_.variant].site : label;
}

VariantSet Calls::spawn(ValueId procedures, Label label) {
    VariantSet started;
    Union nothing(domain_);
    call_closures(procedures, {{}, bottom, {true}}, {label, site_of(label)}, started, nothing);
    return started;
}

void Calls::demand(ValueId predicate, ValueId message) {
    Union answer(domain_); // of no interest
    call_closures(predicate, {{message}, bottom, {false, true}}, {no_label, no_label}, here_.outcome.demands, answer);
}

ValueId Calls::call(VarId callee, VarList args, bool last_is_list, Label label) {
    here_.fails = domain_.drop(knowledge_.known(callee), family::procedure) != bottom;
    Spread all = arguments_.spread(program_.list(args), last_is_list);
    // At the fixpoint the callees are asked for, and everything else is done.
    if (!worklist_.is_fixpoint() && domain_.part_count(knowledge_.known(callee)) > many_closures)
        return call_many(knowledge_.known(callee), std::move(all), label);
    Union result(domain_);
    call_closures(knowledge_.known(callee), all, {label, site_of(label)}, here_.outcome.callees, result);
    return result.value();
}

// Many closures come one by one, and so do their results: only what is new is looked at.
ValueId Calls::call_many(ValueId closures, Spread args, Label label) {
    const auto [at, made] = calls_.try_emplace(index(here_.slot));
    CallState& state = at->second;
    if (made) state.results = store_.allocate_sum();
    if (state.args != args) state.done = no_parts;
    state.args = std::move(args);
    VariantSet callees; // told at the fixpoint
    results_ = state.results;
    const auto added = domain_.by_type(closures, family::procedure, state.done);
    std::vector<uint32_t>& first = state.first_callees;
    for (const auto& [lambda, same] : added)
        if (first.size() <= most_callees && std::find(first.begin(), first.end(), lambda) == first.end())
            first.push_back(lambda);
    const CallSite here{label, site_of(label), first.size() > most_callees};
    for (const auto& [lambda, same] : added) call_closure(same, LambdaId{lambda}, state.args, here, callees);
    results_.reset();
    state.done = domain_.parts(closures);
    return memory_.read(state.results);
}

// All closures of one λ enter the same variant.
void Calls::call_closures(ValueId closures, const Spread& args, CallSite at, VariantSet& callees, Union& result) {
    const auto all = domain_.by_type(closures, family::procedure);
    at.is_shared = all.size() > most_callees;
    for (const auto& [lambda, same] : all) result.add(call_closure(same, LambdaId{lambda}, args, at, callees));
}

// The first case that fits takes the arguments; where their number is not known, each that fits some number
// may.
ValueId Calls::call_closure(ValueId closures, LambdaId first, const Spread& args, const CallSite& at,
                            VariantSet& callees) {
    ValueId result = bottom;
    const bool one_length = args.more == bottom && std::count(args.may_end.begin(), args.may_end.end(), true) == 1;
    bool fits_any = false;
    for (LambdaId id = first; id != no_lambda; id = program_[id].next_case) {
        const Lambda& lambda = program_[id];
        bool fits = args.may_end_after(lambda.required);
        for (size_t n = lambda.required + 1; lambda.rest && !fits && n <= args.may_end.size(); ++n)
            fits = args.may_end_after(n);
        if (!fits) continue;
        fits_any = one_length || lambda.rest;
        result = domain_.join(result, enter_with(id, closures, args, at, callees));
        if (one_length) break;
    }
    here_.fails = here_.fails || !fits_any; // a number of arguments that it does not take
    return result;
}

ValueId Calls::enter_with(LambdaId id, ValueId closures, const Spread& args, const CallSite& at, VariantSet& callees) {
    const Lambda& lambda = program_[id];
    std::vector<ValueId> parameters;
    for (uint32_t i = 0; i < lambda.required; ++i)
        parameters.push_back(i < args.elements.size() ? args.elements[i] : args.more);
    if (lambda.rest) parameters.push_back(arguments_.list_of(args, lambda.required, at.label));
    if (std::find(parameters.begin(), parameters.end(), bottom) != parameters.end()) return bottom;
    const VariantId v = enter(id, at.site, at.is_shared);
    callees.add(v);
    const VariantState& state = variants_[v];
    for (uint32_t i = 0; i < parameters.size(); ++i) memory_.grow(CellId{index(state.parameters) + i}, parameters[i]);
    memory_.grow(state.self, closures);
    if (!results_) return memory_.read(state.result);
    if (store_.link(state.result, *results_)) memory_.grow(*results_, memory_.peek(state.result));
    return bottom;
}

} // namespace espalier::flow
