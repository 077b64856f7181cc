// Hygienic macros: syntax-rules as R7RS 4.3.2 has them, with nested ellipses, tail patterns after an ellipsis, vector
// patterns, literals, (... ...) and a custom ellipsis.
#include "lang/expand/expander.hpp"

#include <algorithm>

namespace espalier {

// What a pattern variable matched: one datum, or under an ellipsis one match for each repetition.
struct Expander::Match {
    DatumId datum{};
    bool repeated = false;
    std::vector<Match> items;
};

bool Expander::is_ellipsis(const Macro& m, DatumId d) const {
    if (!is_identifier(d)) return false;
    for (Ident l : m.literals) {
        if (l == ident(d)) return false; // R7RS: a literal is not an ellipsis
    }
    return m.ellipsis ? ident(d) == *m.ellipsis : named(d, "...") && is_form(d, m.scope, Form::ellipsis);
}

bool Expander::is_wildcard(const Macro& m, DatumId d) const {
    return named(d, "_") && is_form(d, m.scope, Form::underscore);
}

std::optional<Macro> Expander::parse_syntax_rules(DatumId spec, Symbol name, Scope* scope) {
    const char* shape = "its shape is (syntax-rules (literal ...) (pattern template) ...)";
    const auto parts = elements(spec);
    if (!parts || parts->size() < 2 || !is_form((*parts)[0], scope, Form::syntax_rules)) {
        fail(spec, "expected a macro: (syntax-rules ...)", shape);
        return std::nullopt;
    }
    Macro m;
    m.name = name;
    m.span = span(spec);
    m.scope = scope;
    size_t next = 1;
    if (is_identifier((*parts)[1])) {
        m.ellipsis = ident((*parts)[1]);
        next = 2;
    }
    if (parts->size() <= next) {
        fail(spec, "malformed `syntax-rules`", shape);
        return std::nullopt;
    }
    const auto literals = list((*parts)[next], "a list of literals");
    if (!literals) return std::nullopt;
    for (DatumId l : *literals) {
        if (!is_identifier(l)) {
            fail(l, "a literal must be a name");
            return std::nullopt;
        }
        m.literals.push_back(ident(l));
    }
    for (size_t i = next + 1; i < parts->size(); ++i) {
        const auto rule = elements((*parts)[i]);
        if (!rule || rule->size() != 2 || !data_.is_pair((*rule)[0])) {
            fail((*parts)[i], "malformed rule", "its shape is ((_ pattern ...) template)");
            return std::nullopt;
        }
        SyntaxRule r{data_.cdr((*rule)[0]), (*rule)[1]};
        std::vector<Ident> vars;
        if (!check_pattern(m, r.pattern, vars)) return std::nullopt;
        m.rules.push_back(r);
    }
    return m;
}

bool Expander::check_pattern(const Macro& m, DatumId p, std::vector<Ident>& vars) {
    if (!enter(span(p))) return false;
    ++depth_;
    bool fine = true;
    if (is_identifier(p)) {
        const bool literal = std::find(m.literals.begin(), m.literals.end(), ident(p)) != m.literals.end();
        if (!literal && !is_wildcard(m, p) && !is_ellipsis(m, p)) {
            if (std::find(vars.begin(), vars.end(), ident(p)) != vars.end()) {
                fail(p, "the pattern variable `" + show(p) + "` appears twice");
                fine = false;
            }
            vars.push_back(ident(p));
        }
    } else if (data_.is_pair(p) || data_.is(p, DatumKind::vector)) {
        std::vector<DatumId> items;
        if (data_.is_pair(p)) {
            for (; data_.is_pair(p); p = data_.cdr(p)) items.push_back(data_.car(p));
            if (!data_.is_null(p)) items.push_back(p);
        } else {
            items.assign(data_.elements(p).begin(), data_.elements(p).end());
        }
        bool seen = false;
        for (size_t i = 0; i < items.size() && fine; ++i) {
            if (is_ellipsis(m, items[i])) {
                if (seen || i == 0) {
                    fail(items[i], "an ellipsis must follow a pattern, and only once in a list");
                    fine = false;
                }
                seen = true;
            } else {
                fine = check_pattern(m, items[i], vars);
            }
        }
    }
    --depth_;
    return fine;
}

bool Expander::match(const Macro& m, DatumId pattern, DatumId datum, const Scope* use_scope,
                     std::vector<std::pair<Ident, Match>>& out) {
    if (!enter(span(datum))) return false;
    const DepthGuard guard(depth_);
    // A run of elements with at most one ellipsis among the patterns.
    auto match_run = [&](std::span<const DatumId> ps, std::span<const DatumId> ds) {
        size_t dots = ps.size();
        for (size_t i = 1; i < ps.size(); ++i) {
            if (is_ellipsis(m, ps[i])) dots = i;
        }
        if (dots == ps.size()) {
            if (ps.size() != ds.size()) return false;
            for (size_t i = 0; i < ps.size(); ++i) {
                if (!match(m, ps[i], ds[i], use_scope, out)) return false;
            }
            return true;
        }
        const size_t before = dots - 1;
        const size_t after = ps.size() - dots - 1;
        if (ds.size() < before + after) return false;
        for (size_t i = 0; i < before; ++i) {
            if (!match(m, ps[i], ds[i], use_scope, out)) return false;
        }
        const size_t repeat = ds.size() - before - after;
        std::vector<Ident> vars;
        check_pattern(m, ps[before], vars);
        const size_t first = out.size();
        for (Ident v : vars) {
            Match r;
            r.repeated = true;
            out.emplace_back(v, std::move(r));
        }
        for (size_t i = 0; i < repeat; ++i) {
            std::vector<std::pair<Ident, Match>> turn;
            if (!match(m, ps[before], ds[before + i], use_scope, turn)) return false;
            for (auto& [v, r] : turn) {
                for (size_t k = 0; k < vars.size(); ++k) {
                    if (vars[k] != v) continue;
                    out[first + k].second.items.push_back(std::move(r));
                    break;
                }
            }
        }
        for (size_t i = 0; i < after; ++i) {
            if (!match(m, ps[dots + 1 + i], ds[before + repeat + i], use_scope, out)) return false;
        }
        return true;
    };
    if (is_identifier(pattern)) {
        for (Ident l : m.literals) {
            if (l != ident(pattern)) continue;
            if (!is_identifier(datum)) return false;
            const Binding a = lookup(l, m.scope);
            const Binding b = lookup(datum, use_scope);
            if (a.kind == Binding::Kind::none && b.kind == Binding::Kind::none) return base_name(l) == base_name(datum);
            return a == b;
        }
        if (is_wildcard(m, pattern)) return true;
        Match r;
        r.datum = datum;
        out.emplace_back(ident(pattern), std::move(r));
        return true;
    }
    if (data_.is_pair(pattern)) {
        std::vector<DatumId> ps, ds;
        DatumId p = pattern, d = datum;
        bool repeats = false;
        for (; data_.is_pair(p); p = data_.cdr(p)) {
            ps.push_back(data_.car(p));
            repeats = repeats || (ps.size() > 1 && is_ellipsis(m, ps.back()));
        }
        if (data_.is_null(p)) {
            for (; data_.is_pair(d); d = data_.cdr(d)) ds.push_back(data_.car(d));
            return data_.is_null(d) && match_run(ps, ds);
        }
        // (a b . tail): without an ellipsis the tail takes all that is left, with one only what is no pair.
        while (data_.is_pair(d) && (repeats || ds.size() < ps.size())) {
            ds.push_back(data_.car(d));
            d = data_.cdr(d);
        }
        return match_run(ps, ds) && match(m, p, d, use_scope, out);
    }
    if (data_.is_null(pattern)) return data_.is_null(datum);
    if (data_.is(pattern, DatumKind::vector)) {
        if (!data_.is(datum, DatumKind::vector)) return false;
        const std::vector<DatumId> ps(data_.elements(pattern).begin(), data_.elements(pattern).end());
        const std::vector<DatumId> ds(data_.elements(datum).begin(), data_.elements(datum).end());
        return match_run(ps, ds);
    }
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

// Symbols that the template inserts become aliases, the same one throughout one expansion; their place is the use's.
DatumId Expander::instantiate(const Macro& m, DatumId t, std::vector<std::pair<Ident, Match>>& vars, Span use,
                              std::unordered_map<uint32_t, DatumId>& renamed, bool escaped) {
    if (!enter(use)) return data_.boolean(use, false);
    const DepthGuard guard(depth_);
    auto find = [&](Ident id) -> const Match* {
        for (auto it = vars.rbegin(); it != vars.rend(); ++it) {
            if (it->first == id) return &it->second;
        }
        return nullptr;
    };
    if (is_identifier(t)) {
        if (const Match* v = find(ident(t))) {
            if (v->repeated) {
                fail(t, "the pattern variable `" + show(t) + "` needs an ellipsis in the template");
                return data_.boolean(use, false);
            }
            return v->datum;
        }
        auto [it, fresh] = renamed.try_emplace(index(ident(t)), DatumId{});
        if (fresh) {
            aliases_.push_back({ident(t), m.scope});
            it->second = data_.alias(use, static_cast<uint32_t>(aliases_.size() - 1));
        }
        return it->second;
    }
    if (!data_.is_pair(t) && !data_.is(t, DatumKind::vector)) return t;
    if (!escaped && data_.is_pair(t) && is_ellipsis(m, data_.car(t))) { // (... template)
        const auto parts = elements(t);
        if (!parts || parts->size() != 2) {
            fail(t, "malformed (... template)");
            return data_.boolean(use, false);
        }
        return instantiate(m, (*parts)[1], vars, use, renamed, true);
    }
    std::vector<DatumId> items;
    DatumId tail{};
    const bool is_vector = data_.is(t, DatumKind::vector);
    if (is_vector) {
        items.assign(data_.elements(t).begin(), data_.elements(t).end());
    } else {
        DatumId p = t;
        for (; data_.is_pair(p); p = data_.cdr(p)) items.push_back(data_.car(p));
        tail = p;
    }
    std::vector<DatumId> out;
    for (size_t i = 0; i < items.size(); ++i) {
        size_t dots = 0;
        while (!escaped && i + 1 + dots < items.size() && is_ellipsis(m, items[i + 1 + dots])) ++dots;
        if (dots == 0) {
            out.push_back(instantiate(m, items[i], vars, use, renamed, escaped));
            continue;
        }
        // items[i] once for each turn of the variables in it that are repeated here, `dots` levels deep.
        std::vector<Ident> inside;
        std::vector<DatumId> look{items[i]};
        while (!look.empty()) {
            const DatumId x = look.back();
            look.pop_back();
            if (is_identifier(x)) {
                if (const Match* v = find(ident(x));
                    v != nullptr && v->repeated && std::find(inside.begin(), inside.end(), ident(x)) == inside.end())
                    inside.push_back(ident(x));
            } else if (data_.is_pair(x)) {
                look.push_back(data_.car(x));
                look.push_back(data_.cdr(x));
            } else if (data_.is(x, DatumKind::vector)) {
                for (DatumId e : data_.elements(x)) look.push_back(e);
            }
        }
        if (inside.empty()) {
            fail(items[i], "no repeated pattern variable stands before this ellipsis");
            return data_.boolean(use, false);
        }
        std::function<void(size_t)> repeat = [&](size_t level) {
            if (level == 0) {
                out.push_back(instantiate(m, items[i], vars, use, renamed, escaped));
                return;
            }
            std::optional<size_t> turns;
            for (Ident id : inside) {
                const Match* v = find(id);
                if (!v->repeated) continue;
                if (turns && *turns != v->items.size()) {
                    fail(use,
                         "the repeated parts of this use of `" + std::string(name_of(m.name)) + "` differ in length");
                    return;
                }
                turns = v->items.size();
            }
            if (!turns) {
                fail(items[i], "too many ellipses after this template");
                return;
            }
            for (size_t k = 0; k < *turns; ++k) {
                const size_t mark = vars.size();
                for (Ident id : inside) {
                    const Match* v = find(id);
                    if (!v->repeated) continue;
                    Match turn = v->items[k];
                    vars.emplace_back(id, std::move(turn));
                }
                repeat(level - 1);
                vars.resize(mark);
            }
        };
        repeat(dots);
        i += dots;
    }
    if (is_vector) return data_.vector(use, out);
    DatumId result = data_.is_null(tail) ? data_.null(use) : instantiate(m, tail, vars, use, renamed, escaped);
    for (size_t i = out.size(); i-- > 0;) result = data_.pair(use, out[i], result);
    return result;
}

// How many data it comes to, written out. An operand that a template uses twice is shared, so that a few small macros
// can make what no walk would ever end on; this one ends, because it looks at each datum once.
uint64_t Expander::weight(DatumId root) {
    constexpr uint64_t too_much = uint64_t{1} << 40;
    weights_.resize(data_.size(), 0);
    std::vector<DatumId> work{root};
    while (!work.empty()) {
        const DatumId d = work.back();
        uint64_t sum = 1;
        bool ready = true;
        auto part = [&](DatumId p) {
            if (const uint64_t w = weights_[static_cast<uint32_t>(p)]; w != 0) {
                sum = std::min(sum + w, too_much);
            } else {
                ready = false;
                work.push_back(p);
            }
        };
        if (weights_[static_cast<uint32_t>(d)] == 0) {
            if (data_.is_pair(d)) {
                part(data_.car(d)), part(data_.cdr(d));
            } else if (data_.is(d, DatumKind::vector)) {
                for (DatumId e : data_.elements(d)) part(e);
            }
        }
        if (!ready) continue;
        weights_[static_cast<uint32_t>(d)] = std::max(weights_[static_cast<uint32_t>(d)], sum);
        work.pop_back();
    }
    return weights_[static_cast<uint32_t>(root)];
}

DatumId Expander::expand_macro(const Macro& macro, DatumId use, Scope* scope) {
    macro_uses_.emplace(std::pair(index(span(use).file), span(use).begin), &macro);
    for (const SyntaxRule& rule : macro.rules) {
        std::vector<std::pair<Ident, Match>> vars;
        if (!match(macro, rule.pattern, data_.cdr(use), scope, vars)) continue;
        std::unordered_map<uint32_t, DatumId> renamed;
        const DatumId result = instantiate(macro, rule.body, vars, span(use), renamed, false);
        if (gave_up_ || weight(result) <= weight_limit_) return result;
        fail(use, "the expansion of macros is too large");
        gave_up_ = true;
        return data_.boolean(span(use), false);
    }
    fail(use, "no rule of the macro `" + std::string(name_of(macro.name)) + "` matches this use");
    return data_.boolean(span(use), false);
}

} // namespace espalier
