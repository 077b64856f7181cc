#include "lang/names/names.hpp"

#include <algorithm>

#include "lang/names/absent.hpp"
#include "lang/names/reports.hpp"
#include "lang/names/syntax.hpp"

namespace espalier {

namespace {

// But for upper and lower case.
bool same_letters(std::string_view a, std::string_view b) {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

uint32_t edit_distance(std::string_view a, std::string_view b, uint32_t limit) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() > limit) return limit + 1;
    std::vector<uint32_t> row(a.size() + 1), before(a.size() + 1), two(a.size() + 1);
    for (uint32_t i = 0; i <= a.size(); ++i) row[i] = i;
    for (uint32_t j = 1; j <= b.size(); ++j) {
        two = before;
        before = row;
        row[0] = j;
        for (uint32_t i = 1; i <= a.size(); ++i) {
            row[i] = std::min({before[i] + 1, row[i - 1] + 1, before[i - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[i] = std::min(row[i], two[i - 2] + 1);
        }
    }
    return row[a.size()];
}

} // namespace

Names::Names(Syntax& syntax, Reports& reports, Diagnostics& diagnostics)
    : syntax_(syntax), reports_(reports), diagnostics_(diagnostics) {
    base_ = top_scope(nullptr);
    inside_ = top_scope(base_);
    user_ = top_scope(base_);
    auto bind = [&](Scope* scope, std::string_view name, Binding b) { scope->bind(Ident{index(intern(name))}, b); };
    struct Named {
        Form form;
        std::string_view name;
    };
    static constexpr Named forms[] = {
#define FORM(id, name, group) {Form::id, name},
#include "lang/names/forms.def"
#undef FORM
    };
    for (const Named& f : forms) {
        bind(f.name[0] == '%' ? inside_ : base_, f.name, {Binding::Kind::form, static_cast<uint32_t>(f.form)});
    }
    for (size_t i = 0; i < prim_count; ++i) {
        const PrimInfo& p = info(static_cast<Prim>(i));
        Operator op{Operator::Kind::primitive, intern(p.name), p.arity, static_cast<Prim>(i)};
        bind(p.name[0] == '%' ? inside_ : base_, p.name, add(std::move(op)));
    }
    for (const Absent& a : absent_names) {
        bind(base_, a.name, {Binding::Kind::absent, static_cast<uint32_t>(absents_.size())});
        absents_.push_back({a.instead, a.syntax});
    }
}

Binding Names::lookup(Ident name, const Scope* scope) const {
    while (true) {
        for (const Scope* s = scope == nullptr ? nullptr : scope->first_for(name); s != nullptr; s = s->parent) {
            if (const Binding* b = s->find(name)) {
                if (s == user_) used_names_.insert(index(name));
                return *b;
            }
        }
        if ((index(name) & alias_bit) == 0) return {};
        const Alias& alias = syntax_.alias(name);
        name = alias.base;
        scope = alias.scope;
    }
}

Binding Names::lookup(DatumId d, const Scope* scope) const { return lookup(syntax_.ident(d), scope); }

bool Names::is_form(DatumId d, const Scope* scope, Form form) const {
    return syntax_.is_identifier(d) && lookup(d, scope) == Binding{Binding::Kind::form, static_cast<uint32_t>(form)};
}

std::optional<Form> Names::head_form(const Data& data, DatumId d, const Scope* scope) const {
    if (!data.is_pair(d) || !syntax_.is_identifier(data.car(d))) return std::nullopt;
    const Binding b = lookup(data.car(d), scope);
    return b.kind == Binding::Kind::form ? std::optional(static_cast<Form>(b.id)) : std::nullopt;
}

bool Names::is_message(const Binding& b) const {
    return b.kind == Binding::Kind::op && operators_[b.id].kind == Operator::Kind::make_message;
}

Scope* Names::top_scope(Scope* parent) {
    scopes_.emplace_back();
    scopes_.back().parent = parent;
    return &scopes_.back();
}

Scope* Names::new_scope(Scope* parent) {
    Scope* const scope = top_scope(parent);
    scope->top = parent->top;
    scope->inner = &inner_names_;
    return scope;
}

Binding Names::add(Operator op) {
    operators_.push_back(std::move(op));
    return {Binding::Kind::op, static_cast<uint32_t>(operators_.size() - 1)};
}

Binding Names::add(Macro macro) {
    macros_.push_back(std::move(macro));
    return {Binding::Kind::macro, static_cast<uint32_t>(macros_.size() - 1)};
}

Binding Names::add(Value constant) {
    constants_.push_back(constant);
    return {Binding::Kind::constant, static_cast<uint32_t>(constants_.size() - 1)};
}

std::string Names::suggest(std::string_view name, const Scope* scope,
                           const std::function<bool(const Binding&)>& wanted) const {
    const uint32_t limit = name.size() <= 2 ? 0 : name.size() <= 5 ? 1 : 2;
    uint32_t best = limit + 1;
    std::string found;
    auto consider = [&](Ident id, const Binding& b) {
        if ((index(id) & alias_bit) != 0 || !wanted(b)) return;
        std::string_view candidate = name_of(Symbol{index(id)});
        if (candidate == name || candidate[0] == '%') return;
        const uint32_t d = same_letters(name, candidate) ? 0 : edit_distance(name, candidate, limit);
        if (d < best || (d == best && candidate < found)) {
            best = d;
            found = candidate;
        }
    };
    for (const Scope* s = scope; s != nullptr; s = s->parent) {
        for (const auto& [id, b] : s->few) consider(id, b);
        for (const auto& [id, b] : s->many) consider(Ident{id}, b);
    }
    return found.empty() || best > limit ? std::string() : "did you mean `" + found + "`?";
}

bool Names::declare(DatumId name, Scope* scope, Binding binding) {
    const Ident id = syntax_.ident(name);
    if (scope == user_ || scope == base_ || scope == inside_) {
        auto [it, fresh] = defined_at_.try_emplace(index(id), syntax_.span(name));
        if (!fresh) {
            const std::string text = "`" + std::string(name_of(syntax_.base_name(id))) + "` is defined twice";
            if (reports_.first_time(syntax_.span(name), text)) {
                diagnostics_.error(syntax_.span(name), text)
                    .notes.push_back({Severity::note, it->second, "first defined here", {}, {}});
            }
            return false;
        }
    }
    scope->bind(id, binding);
    return true;
}

} // namespace espalier
