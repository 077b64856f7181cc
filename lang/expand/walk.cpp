#include "lang/expand/walk.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {

constexpr std::string_view machine_words[] = {"state", "on",   "entry",   "locals", "initial",
                                              "final", "done", "ignores", "with"};
bool is_machine_word(std::string_view name) {
    return std::find(std::begin(machine_words), std::end(machine_words), name) != std::end(machine_words);
}

// In tail position of a machine's action, what stands last in the form stands in tail position too.
bool propagates_tail(Form form) {
    switch (form) {
    case Form::if_:
    case Form::cond:
    case Form::case_:
    case Form::and_:
    case Form::or_:
    case Form::when:
    case Form::unless:
    case Form::let:
    case Form::let_star:
    case Form::letrec:
    case Form::letrec_star:
    case Form::let_values:
    case Form::let_star_values:
    case Form::begin:
    case Form::select:
    case Form::choose:
    case Form::let_syntax:
    case Form::letrec_syntax:
    case Form::to: return true;
    default: return false;
    }
}

} // namespace

CoreId Walk::expand(DatumId d, const Context& ctx) {
    if (!growth_.enter(syntax_.span(d))) return core_.unspecified(syntax_.span(d));
    const Growth::Level level(growth_);
    return expand_inner(d, ctx);
}

CoreId Walk::expand_inner(DatumId d, const Context& ctx) {
    switch (data_[d].kind) {
    case DatumKind::symbol:
    case DatumKind::alias: return core_.leaf(expand_identifier(d, ctx), ctx);
    case DatumKind::null: return reports_.fail(d, "`()` is not an expression", "write '() for the empty list");
    case DatumKind::pair: break;
    default: return core_.leaf(core_.constant(syntax_.literal(d), syntax_.span(d)), ctx);
    }
    const DatumId head = data_.car(d);
    if (syntax_.is_identifier(head)) {
        const Binding b = names_.lookup(head, ctx.scope);
        // What cannot be an expression is not looked into.
        const std::string_view name = name_of(syntax_.base_name(head));
        const bool machine_word = b.kind == Binding::Kind::none && (is_machine_word(name) || name == "where");
        if (machine_word || (b.kind == Binding::Kind::absent && names_.absent(b.id).syntax))
            return expand_identifier(head, ctx);
        if (b.kind == Binding::Kind::form) {
            const Form form = static_cast<Form>(b.id);
            if (ctx.arrows == nullptr || propagates_tail(form)) return expand_form(form, d, ctx);
            return core_.leaf(expand_form(form, d, ctx.not_tail()), ctx);
        }
        if (b.kind == Binding::Kind::macro) return expand(all_.macros.expand(names_.macro(b.id), d, ctx.scope), ctx);
    }
    return core_.leaf(all_.calls.expand(d, ctx.not_tail()), ctx);
}

CoreId Walk::expand_identifier(DatumId d, const Context& ctx) {
    const Binding b = names_.lookup(d, ctx.scope);
    const Span at = syntax_.span(d);
    const std::string name(name_of(syntax_.base_name(d)));
    switch (b.kind) {
    case Binding::Kind::local: return core_.local_ref(LocalId{b.id}, at);
    case Binding::Kind::global:
        all_.top_level.note_use(GlobalId{b.id});
        return core_.node(core::GlobalRef{GlobalId{b.id}}, at);
    case Binding::Kind::op: return all_.calls.operator_value(b.id, at);
    case Binding::Kind::constant: return core_.constant(names_.value(b.id), at);
    case Binding::Kind::form:
        return reports_.fail(d, "`" + name + "` is a form, not a value", "use it as (" + name + " ...)");
    case Binding::Kind::macro: return reports_.fail(d, "`" + name + "` is a macro, not a value");
    case Binding::Kind::type: return reports_.fail(d, "`" + name + "` is a type, not a value");
    case Binding::Kind::absent:
        return reports_.fail(d, "`" + name + "` is not in the language", names_.absent(b.id).instead);
    case Binding::Kind::none: break;
    }
    return unknown(d, ctx);
}

CoreId Walk::unknown(DatumId d, const Context& ctx) {
    const std::string name(name_of(syntax_.base_name(d)));
    if (name == "where") return reports_.fail(d, "a clause has one `where`, directly after its trigger");
    if (is_machine_word(name)) return reports_.fail(d, "`" + name + "` has a meaning only inside define-machine");
    // Its definition may be what could not be read.
    if (names_.text_lost()) return core_.node(core::Const{Value::unbound()}, syntax_.span(d));
    const auto usable = [](const Binding& c) {
        return c.kind == Binding::Kind::local || c.kind == Binding::Kind::global || c.kind == Binding::Kind::op ||
               c.kind == Binding::Kind::constant || c.kind == Binding::Kind::form || c.kind == Binding::Kind::macro;
    };
    return reports_.fail(d, "`" + name + "` is not defined", names_.suggest(name, ctx.scope, usable));
}

CoreId Walk::expand_sequence(std::span<const DatumId> forms, const Context& ctx, Span span) {
    std::vector<CoreId> parts;
    parts.reserve(forms.size());
    for (size_t i = 0; i < forms.size(); ++i)
        parts.push_back(expand(forms[i], i + 1 == forms.size() ? ctx : ctx.not_tail()));
    if (parts.empty()) return core_.leaf(core_.unspecified(span), ctx);
    return core_.seq(parts, span);
}

CoreId Walk::expand_form(Form form, DatumId d, const Context& ctx) {
    const auto parts = reports_.list(d, "a form");
    if (!parts) return core_.unspecified(syntax_.span(d));
    switch (group_of(form)) {
    case FormGroup::scheme: return all_.scheme.expand(form, d, ctx);
    case FormGroup::binding: return all_.binding.expand(form, d, ctx);
    case FormGroup::model: return all_.model.expand(form, d, ctx);
    case FormGroup::wait: return all_.waits.expand(form, d, ctx);
    case FormGroup::arrow:
        if (ctx.arrows != nullptr) return ctx.arrows->arrow(std::span(*parts).subspan(1), syntax_.span(d), ctx);
        return reports_.fail(
            d, "an arrow may stand only at the end of a machine's clause or in tail position of its action");
    case FormGroup::definition:
    case FormGroup::top_level:
    case FormGroup::auxiliary: return misplaced(form, d);
    }
    return core_.unspecified(syntax_.span(d));
}

CoreId Walk::misplaced(Form form, DatumId d) {
    const std::string name(name_of(syntax_.base_name(data_.car(d))));
    switch (group_of(form)) {
    case FormGroup::definition:
        return reports_.fail(d, "a definition is not an expression",
                             "definitions stand at the top level or at the start of a body");
    case FormGroup::top_level: return reports_.fail(d, "`" + name + "` may stand only at the top level");
    default: break;
    }
    if (form == Form::unquote || form == Form::unquote_splicing)
        return reports_.fail(d, "`" + name + "` outside of a quasiquote");
    if (form == Form::syntax_rules)
        return reports_.fail(d, "`syntax-rules` may stand only in define-syntax, let-syntax or letrec-syntax");
    return reports_.fail(d, "`" + name + "` has no meaning here");
}

} // namespace espalier
