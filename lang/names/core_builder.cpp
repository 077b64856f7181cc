#include "lang/names/core_builder.hpp"

#include <algorithm>

#include "lang/names/syntax.hpp"

namespace espalier {

void Counters::advance_to(const Counters& other) {
    decisions = std::max(decisions, other.decisions);
    comparisons = std::max(comparisons, other.comparisons);
    errors = std::max(errors, other.errors);
    procedures = std::max(procedures, other.procedures);
}

CoreId CoreBuilder::local_ref(LocalId local, Span span) {
    program_[local].referenced = true;
    return node(core::LocalRef{local}, span);
}

CoreId CoreBuilder::prim(Prim p, std::initializer_list<CoreId> args, Span span) {
    return node(core::PrimCall{p, program_.add_list(std::vector<CoreId>(args))}, span);
}

CoreId CoreBuilder::seq(std::span<const CoreId> parts, Span span) {
    if (parts.empty()) return unspecified(span);
    if (parts.size() == 1) return parts[0];
    return node(core::Seq{program_.add_list(parts)}, span);
}

CoreId CoreBuilder::call(CoreId callee, std::initializer_list<CoreId> args, Span span) {
    return node(core::Call{callee, program_.add_list(std::vector<CoreId>(args)), false}, span);
}

CoreId CoreBuilder::branch(CoreId test, CoreId then_part, CoreId else_part, Span span) {
    return node(core::If{test, then_part, else_part, BranchOrigin::generated, 0}, span);
}

CoreId CoreBuilder::let(LocalId local, CoreId init, CoreId body, Span span) {
    return let(std::span(&local, 1), std::span(&init, 1), body, span);
}

CoreId CoreBuilder::let(std::span<const LocalId> locals, std::span<const CoreId> inits, CoreId body, Span span) {
    return node(core::Let{program_.add_list(locals), program_.add_list(inits), body}, span);
}

CoreId CoreBuilder::lambda(std::span<const LocalId> params, CoreId body, Symbol name, bool prelude, Span span) {
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({program_.add_list(params), false, body, span});
    return node(core::Lambda{first, 1, name, prelude}, span);
}

CoreId CoreBuilder::thunk(CoreId body, std::string_view name, Span span) {
    return lambda({}, body, intern(name), in_prelude_, span);
}

CoreId CoreBuilder::recursive(LocalId local, CoreId lambda, CoreId body, Span span) {
    return make_letrec(program_, std::span(&local, 1), std::span(&lambda, 1), body, span);
}

void CoreBuilder::know_lambda(LocalId local, CoreId value) {
    if (std::holds_alternative<core::Lambda>(program_[value].kind)) program_[local].lambda = value;
}

LocalId CoreBuilder::new_local(DatumId name, bool generated) {
    LocalId id{static_cast<uint32_t>(program_.locals.size())};
    Local local;
    local.name = syntax_.base_name(name);
    local.span = syntax_.span(name);
    local.generated = generated || data_.is(name, DatumKind::alias);
    program_.locals.push_back(local);
    return id;
}

LocalId CoreBuilder::temporary(std::string_view name, Span span) {
    LocalId id{static_cast<uint32_t>(program_.locals.size())};
    Local local;
    local.name = intern(name);
    local.span = span;
    local.generated = true;
    program_.locals.push_back(local);
    return id;
}

GlobalId CoreBuilder::new_global(Symbol name, Span span, bool prelude) {
    GlobalId id{static_cast<uint32_t>(program_.globals.size())};
    program_.globals.push_back({name, span, prelude, false, no_lambda});
    program_.global_lambda.push_back(no_core);
    return id;
}

uint32_t CoreBuilder::decide(const Context& ctx) {
    if (in_prelude_) return 0;
    program_.decisions.push_back({ctx.numbering->scope, ctx.numbering->next.decisions++});
    return static_cast<uint32_t>(program_.decisions.size());
}

uint32_t CoreBuilder::error_site(const Context& ctx) {
    if (in_prelude_) return 0;
    program_.sites.push_back({Site::Kind::error, ctx.numbering->scope, ctx.numbering->next.errors++});
    return static_cast<uint32_t>(program_.sites.size());
}

uint32_t CoreBuilder::procedure_name(Symbol name, const Context& ctx) {
    if (in_prelude_) return 0;
    const bool own = !ctx.numbering->named;
    ctx.numbering->named = true;
    program_.procedures.push_back({ctx.numbering->scope, name, own ? 0 : ctx.numbering->next.procedures++});
    return static_cast<uint32_t>(program_.procedures.size());
}

// Only a call of the author's makes these nodes, so whatever it was expanded into counts for that call.
void CoreBuilder::number_sites(size_t first, const Context& ctx) {
    if (in_prelude_) return;
    for (size_t i = first; i < program_.nodes.size(); ++i) {
        auto* p = std::get_if<core::PrimCall>(&program_.nodes[i].kind);
        if (p == nullptr) continue;
        if (p->prim == Prim::error) p->site = error_site(ctx);
        if (p->prim < Prim::num_eq || p->prim > Prim::ge) continue;
        const auto* left = std::get_if<core::PrimCall>(&program_[program_.children[p->args.first]].kind);
        if (left != nullptr && left->prim == Prim::char_to_integer) continue; // compares characters
        program_.sites.push_back({Site::Kind::comparison, ctx.numbering->scope, ctx.numbering->next.comparisons++});
        p->site = static_cast<uint32_t>(program_.sites.size());
    }
}

CoreId CoreBuilder::leaf(CoreId value, const Context& ctx) {
    if (ctx.arrows == nullptr) return value;
    const Span at = program_[value].span;
    const CoreId stay = ctx.arrows->stay(at);
    if (std::holds_alternative<core::Const>(program_[value].kind)) return stay;
    const CoreId parts[] = {value, stay};
    return seq(parts, at);
}

TargetId CoreBuilder::target(TargetKind kind, std::string name, std::string text, Span at) {
    const std::string key = std::to_string(static_cast<int>(kind)) + name;
    auto [it, fresh] = target_ids_.try_emplace(key, TargetId{static_cast<uint32_t>(program_.targets.size())});
    if (fresh) program_.targets.push_back({kind, std::move(name), std::move(text), at});
    return it->second;
}

} // namespace espalier
