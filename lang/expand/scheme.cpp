// The forms of Scheme (language manual, "Scheme core").
#include "lang/expand/expander.hpp"
#include "lang/values/number.hpp"

namespace espalier {

CoreId Expander::expand_quote(DatumId d, const Context&) {
    const auto parts = elements(d);
    if (!parts || parts->size() != 2) return fail(d, "malformed `quote`", "its shape is (quote datum)");
    return constant(literal((*parts)[1]), span(d));
}

// R7RS 4.2.8. Parts without an unquote stay constants.
CoreId Expander::expand_quasi(DatumId d, int depth, const Context& ctx) {
    if (!enter(span(d))) return unspecified(span(d));
    const DepthGuard guard(depth_);
    const Span at = span(d);
    auto is_constant = [&](CoreId id) { return std::holds_alternative<core::Const>(program_[id].kind); };
    auto value_of = [&](CoreId id) { return std::get<core::Const>(program_[id].kind).value; };
    auto make_pair = [&](CoreId a, CoreId b) {
        if (is_constant(a) && is_constant(b)) return constant(program_.literals->cons(value_of(a), value_of(b)), at);
        return prim(Prim::cons, {a, b}, at);
    };
    auto prelude = [&](std::string_view name) {
        return node(core::GlobalRef{GlobalId{base_->find(Ident{index(intern(name))})->id}}, at);
    };
    if (data_.is(d, DatumKind::vector)) {
        bool plain = true;
        std::vector<CoreId> parts;
        std::vector<std::pair<CoreId, bool>> items; // value, spliced
        for (DatumId e : std::vector<DatumId>(data_.elements(d).begin(), data_.elements(d).end())) {
            const auto es = elements(e);
            const bool splice =
                depth == 1 && es && es->size() == 2 && is_form((*es)[0], ctx.scope, Form::unquote_splicing);
            items.emplace_back(splice ? expand((*es)[1], ctx.not_tail()) : expand_quasi(e, depth, ctx), splice);
            plain = plain && !splice && is_constant(items.back().first);
        }
        if (plain) return constant(literal(d), at);
        CoreId rest = constant(Value::null(), at);
        for (size_t i = items.size(); i-- > 0;) {
            rest = items[i].second ? call(prelude("append"), {items[i].first, rest}, at)
                                   : prim(Prim::cons, {items[i].first, rest}, at);
        }
        return call(prelude("list->vector"), {rest}, at);
    }
    if (!data_.is_pair(d)) return constant(literal(d), at);

    // Walk the list's spine, then build it from the back.
    std::vector<std::pair<CoreId, bool>> items;
    CoreId rest = no_core;
    DatumId tail = d;
    while (data_.is_pair(tail)) {
        const DatumId word = data_.car(tail);
        const bool two = data_.is_pair(data_.cdr(tail)) && data_.is_null(data_.cdr(data_.cdr(tail)));
        if (two && is_identifier(word)) {
            const DatumId operand = data_.car(data_.cdr(tail));
            const bool unquote = is_form(word, ctx.scope, Form::unquote);
            const bool quasi = is_form(word, ctx.scope, Form::quasiquote);
            const bool splice = is_form(word, ctx.scope, Form::unquote_splicing);
            if (unquote && depth == 1) {
                rest = expand(operand, ctx.not_tail());
                break;
            }
            if (unquote || quasi || (splice && depth > 1)) {
                const auto inside = elements(operand);
                const bool spliced = !quasi && depth == 2 && inside && inside->size() == 2 &&
                                     is_form((*inside)[0], ctx.scope, Form::unquote_splicing);
                const CoreId operands = spliced ? expand((*inside)[1], ctx.not_tail())
                                                : make_pair(expand_quasi(operand, quasi ? depth + 1 : depth - 1, ctx),
                                                            constant(Value::null(), at));
                rest = make_pair(constant(Value::symbol(base_name(word)), at), operands);
                break;
            }
            if (splice && tail == d) return fail(d, "`unquote-splicing` must stand inside a list or vector");
        }
        const DatumId item = data_.car(tail);
        const auto es = elements(item);
        const bool splice = depth == 1 && es && es->size() == 2 && is_identifier((*es)[0]) &&
                            is_form((*es)[0], ctx.scope, Form::unquote_splicing);
        items.emplace_back(splice ? expand((*es)[1], ctx.not_tail()) : expand_quasi(item, depth, ctx), splice);
        tail = data_.cdr(tail);
    }
    if (rest == no_core) rest = expand_quasi(tail, depth, ctx);
    for (size_t i = items.size(); i-- > 0;) {
        if (!items[i].second) {
            rest = make_pair(items[i].first, rest);
        } else if (is_constant(rest) && value_of(rest).is_null() && i + 1 == items.size()) {
            rest = items[i].first;
        } else {
            rest = call(prelude("append"), {items[i].first, rest}, at);
        }
    }
    return rest;
}

bool Expander::lambda_case(DatumId params, std::span<const DatumId> body, Span at, const Context& ctx,
                           LambdaCase& out) {
    Scope* scope = new_scope(ctx.scope);
    std::vector<LocalId> locals;
    auto add = [&](DatumId name) {
        if (!is_identifier(name)) {
            fail(name, "a parameter must be a name, found `" + show(name) + "`");
            return false;
        }
        if (scope->find(ident(name)) != nullptr) {
            fail(name, "the parameter `" + show(name) + "` appears twice");
            return false;
        }
        locals.push_back(new_local(name));
        scope->bind(ident(name), {Binding::Kind::local, index(locals.back())});
        return true;
    };
    DatumId p = params;
    for (; data_.is_pair(p); p = data_.cdr(p)) {
        if (!add(data_.car(p))) return false;
    }
    out.rest = !data_.is_null(p);
    if (out.rest && !add(p)) return false;
    out.params = program_.add_list(locals);
    out.span = at;
    out.body = expand_body(body, {scope, ctx.numbering, nullptr}, at);
    return true;
}

CoreId Expander::expand_lambda(DatumId params, std::span<const DatumId> body, Symbol name, Span at,
                               const Context& ctx) {
    LambdaCase c;
    if (body.empty()) return fail(at, "a procedure needs a body");
    const uint32_t procedure = procedure_name(name, ctx);
    if (!lambda_case(params, body, at, ctx, c)) return unspecified(at);
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.push_back(c);
    return node(core::Lambda{first, 1, name, in_prelude_, procedure}, at);
}

CoreId Expander::expand_case_lambda(DatumId d, Symbol name, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const uint32_t procedure = procedure_name(name, ctx);
    std::vector<LambdaCase> cases;
    for (size_t i = 1; i < parts->size(); ++i) {
        const auto clause = elements((*parts)[i]);
        LambdaCase c;
        if (!data_.is_pair((*parts)[i]) || !clause || clause->size() < 2) {
            return fail((*parts)[i], "malformed clause of `case-lambda`", "its shape is ((parameter ...) body ...)");
        }
        if (!lambda_case((*clause)[0], std::span(*clause).subspan(1), span((*parts)[i]), ctx, c))
            return unspecified(span(d));
        cases.push_back(c);
    }
    if (cases.empty()) return fail(d, "`case-lambda` needs a clause");
    const auto first = static_cast<uint32_t>(program_.cases.size());
    program_.cases.insert(program_.cases.end(), cases.begin(), cases.end());
    return node(core::Lambda{first, static_cast<uint32_t>(cases.size()), name, in_prelude_, procedure}, span(d));
}

// An initial value: a lambda takes the name it is bound to.
CoreId Expander::expand_named(DatumId d, Symbol name, const Context& ctx) {
    if (data_.is_pair(d) && is_identifier(data_.car(d))) {
        const Binding b = lookup(data_.car(d), ctx.scope);
        if (b == Binding{Binding::Kind::form, static_cast<uint32_t>(Form::lambda)}) {
            const auto parts = elements(d);
            if (parts && parts->size() >= 3)
                return expand_lambda((*parts)[1], std::span(*parts).subspan(2), name, span(d), ctx.not_tail());
        }
        if (b == Binding{Binding::Kind::form, static_cast<uint32_t>(Form::case_lambda)})
            return expand_case_lambda(d, name, ctx.not_tail());
    }
    return expand(d, ctx.not_tail());
}

CoreId Expander::expand_if(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() != 3 && parts->size() != 4)
        return fail(d, "malformed `if`", "its shape is (if test then else), where else may be left out");
    const uint32_t number = decide(ctx);
    const CoreId test = expand((*parts)[1], ctx.not_tail());
    const CoreId then_part = expand((*parts)[2], ctx);
    const CoreId else_part = parts->size() == 4 ? expand((*parts)[3], ctx) : leaf(unspecified(span(d)), ctx);
    return node(core::If{test, then_part, else_part, BranchOrigin::decision, number}, span(d));
}

CoreId Expander::expand_cond(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2) return fail(d, "`cond` needs a clause");
    struct Clause {
        CoreId test;
        CoreId body;
        LocalId temp;
        uint32_t number;
        Span span;
    };
    std::vector<Clause> clauses;
    CoreId rest = no_core;
    for (size_t i = 1; i < parts->size(); ++i) {
        const DatumId c = (*parts)[i];
        const auto clause = elements(c);
        if (!clause || clause->empty())
            return fail(c, "malformed clause of `cond`", "its shape is (test expression ...)");
        if (is_form((*clause)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts->size()) return fail(c, "`else` must be the last clause");
            if (clause->size() == 1) return fail(c, "`else` needs an expression");
            rest = expand_sequence(std::span(*clause).subspan(1), ctx, span(c));
            break;
        }
        const uint32_t number = decide(ctx);
        const CoreId test = expand((*clause)[0], ctx.not_tail());
        if (clause->size() == 1) {
            const LocalId temp = temporary("test", span(c));
            clauses.push_back({test, leaf(local_ref(temp, span(c)), ctx), temp, number, span(c)});
        } else if (is_form((*clause)[1], ctx.scope, Form::arrow)) {
            if (clause->size() != 3) return fail(c, "malformed clause of `cond`", "its shape is (test => procedure)");
            const LocalId temp = temporary("test", span(c));
            const CoreId f = expand((*clause)[2], ctx.not_tail());
            clauses.push_back({test, leaf(call(f, {local_ref(temp, span(c))}, span(c)), ctx), temp, number, span(c)});
        } else {
            clauses.push_back(
                {test, expand_sequence(std::span(*clause).subspan(1), ctx, span(c)), no_local, number, span(c)});
        }
    }
    if (rest == no_core) rest = leaf(unspecified(span(d)), ctx);
    for (size_t i = clauses.size(); i-- > 0;) {
        const Clause& c = clauses[i];
        if (c.temp == no_local) {
            rest = node(core::If{c.test, c.body, rest, BranchOrigin::decision, c.number}, c.span);
            continue;
        }
        const CoreId branch =
            node(core::If{local_ref(c.temp, c.span), c.body, rest, BranchOrigin::decision, c.number}, c.span);
        rest =
            node(core::Let{program_.add_list(std::span(&c.temp, 1)), program_.add_list(std::span(&c.test, 1)), branch},
                 c.span);
    }
    return rest;
}

// What no value is equal to, and a quote too many.
void Expander::warn_of_case_data(DatumId clause, const std::vector<DatumId>& data) {
    const auto quoted = [&](const std::vector<DatumId>& parts) {
        return parts.size() == 2 && is_identifier(parts[0]) && base_name(parts[0]) == intern("quote");
    };
    constexpr const char* without = "data in a `case` stand for themselves: write them without the quote";
    if (quoted(data)) {
        diagnostics_.warning(span(clause), "in a `case` this is two data, of which one is `quote`", without);
        return;
    }
    for (const DatumId datum : data) {
        const Value v = literal(datum);
        if (!v.is_object() || number::is_number(v)) continue;
        const auto parts = elements(datum);
        diagnostics_.warning(span(datum), "no value is equal to this: `case` compares as `eqv?` does",
                             parts && quoted(*parts) ? without : "compare with `equal?` in a `cond`");
    }
}

CoreId Expander::expand_case(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 3)
        return fail(d, "malformed `case`",
                    "its shape is (case key ((datum ...) expression ...) ... (else expression ...))");
    const CoreId key = expand((*parts)[1], ctx.not_tail());
    const LocalId temp = temporary("key", span((*parts)[1]));
    auto body = [&](const std::vector<DatumId>& clause, DatumId c) {
        if (clause.size() == 3 && is_form(clause[1], ctx.scope, Form::arrow)) {
            const CoreId f = expand(clause[2], ctx.not_tail());
            return leaf(call(f, {local_ref(temp, span(c))}, span(c)), ctx);
        }
        return expand_sequence(std::span(clause).subspan(1), ctx, span(c));
    };
    struct Clause {
        CoreId test;
        CoreId body;
        uint32_t number;
        Span span;
    };
    std::vector<Clause> clauses;
    CoreId rest = no_core;
    for (size_t i = 2; i < parts->size(); ++i) {
        const DatumId c = (*parts)[i];
        const auto clause = elements(c);
        if (!clause || clause->size() < 2)
            return fail(c, "malformed clause of `case`", "its shape is ((datum ...) expression ...)");
        if (is_identifier((*clause)[0]) && is_form((*clause)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts->size()) return fail(c, "`else` must be the last clause");
            rest = body(*clause, c);
            break;
        }
        const auto data = list((*clause)[0], "a list of data");
        if (!data) return unspecified(span(d));
        warn_of_case_data((*clause)[0], *data);
        const uint32_t number = decide(ctx);
        CoreId test = no_core;
        for (size_t k = data->size(); k-- > 0;) {
            const Value v = literal((*data)[k]);
            const Prim same = number::is_number(v) && !v.is_fixnum() ? Prim::eqv : Prim::eq;
            const CoreId one =
                prim(same, {local_ref(temp, span((*data)[k])), constant(v, span((*data)[k]))}, span((*data)[k]));
            test = test == no_core
                       ? one
                       : node(core::If{one, constant(Value::boolean(true), span(c)), test, BranchOrigin::generated, 0},
                              span(c));
        }
        if (test == no_core) test = constant(Value::boolean(false), span(c));
        clauses.push_back({test, body(*clause, c), number, span(c)});
    }
    if (rest == no_core) rest = leaf(unspecified(span(d)), ctx);
    for (size_t i = clauses.size(); i-- > 0;) {
        rest = node(core::If{clauses[i].test, clauses[i].body, rest, BranchOrigin::decision, clauses[i].number},
                    clauses[i].span);
    }
    return node(core::Let{program_.add_list(std::span(&temp, 1)), program_.add_list(std::span(&key, 1)), rest},
                span(d));
}

CoreId Expander::expand_and_or(DatumId d, bool conjunction, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const size_t n = parts->size() - 1;
    if (n == 0) return leaf(constant(Value::boolean(conjunction), span(d)), ctx);
    std::vector<CoreId> values;
    for (size_t i = 1; i <= n; ++i) values.push_back(expand((*parts)[i], i == n ? ctx : ctx.not_tail()));
    CoreId rest = values.back();
    for (size_t i = n - 1; i-- > 0;) {
        const Span at = span((*parts)[i + 1]);
        if (conjunction) {
            rest = node(
                core::If{values[i], rest, leaf(constant(Value::boolean(false), at), ctx), BranchOrigin::generated, 0},
                at);
            continue;
        }
        const LocalId temp = temporary("or", at);
        const CoreId branch =
            node(core::If{local_ref(temp, at), leaf(local_ref(temp, at), ctx), rest, BranchOrigin::generated, 0}, at);
        rest = node(
            core::Let{program_.add_list(std::span(&temp, 1)), program_.add_list(std::span(&values[i], 1)), branch}, at);
    }
    return rest;
}

CoreId Expander::expand_when_unless(DatumId d, bool positive, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 3)
        return fail(d, std::string("malformed `") + (positive ? "when" : "unless") + "`",
                    "its shape is (when test expression ...)");
    const uint32_t number = decide(ctx);
    const CoreId test = expand((*parts)[1], ctx.not_tail());
    const CoreId body = expand_sequence(std::span(*parts).subspan(2), ctx, span(d));
    const CoreId other = leaf(unspecified(span(d)), ctx);
    return node(core::If{test, positive ? body : other, positive ? other : body, BranchOrigin::decision, number},
                span(d));
}

} // namespace espalier
