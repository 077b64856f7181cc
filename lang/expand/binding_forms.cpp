#include "lang/expand/binding_forms.hpp"

#include <stdexcept>
#include <unordered_set>

#include "lang/expand/expansion.hpp"

namespace espalier {

CoreId BindingForms::expand(Form form, DatumId d, const Context& ctx) {
    switch (form) {
    case Form::set: return expand_set(d, ctx);
    case Form::let:
    case Form::let_star:
    case Form::letrec:
    case Form::letrec_star: return expand_let(d, form, ctx);
    case Form::let_values: return expand_let_values(d, false, ctx);
    case Form::let_star_values: return expand_let_values(d, true, ctx);
    case Form::do_: return expand_do(d, ctx);
    case Form::let_syntax: return expand_let_syntax(d, false, ctx);
    case Form::letrec_syntax: return expand_let_syntax(d, true, ctx);
    default: throw std::logic_error("a form of another group");
    }
}

std::optional<BindingForms::Bindings> BindingForms::bindings(DatumId d) {
    const auto items = reports_.list(d, "a list of bindings");
    if (!items) return std::nullopt;
    Bindings out;
    for (DatumId b : *items) {
        const auto pair = syntax_.elements(b);
        if (!pair || pair->size() != 2 || !syntax_.is_identifier((*pair)[0])) {
            reports_.fail(b, "malformed binding", "its shape is (name expression)");
            return std::nullopt;
        }
        out.names.push_back((*pair)[0]);
        out.inits.push_back((*pair)[1]);
    }
    return out;
}

CoreId BindingForms::expand_let(DatumId d, Form form, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() < 3) {
        const std::string name = syntax_.show((*parts)[0]);
        return reports_.fail(d, "malformed `" + name + "`",
                             "its shape is (" + name + " ((name expression) ...) body ...)");
    }
    if (form == Form::let && syntax_.is_identifier((*parts)[1])) return expand_named_let(d, *parts, ctx);
    const auto bound = bindings((*parts)[1]);
    if (!bound) return core_.unspecified(syntax_.span(d));
    const auto body = std::span(*parts).subspan(2);
    if (form == Form::let_star) return sequential_let(*bound, body, syntax_.span(d), ctx);
    std::unordered_set<uint32_t> seen;
    for (DatumId name : bound->names) {
        if (!seen.insert(index(syntax_.ident(name))).second)
            return reports_.fail(name, "`" + syntax_.show(name) + "` is bound twice");
    }
    return parallel_let(*bound, body, form != Form::let, syntax_.span(d), ctx);
}

CoreId BindingForms::sequential_let(const Bindings& bound, Parts body, Span at, const Context& ctx) {
    const auto& [names, inits] = bound;
    std::vector<std::pair<LocalId, CoreId>> nest;
    Scope* scope = ctx.scope;
    for (size_t i = 0; i < names.size(); ++i) {
        const CoreId value = all_.scheme.expand_named(inits[i], syntax_.base_name(names[i]), ctx.in(scope));
        scope = names_.new_scope(scope);
        const LocalId local = core_.new_local(names[i]);
        core_.know_lambda(local, value);
        scope->bind(syntax_.ident(names[i]), {Binding::Kind::local, index(local)});
        nest.emplace_back(local, value);
    }
    CoreId result = all_.bodies.expand(body, ctx.in(names_.new_scope(scope)), at);
    for (size_t i = nest.size(); i-- > 0;)
        result = core_.let(nest[i].first, nest[i].second, result, syntax_.span(names[i]));
    return result;
}

CoreId BindingForms::parallel_let(const Bindings& bound, Parts body, bool recursive, Span at, const Context& ctx) {
    const auto& [names, inits] = bound;
    std::vector<LocalId> locals;
    std::vector<CoreId> values;
    Scope* scope = names_.new_scope(ctx.scope);
    for (DatumId name : names) locals.push_back(core_.new_local(name));
    const auto bind = [&] {
        for (size_t i = 0; i < locals.size(); ++i)
            scope->bind(syntax_.ident(bound.names[i]), {Binding::Kind::local, index(locals[i])});
    };
    if (recursive) bind();
    for (size_t i = 0; i < names.size(); ++i) {
        const Context inner = ctx.in(recursive ? scope : ctx.scope);
        values.push_back(all_.scheme.expand_named(inits[i], syntax_.base_name(names[i]), inner));
        core_.know_lambda(locals[i], values[i]);
    }
    if (!recursive) bind();
    const CoreId result = all_.bodies.expand(body, ctx.in(scope), at);
    if (recursive) return make_letrec(program_, locals, values, result, at);
    return locals.empty() ? result : core_.let(locals, values, result, at);
}

CoreId BindingForms::expand_named_let(DatumId d, Parts parts, const Context& ctx) {
    if (parts.size() < 4)
        return reports_.fail(d, "malformed `let`", "its shape is (let name ((name expression) ...) body ...)");
    const auto bound = bindings(parts[2]);
    if (!bound) return core_.unspecified(syntax_.span(d));
    const auto& [names, inits] = *bound;
    std::vector<CoreId> values;
    for (size_t i = 0; i < inits.size(); ++i)
        values.push_back(all_.scheme.expand_named(inits[i], syntax_.base_name(names[i]), ctx.not_tail()));
    Scope* scope = names_.new_scope(ctx.scope);
    const LocalId loop = core_.new_local(parts[1]);
    scope->bind(syntax_.ident(parts[1]), {Binding::Kind::local, index(loop)});
    const Span at = syntax_.span(d), list = syntax_.span(parts[2]);
    DatumId params = data_.null(list);
    for (size_t i = names.size(); i-- > 0;) params = data_.pair(list, names[i], params);
    const CoreId lambda = all_.scheme.expand_lambda(params, parts.subspan(3), syntax_.base_name(parts[1]), at,
                                                    {scope, ctx.numbering, nullptr});
    core_.know_lambda(loop, lambda);
    const CoreId start =
        core_.node(core::Call{core_.local_ref(loop, syntax_.span(parts[1])), program_.add_list(values), false}, at);
    // The inits do not see the loop's name: its scope holds only the lambda and the first call, whose arguments are
    // already expanded outside of it.
    return core_.leaf(core_.recursive(loop, lambda, start, at), ctx);
}

CoreId BindingForms::do_bindings(Parts specs, Loop& loop, const Context& ctx) {
    for (DatumId s : specs) {
        const auto spec = syntax_.elements(s);
        if (!spec || spec->size() < 2 || spec->size() > 3 || !syntax_.is_identifier((*spec)[0]))
            return reports_.fail(s, "malformed binding", "its shape is (name init step), where step may be left out");
        loop.inits.push_back(all_.walk.expand((*spec)[1], ctx.not_tail()));
        loop.locals.push_back(core_.new_local((*spec)[0]));
        loop.names.push_back((*spec)[0]);
        loop.steps.push_back(spec->size() == 3 ? (*spec)[2] : (*spec)[0]);
    }
    return no_core;
}

CoreId BindingForms::expand_do(DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    const Span at = syntax_.span(d);
    if (!parts) return core_.unspecified(at);
    const char* shape = "its shape is (do ((name init step) ...) (test expression ...) body ...)";
    if (parts->size() < 3) return reports_.fail(d, "malformed `do`", shape);
    const auto specs = reports_.list((*parts)[1], "a list of bindings");
    const auto exit = syntax_.elements((*parts)[2]);
    if (!specs) return core_.unspecified(at);
    if (!exit || exit->empty()) return reports_.fail((*parts)[2], "malformed `do`", shape);
    Scope* scope = names_.new_scope(ctx.scope);
    const LocalId again = core_.temporary("do", at);
    Loop loop;
    if (const CoreId wrong = do_bindings(*specs, loop, ctx); wrong != no_core) return wrong;
    for (size_t i = 0; i < loop.names.size(); ++i) {
        const DatumId name = loop.names[i];
        if (scope->find(syntax_.ident(name)) != nullptr)
            return reports_.fail(name, "`" + syntax_.show(name) + "` is bound twice");
        scope->bind(syntax_.ident(name), {Binding::Kind::local, index(loop.locals[i])});
    }
    const Context inner{scope, ctx.numbering, nullptr};
    const uint32_t number = core_.decide(ctx);
    const CoreId test = all_.walk.expand((*exit)[0], inner);
    const CoreId result = all_.walk.expand_sequence(std::span(*exit).subspan(1), inner, syntax_.span((*parts)[2]));
    std::vector<CoreId> body;
    for (size_t i = 3; i < parts->size(); ++i) body.push_back(all_.walk.expand((*parts)[i], inner));
    std::vector<CoreId> next;
    for (const DatumId step : loop.steps) next.push_back(all_.walk.expand(step, inner));
    body.push_back(core_.node(core::Call{core_.local_ref(again, at), program_.add_list(next), false}, at));
    const CoreId turn = core_.node(core::If{test, result, core_.seq(body, at), BranchOrigin::decision, number}, at);
    const CoreId lambda = core_.lambda(loop.locals, turn, intern("do"), core_.in_prelude(), at);
    program_[again].lambda = lambda;
    const CoreId start = core_.node(core::Call{core_.local_ref(again, at), program_.add_list(loop.inits), false}, at);
    return core_.recursive(again, lambda, start, at);
}

CoreId BindingForms::assign(const Binding& b, DatumId name, CoreId value, Span at) {
    if (b.kind == Binding::Kind::local) {
        program_[LocalId{b.id}].assigned = true;
        return core_.node(core::LocalSet{LocalId{b.id}, value}, at);
    }
    if (b.kind == Binding::Kind::global && !program_.globals[b.id].prelude) {
        program_.globals[b.id].assigned = true;
        return core_.node(core::GlobalSet{GlobalId{b.id}, value, false}, at);
    }
    if (b.kind == Binding::Kind::none && names_.text_lost()) return core_.unspecified(at);
    return not_assignable(b, name);
}

CoreId BindingForms::not_assignable(const Binding& b, DatumId name) {
    const std::string text(name_of(syntax_.base_name(name)));
    if (b.kind == Binding::Kind::none) {
        const auto variable = [](const Binding& c) {
            return c.kind == Binding::Kind::global || c.kind == Binding::Kind::local;
        };
        return reports_.fail(name, "`" + text + "` is not defined", names_.suggest(text, names_.user(), variable));
    }
    if (b.kind == Binding::Kind::type) return reports_.fail(name, "`" + text + "` is a type and cannot be assigned");
    if (b.kind == Binding::Kind::constant)
        return reports_.fail(name, "`" + text + "` is a port and cannot be assigned");
    if (b.kind == Binding::Kind::op && names_.op(b.id).kind != Operator::Kind::primitive) {
        const Operator& op = names_.op(b.id);
        const bool message = op.of_message();
        const Symbol owner = message ? program_.messages[op.which].name : program_.records[op.which].name;
        return reports_.fail(name, "`" + text + "` belongs to the " + (message ? "message" : "record type") + " `" +
                                       std::string(name_of(owner)) + "` and cannot be assigned");
    }
    return reports_.fail(name, "`" + text + "` is built in and cannot be assigned", "define a variable of your own");
}

CoreId BindingForms::expand_set(DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() != 3 || !syntax_.is_identifier((*parts)[1]))
        return reports_.fail(d, "malformed `set!`", "its shape is (set! name expression)");
    const CoreId value = all_.walk.expand((*parts)[2], ctx.not_tail());
    return assign(names_.lookup((*parts)[1], ctx.scope), (*parts)[1], value, syntax_.span(d));
}

std::optional<Formals> BindingForms::value_names(DatumId formals) const {
    Formals out;
    for (; data_.is_pair(formals); formals = data_.cdr(formals)) {
        if (!syntax_.is_identifier(data_.car(formals))) return std::nullopt;
        out.names.push_back(data_.car(formals));
    }
    out.rest = !data_.is_null(formals);
    if (out.rest && !syntax_.is_identifier(formals)) return std::nullopt;
    if (out.rest) out.names.push_back(formals);
    return out;
}

CoreId BindingForms::unpack(LocalId packed, uint32_t i, uint32_t count, bool rest, Span at) {
    auto number = [&](uint32_t n) { return core_.constant(Value::fixnum(n), at); };
    if (!rest) return core_.prim(Prim::values_ref, {core_.local_ref(packed, at), number(i), number(count)}, at);
    CoreId list = core_.prim(Prim::values_to_list, {core_.local_ref(packed, at)}, at);
    for (uint32_t k = 0; k < i; ++k) list = core_.prim(Prim::cdr, {list}, at);
    return i + 1 == count ? list : core_.prim(Prim::car, {list}, at);
}

CoreId BindingForms::expand_let_values(DatumId d, bool sequential, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    const Span at = syntax_.span(d);
    if (!parts) return core_.unspecified(at);
    if (parts->size() < 3)
        return reports_.fail(d, "malformed `let-values`",
                             "its shape is (let-values (((name ...) expression) ...) body ...)");
    const auto items = reports_.list((*parts)[1], "a list of bindings");
    if (!items) return core_.unspecified(at);
    std::vector<ValuesRow> rows;
    Scope* scope = names_.new_scope(ctx.scope);
    Scope* seen = ctx.scope;
    for (DatumId item : *items) {
        const auto pair = syntax_.elements(item);
        ValuesRow row{core_.temporary("values", syntax_.span(item)), no_core, {}, false};
        const auto formals = pair && pair->size() == 2 ? value_names((*pair)[0]) : std::nullopt;
        if (!formals) return reports_.fail(item, "malformed binding", "its shape is ((name ...) expression)");
        row.rest = formals->rest;
        row.init = all_.walk.expand((*pair)[1], ctx.in(seen).not_tail());
        if (sequential) seen = names_.new_scope(seen);
        for (DatumId n : formals->names) {
            if (!sequential && scope->find(syntax_.ident(n)) != nullptr)
                return reports_.fail(n, "`" + syntax_.show(n) + "` is bound twice");
            row.locals.push_back(core_.new_local(n));
            (sequential ? seen : scope)->bind(syntax_.ident(n), {Binding::Kind::local, index(row.locals.back())});
        }
        rows.push_back(std::move(row));
    }
    CoreId result =
        all_.bodies.expand(std::span(*parts).subspan(2), ctx.in(names_.new_scope(sequential ? seen : scope)), at);
    // All inits first (they are in scope order already), then the names: nested, so that order is left to right.
    for (size_t r = rows.size(); r-- > 0;) result = bind_values(rows[r], result, at);
    return result;
}

CoreId BindingForms::bind_values(const ValuesRow& row, CoreId body, Span at) {
    std::vector<CoreId> inits;
    const auto count = static_cast<uint32_t>(row.locals.size());
    for (uint32_t i = 0; i < count; ++i) inits.push_back(unpack(row.packed, i, count, row.rest, at));
    if (count == 0) {
        const CoreId both[] = {unpack(row.packed, 0, 0, false, at), body};
        body = core_.seq(both, at);
    } else {
        body = core_.let(row.locals, inits, body, at);
    }
    return core_.let(row.packed, row.init, body, at);
}

CoreId BindingForms::expand_let_syntax(DatumId d, bool recursive, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() < 3)
        return reports_.fail(d, "malformed `let-syntax`",
                             "its shape is (let-syntax ((name (syntax-rules ...)) ...) body ...)");
    const auto bound = bindings((*parts)[1]);
    if (!bound) return core_.unspecified(syntax_.span(d));
    Scope* scope = names_.new_scope(ctx.scope);
    for (size_t i = 0; i < bound->names.size(); ++i) {
        const DatumId name = bound->names[i];
        auto macro =
            all_.macros.parse_syntax_rules(bound->inits[i], syntax_.base_name(name), recursive ? scope : ctx.scope);
        if (!macro) return core_.unspecified(syntax_.span(d));
        scope->bind(syntax_.ident(name), names_.add(std::move(*macro)));
    }
    return all_.bodies.expand(std::span(*parts).subspan(2), ctx.in(names_.new_scope(scope)), syntax_.span(d));
}

} // namespace espalier
