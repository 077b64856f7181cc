#include "lang/expand/macros.hpp"

#include "lang/expand/expansion.hpp"
#include "lang/expand/pattern.hpp"
#include "lang/expand/template.hpp"

namespace espalier {

void Macros::define_syntax(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    if (parts->size() != 3 || !syntax_.is_identifier((*parts)[1])) {
        reports_.fail(d, "malformed `define-syntax`",
                      "its shape is (define-syntax name (syntax-rules (literal ...) (pattern template) ...))");
        return;
    }
    const DatumId name = (*parts)[1];
    // (define-syntax a b) where b is a macro or a form: another name for it.
    if (syntax_.is_identifier((*parts)[2])) {
        const Binding b = names_.lookup((*parts)[2], scope);
        if (b.kind == Binding::Kind::macro || b.kind == Binding::Kind::form) {
            names_.declare(name, scope, b);
            return;
        }
    }
    auto macro = parse_syntax_rules((*parts)[2], syntax_.base_name(name), scope);
    if (!macro) return;
    macro->span = syntax_.span(name);
    names_.declare(name, scope, names_.add(std::move(*macro)));
}

std::optional<Macro> Macros::parse_syntax_rules(DatumId spec, Symbol name, Scope* scope) {
    const char* shape = "its shape is (syntax-rules (literal ...) (pattern template) ...)";
    const auto parts = syntax_.elements(spec);
    if (!parts || parts->size() < 2 || !names_.is_form((*parts)[0], scope, Form::syntax_rules)) {
        reports_.fail(spec, "expected a macro: (syntax-rules ...)", shape);
        return std::nullopt;
    }
    Macro m;
    m.name = name;
    m.span = syntax_.span(spec);
    m.scope = scope;
    size_t next = 1;
    if (syntax_.is_identifier((*parts)[1])) {
        m.ellipsis = syntax_.ident((*parts)[1]);
        next = 2;
    }
    if (parts->size() <= next) {
        reports_.fail(spec, "malformed `syntax-rules`", shape);
        return std::nullopt;
    }
    const auto literals = reports_.list((*parts)[next], "a list of literals");
    if (!literals) return std::nullopt;
    for (DatumId l : *literals) {
        if (!syntax_.is_identifier(l)) {
            reports_.fail(l, "a literal must be a name");
            return std::nullopt;
        }
        m.literals.push_back(syntax_.ident(l));
    }
    if (!parse_rules(std::span(*parts).subspan(next + 1), m)) return std::nullopt;
    return m;
}

bool Macros::parse_rules(std::span<const DatumId> rules, Macro& macro) {
    for (const DatumId d : rules) {
        const auto rule = syntax_.elements(d);
        if (!rule || rule->size() != 2 || !data_.is_pair((*rule)[0])) {
            reports_.fail(d, "malformed rule", "its shape is ((_ pattern ...) template)");
            return false;
        }
        const SyntaxRule r{data_.cdr((*rule)[0]), (*rule)[1]};
        std::vector<Ident> variables;
        if (!Pattern(all_, macro).check(r.pattern, variables)) return false;
        macro.rules.push_back(r);
    }
    return true;
}

DatumId Macros::expand_head(DatumId form, Scope* scope) {
    uint32_t turns = 0;
    while (data_.is_pair(form) && syntax_.is_identifier(data_.car(form))) {
        const Binding b = names_.lookup(data_.car(form), scope);
        if (b.kind != Binding::Kind::macro) break;
        reports_.note_macro_use(syntax_.span(form), names_.macro(b.id));
        if (!growth_.enter(syntax_.span(form), ++turns)) break;
        form = expand(names_.macro(b.id), form, scope);
    }
    return form;
}

DatumId Macros::expand(const Macro& macro, DatumId use, Scope* scope) {
    const Span at = syntax_.span(use);
    reports_.note_macro_use(at, macro);
    for (const SyntaxRule& rule : macro.rules) {
        Matches variables;
        if (!Pattern(all_, macro).match(rule.pattern, data_.cdr(use), scope, variables)) continue;
        const DatumId result = Template(all_, macro, variables, at).fill(rule.body);
        if (reports_.gave_up() || !growth_.too_heavy(result)) return result;
        reports_.give_up(at, "the expansion of macros is too large");
        return data_.boolean(at, false);
    }
    reports_.fail(use, "no rule of the macro `" + std::string(name_of(macro.name)) + "` matches this use");
    return data_.boolean(at, false);
}

} // namespace espalier
