#include "lang/expand/pattern.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

bool Pattern::is_literal(DatumId d) const {
    return std::find(macro_.literals.begin(), macro_.literals.end(), syntax_.ident(d)) != macro_.literals.end();
}

bool Pattern::is_ellipsis(DatumId d) const {
    if (!syntax_.is_identifier(d) || is_literal(d)) return false; // R7RS: a literal is not an ellipsis
    if (macro_.ellipsis) return syntax_.ident(d) == *macro_.ellipsis;
    return syntax_.named(d, "...") && names_.is_form(d, macro_.scope, Form::ellipsis);
}

bool Pattern::is_wildcard(DatumId d) const {
    return syntax_.named(d, "_") && names_.is_form(d, macro_.scope, Form::underscore);
}

bool Pattern::check(DatumId p, std::vector<Ident>& variables) {
    if (!growth_.enter(syntax_.span(p))) return false;
    const Growth::Level level(growth_);
    if (syntax_.is_identifier(p)) {
        if (is_literal(p) || is_wildcard(p) || is_ellipsis(p)) return true;
        const bool twice = std::find(variables.begin(), variables.end(), syntax_.ident(p)) != variables.end();
        if (twice) reports_.fail(p, "the pattern variable `" + syntax_.show(p) + "` appears twice");
        variables.push_back(syntax_.ident(p));
        return !twice;
    }
    std::vector<DatumId> items;
    if (data_.is_pair(p)) {
        for (; data_.is_pair(p); p = data_.cdr(p)) items.push_back(data_.car(p));
        if (!data_.is_null(p)) items.push_back(p);
    } else if (data_.is(p, DatumKind::vector)) {
        items.assign(data_.elements(p).begin(), data_.elements(p).end());
    }
    return check_items(items, variables);
}

bool Pattern::check_items(std::span<const DatumId> items, std::vector<Ident>& variables) {
    bool seen = false;
    for (size_t i = 0; i < items.size(); ++i) {
        if (!is_ellipsis(items[i])) {
            if (!check(items[i], variables)) return false;
            continue;
        }
        if (seen || i == 0) {
            reports_.fail(items[i], "an ellipsis must follow a pattern, and only once in a list");
            return false;
        }
        seen = true;
    }
    return true;
}

bool Pattern::match(DatumId pattern, DatumId datum, const Scope* use, Matches& out) {
    if (!growth_.enter(syntax_.span(datum))) return false;
    const Growth::Level level(growth_);
    if (syntax_.is_identifier(pattern)) {
        if (is_literal(pattern)) return same_literal(pattern, datum, use);
        if (is_wildcard(pattern)) return true;
        Match m;
        m.datum = datum;
        out.emplace_back(syntax_.ident(pattern), std::move(m));
        return true;
    }
    if (data_.is_pair(pattern)) return match_list(pattern, datum, use, out);
    if (data_.is_null(pattern)) return data_.is_null(datum);
    if (data_.is(pattern, DatumKind::vector)) {
        if (!data_.is(datum, DatumKind::vector)) return false;
        const std::vector<DatumId> ps(data_.elements(pattern).begin(), data_.elements(pattern).end());
        const std::vector<DatumId> ds(data_.elements(datum).begin(), data_.elements(datum).end());
        return match_run(ps, ds, use, out);
    }
    return same_atom(pattern, datum);
}

bool Pattern::same_literal(DatumId pattern, DatumId datum, const Scope* use) const {
    if (!syntax_.is_identifier(datum)) return false;
    const Binding a = names_.lookup(pattern, macro_.scope);
    const Binding b = names_.lookup(datum, use);
    if (a.kind == Binding::Kind::none && b.kind == Binding::Kind::none)
        return syntax_.base_name(pattern) == syntax_.base_name(datum);
    return a == b;
}

bool Pattern::match_list(DatumId pattern, DatumId datum, const Scope* use, Matches& out) {
    std::vector<DatumId> ps, ds;
    DatumId p = pattern, d = datum;
    bool repeats = false;
    for (; data_.is_pair(p); p = data_.cdr(p)) {
        ps.push_back(data_.car(p));
        repeats = repeats || (ps.size() > 1 && is_ellipsis(ps.back()));
    }
    if (data_.is_null(p)) {
        for (; data_.is_pair(d); d = data_.cdr(d)) ds.push_back(data_.car(d));
        return data_.is_null(d) && match_run(ps, ds, use, out);
    }
    // (a b . tail): without an ellipsis the tail takes all that is left, with one only what is no pair.
    while (data_.is_pair(d) && (repeats || ds.size() < ps.size())) {
        ds.push_back(data_.car(d));
        d = data_.cdr(d);
    }
    return match_run(ps, ds, use, out) && match(p, d, use, out);
}

bool Pattern::match_run(std::span<const DatumId> ps, std::span<const DatumId> ds, const Scope* use, Matches& out) {
    size_t dots = ps.size();
    for (size_t i = 1; i < ps.size(); ++i) {
        if (is_ellipsis(ps[i])) dots = i;
    }
    if (dots == ps.size()) return ps.size() == ds.size() && match_each(ps, ds, use, out);
    const size_t before = dots - 1;
    const size_t after = ps.size() - dots - 1;
    if (ds.size() < before + after) return false;
    const size_t repeat = ds.size() - before - after;
    return match_each(ps.first(before), ds.first(before), use, out) &&
           match_repeated(ps[before], ds.subspan(before, repeat), use, out) &&
           match_each(ps.subspan(dots + 1), ds.subspan(before + repeat), use, out);
}

bool Pattern::match_each(std::span<const DatumId> ps, std::span<const DatumId> ds, const Scope* use, Matches& out) {
    for (size_t i = 0; i < ps.size(); ++i) {
        if (!match(ps[i], ds[i], use, out)) return false;
    }
    return true;
}

bool Pattern::match_repeated(DatumId pattern, std::span<const DatumId> ds, const Scope* use, Matches& out) {
    std::vector<Ident> variables;
    check(pattern, variables);
    const size_t first = out.size();
    for (Ident v : variables) {
        Match m;
        m.repeated = true;
        out.emplace_back(v, std::move(m));
    }
    for (const DatumId d : ds) {
        Matches turn;
        if (!match(pattern, d, use, turn)) return false;
        for (auto& [v, m] : turn) {
            const auto at = std::find(variables.begin(), variables.end(), v);
            if (at == variables.end()) continue;
            out[first + static_cast<size_t>(at - variables.begin())].second.items.push_back(std::move(m));
        }
    }
    return true;
}

bool Pattern::same_atom(DatumId pattern, DatumId datum) const {
    const Datum& a = data_[pattern];
    const Datum& b = data_[datum];
    if (a.kind != b.kind) return false;
    switch (a.kind) {
    case DatumKind::string:
    case DatumKind::number:
    case DatumKind::bytevector: return data_.text(pattern) == data_.text(datum);
    default: return a.a == b.a && a.b == b.b;
    }
}

} // namespace espalier
