// The forms of Scheme that bind and assign names.
#include "lang/expand/expander.hpp"

namespace espalier {

// ((name init) …) as names and inits.
std::optional<std::pair<std::vector<DatumId>, std::vector<DatumId>>> Expander::bindings(DatumId d) {
    const auto items = list(d, "a list of bindings");
    if (!items) return std::nullopt;
    std::pair<std::vector<DatumId>, std::vector<DatumId>> out;
    for (DatumId b : *items) {
        const auto pair = elements(b);
        if (!pair || pair->size() != 2 || !is_identifier((*pair)[0])) {
            fail(b, "malformed binding", "its shape is (name expression)");
            return std::nullopt;
        }
        out.first.push_back((*pair)[0]);
        out.second.push_back((*pair)[1]);
    }
    return out;
}

CoreId Expander::expand_let(DatumId d, Form form, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 3)
        return fail(d, "malformed `" + show((*parts)[0]) + "`",
                    "its shape is (" + show((*parts)[0]) + " ((name expression) ...) body ...)");
    if (form == Form::let && is_identifier((*parts)[1])) return expand_named_let(d, *parts, ctx);
    const auto bound = bindings((*parts)[1]);
    if (!bound) return unspecified(span(d));
    const auto& [names, inits] = *bound;
    const auto body = std::span(*parts).subspan(2);
    if (form != Form::let_star) {
        std::unordered_set<uint32_t> seen;
        for (DatumId name : names) {
            if (!seen.insert(index(ident(name))).second) return fail(name, "`" + show(name) + "` is bound twice");
        }
    }
    std::vector<LocalId> locals;
    std::vector<CoreId> values;
    Scope* scope = ctx.scope;
    if (form == Form::let_star) {
        std::vector<std::pair<LocalId, CoreId>> nest;
        for (size_t i = 0; i < names.size(); ++i) {
            const CoreId value = expand_named(inits[i], base_name(names[i]), ctx.in(scope));
            scope = new_scope(scope);
            const LocalId local = new_local(names[i]);
            if (std::holds_alternative<core::Lambda>(program_[value].kind)) program_[local].lambda = value;
            scope->bind(ident(names[i]), {Binding::Kind::local, index(local)});
            nest.emplace_back(local, value);
        }
        CoreId result = expand_body(body, ctx.in(new_scope(scope)), span(d));
        for (size_t i = nest.size(); i-- > 0;) {
            result = node(core::Let{program_.add_list(std::span(&nest[i].first, 1)),
                                    program_.add_list(std::span(&nest[i].second, 1)), result},
                          span(names[i]));
        }
        return result;
    }
    scope = new_scope(ctx.scope);
    for (DatumId name : names) locals.push_back(new_local(name));
    const bool recursive = form != Form::let;
    if (recursive) {
        for (size_t i = 0; i < names.size(); ++i)
            scope->bind(ident(names[i]), {Binding::Kind::local, index(locals[i])});
    }
    for (size_t i = 0; i < names.size(); ++i) {
        values.push_back(expand_named(inits[i], base_name(names[i]), ctx.in(recursive ? scope : ctx.scope)));
        if (std::holds_alternative<core::Lambda>(program_[values[i]].kind)) program_[locals[i]].lambda = values[i];
    }
    if (!recursive) {
        for (size_t i = 0; i < names.size(); ++i)
            scope->bind(ident(names[i]), {Binding::Kind::local, index(locals[i])});
    }
    const CoreId result = expand_body(body, ctx.in(scope), span(d));
    if (recursive) return make_letrec(program_, locals, values, result, span(d));
    if (locals.empty()) return result;
    return node(core::Let{program_.add_list(locals), program_.add_list(values), result}, span(d));
}

CoreId Expander::expand_named_let(DatumId d, std::span<const DatumId> parts, const Context& ctx) {
    if (parts.size() < 4) return fail(d, "malformed `let`", "its shape is (let name ((name expression) ...) body ...)");
    const auto bound = bindings(parts[2]);
    if (!bound) return unspecified(span(d));
    const auto& [names, inits] = *bound;
    std::vector<CoreId> values;
    for (size_t i = 0; i < inits.size(); ++i)
        values.push_back(expand_named(inits[i], base_name(names[i]), ctx.not_tail()));
    Scope* scope = new_scope(ctx.scope);
    const LocalId loop = new_local(parts[1]);
    scope->bind(ident(parts[1]), {Binding::Kind::local, index(loop)});
    DatumId params = data_.null(span(parts[2]));
    for (size_t i = names.size(); i-- > 0;) params = data_.pair(span(parts[2]), names[i], params);
    const CoreId lambda =
        expand_lambda(params, parts.subspan(3), base_name(parts[1]), span(d), {scope, ctx.numbering, nullptr});
    if (std::holds_alternative<core::Lambda>(program_[lambda].kind)) program_[loop].lambda = lambda;
    const CoreId start = node(core::Call{local_ref(loop, span(parts[1])), program_.add_list(values), false}, span(d));
    // The inits do not see the loop's name: its scope holds only the lambda and the first call, whose arguments are
    // already expanded outside of it.
    return leaf(make_letrec(program_, std::span(&loop, 1), std::span(&lambda, 1), start, span(d)), ctx);
}

CoreId Expander::expand_do(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const char* shape = "its shape is (do ((name init step) ...) (test expression ...) body ...)";
    if (parts->size() < 3) return fail(d, "malformed `do`", shape);
    const auto specs = list((*parts)[1], "a list of bindings");
    const auto exit = elements((*parts)[2]);
    if (!specs) return unspecified(span(d));
    if (!exit || exit->empty()) return fail((*parts)[2], "malformed `do`", shape);
    Scope* scope = new_scope(ctx.scope);
    std::vector<LocalId> locals;
    std::vector<CoreId> inits;
    std::vector<std::pair<DatumId, DatumId>> steps;
    const LocalId loop = temporary("do", span(d));
    for (DatumId s : *specs) {
        const auto spec = elements(s);
        if (!spec || spec->size() < 2 || spec->size() > 3 || !is_identifier((*spec)[0]))
            return fail(s, "malformed binding", "its shape is (name init step), where step may be left out");
        inits.push_back(expand((*spec)[1], ctx.not_tail()));
        locals.push_back(new_local((*spec)[0]));
        steps.emplace_back((*spec)[0], spec->size() == 3 ? (*spec)[2] : (*spec)[0]);
    }
    for (size_t i = 0; i < locals.size(); ++i) {
        if (scope->find(ident(steps[i].first)) != nullptr)
            return fail(steps[i].first, "`" + show(steps[i].first) + "` is bound twice");
        scope->bind(ident(steps[i].first), {Binding::Kind::local, index(locals[i])});
    }
    const Context inner{scope, ctx.numbering, nullptr};
    const uint32_t number = decide(ctx);
    const CoreId test = expand((*exit)[0], inner);
    const CoreId result = expand_sequence(std::span(*exit).subspan(1), inner, span((*parts)[2]));
    std::vector<CoreId> body;
    for (size_t i = 3; i < parts->size(); ++i) body.push_back(expand((*parts)[i], inner));
    std::vector<CoreId> next;
    for (const auto& [name, step] : steps) next.push_back(expand(step, inner));
    body.push_back(node(core::Call{local_ref(loop, span(d)), program_.add_list(next), false}, span(d)));
    const CoreId turn = node(core::If{test, result, seq(body, span(d)), BranchOrigin::decision, number}, span(d));
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back({program_.add_list(locals), false, turn, span(d)});
    const CoreId lambda = node(core::Lambda{first, 1, intern("do"), in_prelude_}, span(d));
    program_[loop].lambda = lambda;
    const CoreId start = node(core::Call{local_ref(loop, span(d)), program_.add_list(inits), false}, span(d));
    return make_letrec(program_, std::span(&loop, 1), std::span(&lambda, 1), start, span(d));
}

CoreId Expander::assign(const Binding& b, DatumId name, CoreId value, Span at) {
    const std::string text(name_of(base_name(name)));
    if (b.kind == Binding::Kind::local) {
        program_[LocalId{b.id}].assigned = true;
        return node(core::LocalSet{LocalId{b.id}, value}, at);
    }
    if (b.kind == Binding::Kind::global && !program_.globals[b.id].prelude) {
        program_.globals[b.id].assigned = true;
        return node(core::GlobalSet{GlobalId{b.id}, value, false}, at);
    }
    if (b.kind == Binding::Kind::none && !text_lost_) {
        return fail(name, "`" + text + "` is not defined", suggest(text, user_, [](const Binding& c) {
                        return c.kind == Binding::Kind::global || c.kind == Binding::Kind::local;
                    }));
    }
    if (b.kind == Binding::Kind::type) return fail(name, "`" + text + "` is a type and cannot be assigned");
    if (b.kind == Binding::Kind::constant) return fail(name, "`" + text + "` is a port and cannot be assigned");
    if (b.kind == Binding::Kind::op && operators_[b.id].kind != Operator::Kind::primitive) {
        const Operator& op = operators_[b.id];
        const bool message = op.kind == Operator::Kind::make_message || op.kind == Operator::Kind::message_ref ||
                             op.kind == Operator::Kind::message_is;
        const Symbol owner = message ? program_.messages[op.which].name : program_.records[op.which].name;
        return fail(name, "`" + text + "` belongs to the " + (message ? "message" : "record type") + " `" +
                              std::string(name_of(owner)) + "` and cannot be assigned");
    }
    if (text_lost_ && b.kind == Binding::Kind::none) return unspecified(at);
    return fail(name, "`" + text + "` is built in and cannot be assigned", "define a variable of your own");
}

CoreId Expander::expand_set(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() != 3 || !is_identifier((*parts)[1]))
        return fail(d, "malformed `set!`", "its shape is (set! name expression)");
    const CoreId value = expand((*parts)[2], ctx.not_tail());
    return assign(lookup((*parts)[1], ctx.scope), (*parts)[1], value, span(d));
}

// The formals of let-values and define-values: names, and whether the last takes the rest as a list.
bool Expander::parse_values_formals(DatumId formals, std::vector<DatumId>& names, bool& rest) {
    for (; data_.is_pair(formals); formals = data_.cdr(formals)) {
        if (!is_identifier(data_.car(formals))) return false;
        names.push_back(data_.car(formals));
    }
    rest = !data_.is_null(formals);
    if (rest && !is_identifier(formals)) return false;
    if (rest) names.push_back(formals);
    return true;
}

// The i-th of `count` names bound to the values in `packed`; with a rest, the last takes a list of what is left.
CoreId Expander::unpack(LocalId packed, uint32_t i, uint32_t count, bool rest, Span at) {
    auto number = [&](uint32_t n) { return constant(Value::fixnum(n), at); };
    if (!rest) {
        if (count == 1) return prim(Prim::values_ref, {local_ref(packed, at), number(0), number(1)}, at);
        return prim(Prim::values_ref, {local_ref(packed, at), number(i), number(count)}, at);
    }
    CoreId list = prim(Prim::values_to_list, {local_ref(packed, at)}, at);
    for (uint32_t k = 0; k < i; ++k) list = prim(Prim::cdr, {list}, at);
    return i + 1 == count ? list : prim(Prim::car, {list}, at);
}

CoreId Expander::expand_let_values(DatumId d, bool sequential, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 3)
        return fail(d, "malformed `let-values`", "its shape is (let-values (((name ...) expression) ...) body ...)");
    const auto items = list((*parts)[1], "a list of bindings");
    if (!items) return unspecified(span(d));
    struct Row {
        LocalId packed;
        CoreId init;
        std::vector<LocalId> locals;
        std::vector<DatumId> names;
        bool rest;
    };
    std::vector<Row> rows;
    Scope* scope = new_scope(ctx.scope);
    Scope* seen = ctx.scope;
    for (DatumId item : *items) {
        const auto pair = elements(item);
        Row row{temporary("values", span(item)), no_core, {}, {}, false};
        if (!pair || pair->size() != 2 || !parse_values_formals((*pair)[0], row.names, row.rest))
            return fail(item, "malformed binding", "its shape is ((name ...) expression)");
        row.init = expand((*pair)[1], ctx.in(seen).not_tail());
        if (sequential) seen = new_scope(seen);
        for (DatumId n : row.names) {
            if (!sequential && scope->find(ident(n)) != nullptr) return fail(n, "`" + show(n) + "` is bound twice");
            row.locals.push_back(new_local(n));
            (sequential ? seen : scope)->bind(ident(n), {Binding::Kind::local, index(row.locals.back())});
        }
        rows.push_back(std::move(row));
    }
    CoreId result = expand_body(std::span(*parts).subspan(2), ctx.in(new_scope(sequential ? seen : scope)), span(d));
    // All inits first (they are in scope order already), then the names: nested, so that order is left to right.
    for (size_t r = rows.size(); r-- > 0;) {
        const Row& row = rows[r];
        std::vector<CoreId> inits;
        const auto count = static_cast<uint32_t>(row.locals.size());
        for (uint32_t i = 0; i < count; ++i) inits.push_back(unpack(row.packed, i, count, row.rest, span(d)));
        if (count == 0) {
            const CoreId both[] = {unpack(row.packed, 0, 0, false, span(d)), result};
            result = seq(both, span(d));
        } else {
            result = node(core::Let{program_.add_list(row.locals), program_.add_list(inits), result}, span(d));
        }
        result = node(
            core::Let{program_.add_list(std::span(&row.packed, 1)), program_.add_list(std::span(&row.init, 1)), result},
            span(d));
    }
    return result;
}

CoreId Expander::expand_let_syntax(DatumId d, bool recursive, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 3)
        return fail(d, "malformed `let-syntax`", "its shape is (let-syntax ((name (syntax-rules ...)) ...) body ...)");
    const auto bound = bindings((*parts)[1]);
    if (!bound) return unspecified(span(d));
    Scope* scope = new_scope(ctx.scope);
    for (size_t i = 0; i < bound->first.size(); ++i) {
        const DatumId name = bound->first[i];
        auto macro = parse_syntax_rules(bound->second[i], base_name(name), recursive ? scope : ctx.scope);
        if (!macro) return unspecified(span(d));
        scope->bind(ident(name), {Binding::Kind::macro, static_cast<uint32_t>(macros_.size())});
        macros_.push_back(std::move(*macro));
    }
    return expand_body(std::span(*parts).subspan(2), ctx.in(new_scope(scope)), span(d));
}

} // namespace espalier
