// Where control goes at the end of a block: on to other blocks, into procedures, and back from them.
#include <algorithm>

#include "flowanalysis/machine.hpp"

namespace espalier::flow {

namespace {
// Elements of a list of arguments that are kept apart.
constexpr size_t most_positions = 16;
// Pairs of the list that a rest parameter takes, likewise: a call may be written with thousands of arguments.
constexpr size_t most_rest_pairs = 512;
// Closures in one call beyond which it remembers what it did.
constexpr size_t many_closures = 16;
// Procedures in one call beyond which it shares one variant of each with all such calls. Where n procedures call each
// other through one table, each has n places that call it, and in each of them n callees: n³ edges. Such a call hands
// the same arguments to all of them, so there is little to be told apart.
constexpr size_t most_callees = 16;
} // namespace

void Machine::finish(const Terminator& t) {
    std::visit(Overloaded{
                   [&](const terminator::Jump& k) { jump(k); },
                   [&](const terminator::Branch& k) { branch(k); },
                   [&](const terminator::Call& k) {
                       const ValueId result = call(k.callee, k.args, k.spread, t.label);
                       facts_.forget_mutable();
                       if (result != bottom && define(program_.list(program_[k.back].params)[0], result))
                           flow_to(k.back);
                   },
                   [&](const terminator::TailCall& k) {
                       grow(variants_[index(variant_)].result, call(k.callee, k.args, k.spread, t.label));
                   },
                   [&](const terminator::Return& k) { grow(variants_[index(variant_)].result, known(k.value)); },
                   [&](const terminator::Select& k) { select(k); },
                   [&](const terminator::Accept& k) {
                       const auto params = program_.list(program_[k.body].params);
                       for (size_t i = 0; i < params.size(); ++i) define(params[i], known(program_.list(k.args)[i]));
                       flow_to(k.body);
                   },
                   [&](const terminator::Refuse&) { refuse(); },
                   [&](const terminator::Choose& k) {
                       for (uint32_t i = k.first; i < k.first + k.count; ++i) flow_to(program_.choices[i]);
                   },
               },
               t.kind);
}

Slot Machine::slot_of(BlockId b) const {
    return Slot{index(variants_[index(variant_)].first_slot) + index(b) - program_[lambda_].first_block};
}

void Machine::jump(const terminator::Jump& t) {
    const auto params = program_.list(program_[t.target].params);
    const auto args = program_.list(t.args);
    for (size_t i = 0; i < params.size(); ++i) define(params[i], known(args[i]));
    flow_to(t.target);
    BlockState& block = blocks_[index(slot_)];
    if (params.empty() || (block.left && block.exit == facts_)) return;
    block.left = true;
    block.exit = facts_;
    for (VarId p : params) mark_users(p);
}

void Machine::branch(const terminator::Branch& t) {
    const Facts before = facts_;
    if (assume(facts_, t.condition, true)) flow_to(t.then_block);
    facts_ = before;
    if (assume(facts_, t.condition, false)) flow_to(t.else_block);
}

// ── Calls ──

ValueId Machine::call(VarId callee, VarList args, bool last_is_list, Label label) {
    fails_ = domain_.drop(known(callee), family::procedure) != bottom;
    Spread all = spread(program_.list(args), last_is_list);
    // At the fixpoint, who is called is asked for, and everything is done.
    if (running_ != no_variant && domain_.part_count(known(callee)) > many_closures)
        return call_many(known(callee), std::move(all), label);
    Union result(domain_);
    call_closures(known(callee), all, {label, site_of(label)}, outcome_.callees, result);
    return result.value();
}

// Many closures come one by one, and so do their results: only what is new is looked at.
ValueId Machine::call_many(ValueId closures, Spread args, Label label) {
    const auto [at, made] = calls_.try_emplace(index(slot_));
    CallState& state = at->second;
    if (made) state.results = store_.allocate_sum();
    if (state.args != args) state.done = no_parts;
    state.args = std::move(args);
    Variants callees; // told at the fixpoint
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
    return read(state.results);
}

// All closures of one λ enter the same variant.
void Machine::call_closures(ValueId closures, const Spread& args, CallSite at, Variants& callees, Union& result) {
    const auto all = domain_.by_type(closures, family::procedure);
    at.is_shared = all.size() > most_callees;
    for (const auto& [lambda, same] : all) result.add(call_closure(same, LambdaId{lambda}, args, at, callees));
}

// The first case that fits takes the arguments; where their number is not known, each that fits some number
// may.
ValueId Machine::call_closure(ValueId closures, LambdaId first, const Spread& args, const CallSite& at,
                              Variants& callees) {
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
    fails_ = fails_ || !fits_any; // a number of arguments that it does not take
    return result;
}

ValueId Machine::enter_with(LambdaId id, ValueId closures, const Spread& args, const CallSite& at, Variants& callees) {
    const Lambda& lambda = program_[id];
    std::vector<ValueId> parameters;
    for (uint32_t i = 0; i < lambda.required; ++i)
        parameters.push_back(i < args.elements.size() ? args.elements[i] : args.more);
    if (lambda.rest) parameters.push_back(list_of(args, lambda.required, at.label));
    if (std::find(parameters.begin(), parameters.end(), bottom) != parameters.end()) return bottom;
    const VariantId v = enter(id, at.site, at.is_shared);
    callees.add(v);
    const VariantState& state = variants_[index(v)];
    for (uint32_t i = 0; i < parameters.size(); ++i) grow(CellId{index(state.parameters) + i}, parameters[i]);
    grow(state.self, closures);
    if (!results_) return read(state.result);
    if (store_.link(state.result, *results_)) grow(*results_, store_.peek(state.result));
    return bottom;
}

Machine::Spread Machine::spread(std::span<const VarId> args, bool last_is_list) {
    Spread result;
    const size_t single = args.size() - (last_is_list ? 1 : 0);
    for (size_t i = 0; i < single; ++i) result.elements.push_back(known(args[i]));
    result.may_end.assign(single, false);
    if (last_is_list)
        spread_list(known(args.back()), result);
    else
        result.may_end.push_back(true);
    return result;
}

// Walks the list as far as its pairs are different ones; what comes after that may come any number of times.
void Machine::spread_list(ValueId list, Spread& into) {
    std::vector<ValueId> seen;
    const auto step = [&](ValueId at, uint32_t field) {
        Union result(domain_);
        each_object(at, family::pair, [&](ObjectId o) { result.add(read(cell(o, field))); });
        return result.value();
    };
    while (true) {
        into.may_end.push_back((domain_.families(list) & family::null) != 0);
        list = domain_.keep(list, family::pair);
        if (list == bottom) return;
        if (seen.size() == most_positions || std::find(seen.begin(), seen.end(), list) != seen.end()) break;
        seen.push_back(list);
        into.elements.push_back(step(list, 0));
        list = step(list, 1);
    }
    ValueId rest = list;
    while (true) {
        const ValueId more = domain_.join(rest, domain_.keep(step(rest, 1), family::pair));
        if (more == rest) break;
        rest = more;
    }
    into.more = step(rest, 0);
}

// The arguments from a position on, as the list that a rest parameter takes.
ValueId Machine::list_of(const Spread& args, size_t from, Label label) {
    const auto pair_of = [&](uint32_t which, ValueId first, ValueId rest) {
        const ObjectId pair = make_here(family::pair, label, which, 2);
        grow(cell(pair, 0), first);
        grow(cell(pair, 1), rest);
        return domain_.object(pair);
    };
    const ValueId null = domain_.atoms(atom::null);
    ValueId list = bottom;
    if (args.more != bottom) {
        list = domain_.join(null, pair_of(UINT32_MAX, args.more, null));
        list = domain_.join(null, pair_of(UINT32_MAX, args.more, list));
    }
    for (size_t i = std::max(args.elements.size(), from);; --i) {
        if (i < args.elements.size())
            list = list == bottom || args.elements[i] == bottom
                       ? bottom
                       : pair_of(static_cast<uint32_t>(std::min(i, most_rest_pairs) + 1), args.elements[i], list);
        if (i < args.may_end.size() && args.may_end[i]) list = domain_.join(list, null);
        if (i == from) break;
    }
    return list;
}

} // namespace espalier::flow
