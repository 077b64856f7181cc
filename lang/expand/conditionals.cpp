// The conditionals of Scheme.
#include "lang/expand/expansion.hpp"
#include "lang/values/number.hpp"

namespace espalier {

CoreId SchemeForms::expand_if(DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() != 3 && parts->size() != 4)
        return reports_.fail(d, "malformed `if`", "its shape is (if test then else), where else may be left out");
    const uint32_t number = core_.decide(ctx);
    const CoreId test = all_.walk.expand((*parts)[1], ctx.not_tail());
    const CoreId then_part = all_.walk.expand((*parts)[2], ctx);
    const CoreId else_part =
        parts->size() == 4 ? all_.walk.expand((*parts)[3], ctx) : core_.leaf(core_.unspecified(syntax_.span(d)), ctx);
    return core_.node(core::If{test, then_part, else_part, BranchOrigin::decision, number}, syntax_.span(d));
}

CoreId SchemeForms::expand_cond(DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() < 2) return reports_.fail(d, "`cond` needs a clause");
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
        const auto clause = syntax_.elements(c);
        if (!clause || clause->empty())
            return reports_.fail(c, "malformed clause of `cond`", "its shape is (test expression ...)");
        if (names_.is_form((*clause)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts->size()) return reports_.fail(c, "`else` must be the last clause");
            if (clause->size() == 1) return reports_.fail(c, "`else` needs an expression");
            rest = all_.walk.expand_sequence(std::span(*clause).subspan(1), ctx, syntax_.span(c));
            break;
        }
        const uint32_t number = core_.decide(ctx);
        const CoreId test = all_.walk.expand((*clause)[0], ctx.not_tail());
        if (clause->size() == 1) {
            const LocalId temp = core_.temporary("test", syntax_.span(c));
            clauses.push_back(
                {test, core_.leaf(core_.local_ref(temp, syntax_.span(c)), ctx), temp, number, syntax_.span(c)});
        } else if (names_.is_form((*clause)[1], ctx.scope, Form::arrow)) {
            if (clause->size() != 3)
                return reports_.fail(c, "malformed clause of `cond`", "its shape is (test => procedure)");
            const LocalId temp = core_.temporary("test", syntax_.span(c));
            const CoreId f = all_.walk.expand((*clause)[2], ctx.not_tail());
            clauses.push_back(
                {test, core_.leaf(core_.call(f, {core_.local_ref(temp, syntax_.span(c))}, syntax_.span(c)), ctx), temp,
                 number, syntax_.span(c)});
        } else {
            clauses.push_back({test, all_.walk.expand_sequence(std::span(*clause).subspan(1), ctx, syntax_.span(c)),
                               no_local, number, syntax_.span(c)});
        }
    }
    if (rest == no_core) rest = core_.leaf(core_.unspecified(syntax_.span(d)), ctx);
    for (size_t i = clauses.size(); i-- > 0;) {
        const Clause& c = clauses[i];
        if (c.temp == no_local) {
            rest = core_.node(core::If{c.test, c.body, rest, BranchOrigin::decision, c.number}, c.span);
            continue;
        }
        const CoreId branch = core_.node(
            core::If{core_.local_ref(c.temp, c.span), c.body, rest, BranchOrigin::decision, c.number}, c.span);
        rest = core_.node(
            core::Let{program_.add_list(std::span(&c.temp, 1)), program_.add_list(std::span(&c.test, 1)), branch},
            c.span);
    }
    return rest;
}

// What no value is equal to, and a quote too many.
void SchemeForms::warn_of_case_data(DatumId clause, const std::vector<DatumId>& data) {
    const auto quoted = [&](const std::vector<DatumId>& parts) {
        return parts.size() == 2 && syntax_.is_identifier(parts[0]) && syntax_.base_name(parts[0]) == intern("quote");
    };
    constexpr const char* without = "data in a `case` stand for themselves: write them without the quote";
    if (quoted(data)) {
        diagnostics_.warning(syntax_.span(clause), "in a `case` this is two data, of which one is `quote`", without);
        return;
    }
    for (const DatumId datum : data) {
        const Value v = syntax_.literal(datum);
        if (!v.is_object() || number::is_number(v)) continue;
        const auto parts = syntax_.elements(datum);
        diagnostics_.warning(syntax_.span(datum), "no value is equal to this: `case` compares as `eqv?` does",
                             parts && quoted(*parts) ? without : "compare with `equal?` in a `cond`");
    }
}

CoreId SchemeForms::case_test(LocalId key, std::span<const DatumId> data, Span at) {
    CoreId test = no_core;
    for (size_t k = data.size(); k-- > 0;) {
        const Value v = syntax_.literal(data[k]);
        const Span place = syntax_.span(data[k]);
        const Prim same = number::is_number(v) && !v.is_fixnum() ? Prim::eqv : Prim::eq;
        const CoreId one = core_.prim(same, {core_.local_ref(key, place), core_.constant(v, place)}, place);
        test = test == no_core ? one : core_.branch(one, core_.boolean(true, at), test, at);
    }
    return test == no_core ? core_.boolean(false, at) : test;
}

CoreId SchemeForms::expand_case(DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() < 3)
        return reports_.fail(d, "malformed `case`",
                             "its shape is (case key ((datum ...) expression ...) ... (else expression ...))");
    const CoreId key = all_.walk.expand((*parts)[1], ctx.not_tail());
    const LocalId temp = core_.temporary("key", syntax_.span((*parts)[1]));
    auto body = [&](const std::vector<DatumId>& clause, DatumId c) {
        if (clause.size() == 3 && names_.is_form(clause[1], ctx.scope, Form::arrow)) {
            const CoreId f = all_.walk.expand(clause[2], ctx.not_tail());
            return core_.leaf(core_.call(f, {core_.local_ref(temp, syntax_.span(c))}, syntax_.span(c)), ctx);
        }
        return all_.walk.expand_sequence(std::span(clause).subspan(1), ctx, syntax_.span(c));
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
        const auto clause = syntax_.elements(c);
        if (!clause || clause->size() < 2)
            return reports_.fail(c, "malformed clause of `case`", "its shape is ((datum ...) expression ...)");
        if (syntax_.is_identifier((*clause)[0]) && names_.is_form((*clause)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts->size()) return reports_.fail(c, "`else` must be the last clause");
            rest = body(*clause, c);
            break;
        }
        const auto data = reports_.list((*clause)[0], "a list of data");
        if (!data) return core_.unspecified(syntax_.span(d));
        warn_of_case_data((*clause)[0], *data);
        const uint32_t number = core_.decide(ctx);
        const CoreId test = case_test(temp, *data, syntax_.span(c));
        clauses.push_back({test, body(*clause, c), number, syntax_.span(c)});
    }
    if (rest == no_core) rest = core_.leaf(core_.unspecified(syntax_.span(d)), ctx);
    for (size_t i = clauses.size(); i-- > 0;) {
        rest = core_.node(core::If{clauses[i].test, clauses[i].body, rest, BranchOrigin::decision, clauses[i].number},
                          clauses[i].span);
    }
    return core_.node(core::Let{program_.add_list(std::span(&temp, 1)), program_.add_list(std::span(&key, 1)), rest},
                      syntax_.span(d));
}

CoreId SchemeForms::expand_and_or(DatumId d, bool conjunction, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    const size_t n = parts->size() - 1;
    if (n == 0) return core_.leaf(core_.constant(Value::boolean(conjunction), syntax_.span(d)), ctx);
    std::vector<CoreId> values;
    for (size_t i = 1; i <= n; ++i) values.push_back(all_.walk.expand((*parts)[i], i == n ? ctx : ctx.not_tail()));
    CoreId rest = values.back();
    for (size_t i = n - 1; i-- > 0;) {
        const Span at = syntax_.span((*parts)[i + 1]);
        if (conjunction) {
            rest = core_.node(core::If{values[i], rest, core_.leaf(core_.constant(Value::boolean(false), at), ctx),
                                       BranchOrigin::generated, 0},
                              at);
            continue;
        }
        const LocalId temp = core_.temporary("or", at);
        const CoreId branch = core_.node(core::If{core_.local_ref(temp, at), core_.leaf(core_.local_ref(temp, at), ctx),
                                                  rest, BranchOrigin::generated, 0},
                                         at);
        rest = core_.node(
            core::Let{program_.add_list(std::span(&temp, 1)), program_.add_list(std::span(&values[i], 1)), branch}, at);
    }
    return rest;
}

CoreId SchemeForms::expand_when_unless(DatumId d, bool positive, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    if (parts->size() < 3)
        return reports_.fail(d, std::string("malformed `") + (positive ? "when" : "unless") + "`",
                             "its shape is (when test expression ...)");
    const uint32_t number = core_.decide(ctx);
    const CoreId test = all_.walk.expand((*parts)[1], ctx.not_tail());
    const CoreId body = all_.walk.expand_sequence(std::span(*parts).subspan(2), ctx, syntax_.span(d));
    const CoreId other = core_.leaf(core_.unspecified(syntax_.span(d)), ctx);
    return core_.node(core::If{test, positive ? body : other, positive ? other : body, BranchOrigin::decision, number},
                      syntax_.span(d));
}

} // namespace espalier
