#include "lang/expand/scheme_forms.hpp"

#include <stdexcept>

#include "lang/expand/expansion.hpp"
#include "lang/expand/quasiquote.hpp"

namespace espalier {

CoreId SchemeForms::expand(Form form, DatumId d, const Context& ctx) {
    const std::vector<DatumId> parts = *syntax_.elements(d);
    const std::span<const DatumId> args(parts.data() + 1, parts.size() - 1);
    auto wrong = [&](const char* shape) {
        const std::string name(name_of(syntax_.base_name(parts[0])));
        return reports_.fail(d, "malformed `" + name + "`", std::string("its shape is ") + shape);
    };
    switch (form) {
    case Form::quote: return expand_quote(d);
    case Form::quasiquote:
        return args.size() == 1 ? Quasiquote(all_, ctx).expand(args[0]) : wrong("(quasiquote template)");
    case Form::lambda:
        if (args.size() < 2) return wrong("(lambda (parameter ...) body ...)");
        return expand_lambda(args[0], args.subspan(1), intern("lambda"), syntax_.span(d), ctx);
    case Form::case_lambda: return expand_case_lambda(d, intern("lambda"), ctx);
    case Form::if_: return expand_if(d, ctx);
    case Form::cond: return expand_cond(d, ctx);
    case Form::case_: return expand_case(d, ctx);
    case Form::and_: return expand_and_or(d, true, ctx);
    case Form::or_: return expand_and_or(d, false, ctx);
    case Form::when: return expand_when_unless(d, true, ctx);
    case Form::unless: return expand_when_unless(d, false, ctx);
    case Form::begin:
        if (args.empty()) return reports_.fail(d, "an empty `begin` is not an expression");
        return all_.walk.expand_sequence(args, ctx, syntax_.span(d));
    case Form::syntax_error: return expand_syntax_error(d, args);
    case Form::apply_list: return args.size() == 2 ? expand_apply_list(d, args, ctx) : wrong("(%apply procedure list)");
    default: throw std::logic_error("a form of another group");
    }
}

CoreId SchemeForms::expand_syntax_error(DatumId d, std::span<const DatumId> args) {
    std::string text;
    for (DatumId a : args) {
        if (!text.empty()) text += ' ';
        text += data_.is(a, DatumKind::string) && text.empty() ? data_.text(a) : print_datum(data_, a);
    }
    return reports_.fail(d, text);
}

CoreId SchemeForms::expand_apply_list(DatumId d, std::span<const DatumId> args, const Context& ctx) {
    const CoreId f = all_.walk.expand(args[0], ctx);
    const CoreId last = all_.walk.expand(args[1], ctx);
    return core_.node(core::Call{f, program_.add_list(std::span<const CoreId>(&last, 1)), true}, syntax_.span(d));
}

CoreId SchemeForms::expand_quote(DatumId d) {
    const auto parts = syntax_.elements(d);
    if (!parts || parts->size() != 2) return reports_.fail(d, "malformed `quote`", "its shape is (quote datum)");
    return core_.constant(syntax_.literal((*parts)[1]), syntax_.span(d));
}

bool SchemeForms::bind_parameters(DatumId params, Scope* scope, LambdaCase& out) {
    std::vector<LocalId> locals;
    auto add = [&](DatumId name) {
        if (!syntax_.is_identifier(name)) {
            reports_.fail(name, "a parameter must be a name, found `" + syntax_.show(name) + "`");
            return false;
        }
        if (scope->find(syntax_.ident(name)) != nullptr) {
            reports_.fail(name, "the parameter `" + syntax_.show(name) + "` appears twice");
            return false;
        }
        locals.push_back(core_.new_local(name));
        scope->bind(syntax_.ident(name), {Binding::Kind::local, index(locals.back())});
        return true;
    };
    DatumId p = params;
    for (; data_.is_pair(p); p = data_.cdr(p)) {
        if (!add(data_.car(p))) return false;
    }
    out.rest = !data_.is_null(p);
    if (out.rest && !add(p)) return false;
    out.params = program_.add_list(locals);
    return true;
}

bool SchemeForms::lambda_case(DatumId params, std::span<const DatumId> body, Span at, const Context& ctx,
                              LambdaCase& out) {
    Scope* scope = names_.new_scope(ctx.scope);
    if (!bind_parameters(params, scope, out)) return false;
    out.span = at;
    out.body = all_.bodies.expand(body, {scope, ctx.numbering, nullptr}, at);
    return true;
}

CoreId SchemeForms::expand_lambda(DatumId params, std::span<const DatumId> body, Symbol name, Span at,
                                  const Context& ctx) {
    LambdaCase c;
    if (body.empty()) return reports_.fail(at, "a procedure needs a body");
    const uint32_t procedure = core_.procedure_name(name, ctx);
    if (!lambda_case(params, body, at, ctx, c)) return core_.unspecified(at);
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back(c);
    return core_.node(core::Lambda{first, 1, name, core_.in_prelude(), procedure}, at);
}

CoreId SchemeForms::expand_case_lambda(DatumId d, Symbol name, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    const uint32_t procedure = core_.procedure_name(name, ctx);
    std::vector<LambdaCase> cases;
    for (size_t i = 1; i < parts->size(); ++i) {
        const auto clause = syntax_.elements((*parts)[i]);
        LambdaCase c;
        if (!data_.is_pair((*parts)[i]) || !clause || clause->size() < 2) {
            return reports_.fail((*parts)[i], "malformed clause of `case-lambda`",
                                 "its shape is ((parameter ...) body ...)");
        }
        if (!lambda_case((*clause)[0], std::span(*clause).subspan(1), syntax_.span((*parts)[i]), ctx, c))
            return core_.unspecified(syntax_.span(d));
        cases.push_back(c);
    }
    if (cases.empty()) return reports_.fail(d, "`case-lambda` needs a clause");
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.insert(program_.cases.end(), cases.begin(), cases.end());
    return core_.node(core::Lambda{first, static_cast<uint32_t>(cases.size()), name, core_.in_prelude(), procedure},
                      syntax_.span(d));
}

CoreId SchemeForms::expand_named(DatumId d, Symbol name, const Context& ctx) {
    if (data_.is_pair(d) && syntax_.is_identifier(data_.car(d))) {
        const Binding b = names_.lookup(data_.car(d), ctx.scope);
        if (b == Binding{Binding::Kind::form, static_cast<uint32_t>(Form::lambda)}) {
            const auto parts = syntax_.elements(d);
            if (parts && parts->size() >= 3)
                return expand_lambda((*parts)[1], std::span(*parts).subspan(2), name, syntax_.span(d), ctx.not_tail());
        }
        if (b == Binding{Binding::Kind::form, static_cast<uint32_t>(Form::case_lambda)})
            return expand_case_lambda(d, name, ctx.not_tail());
    }
    return all_.walk.expand(d, ctx.not_tail());
}

} // namespace espalier
