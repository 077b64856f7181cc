// The walk over data: what each datum is, and which form expands it.
#include "lang/expand/expander.hpp"

#include <algorithm>

#include "lang/expand/stopped.hpp"

namespace espalier {

namespace {

std::string with_commas(uint32_t n) {
    std::string text = std::to_string(n);
    for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

constexpr std::string_view machine_words[] = {"state", "on",   "entry",   "locals", "initial",
                                              "final", "done", "ignores", "with"};
bool is_machine_word(std::string_view name) {
    return std::find(std::begin(machine_words), std::end(machine_words), name) != std::end(machine_words);
}

} // namespace

bool Expander::enter(Span span) {
    if (gave_up_) return false;
    if (bounds_.stop != nullptr && bounds_.stop->load(std::memory_order_relaxed)) throw CompileStopped();
    if (depth_ > bounds_.levels) {
        const std::string levels = " (more than " + with_commas(bounds_.levels) + " levels)";
        fail(span,
             (macro_used_at(span) == nullptr ? "nested too deeply" : "this macro use expands without end") + levels);
        gave_up_ = true;
        return false;
    }
    if (data_.size() > data_limit_ || program_.nodes.size() > core_limit_) {
        fail(span, "the expansion of macros is too large");
        gave_up_ = true;
        return false;
    }
    return true;
}

bool Expander::propagates_tail(Form form) const {
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

CoreId Expander::expand(DatumId d, const Context& ctx) {
    if (!enter(span(d))) return unspecified(span(d));
    const DepthGuard guard(depth_);
    return expand_inner(d, ctx);
}

CoreId Expander::expand_inner(DatumId d, const Context& ctx) {
    switch (data_[d].kind) {
    case DatumKind::symbol:
    case DatumKind::alias: return leaf(expand_identifier(d, ctx), ctx);
    case DatumKind::null: return fail(d, "`()` is not an expression", "write '() for the empty list");
    case DatumKind::pair: break;
    default: return leaf(constant(literal(d), span(d)), ctx);
    }
    const DatumId head = data_.car(d);
    if (is_identifier(head)) {
        const Binding b = lookup(head, ctx.scope);
        // What cannot be an expression is not looked into.
        const bool machine_word =
            b.kind == Binding::Kind::none && (is_machine_word(name_of(base_name(head))) || named(head, "where"));
        if (machine_word || (b.kind == Binding::Kind::absent && absents_[b.id].syntax))
            return expand_identifier(head, ctx);
        if (b.kind == Binding::Kind::form) {
            const Form form = static_cast<Form>(b.id);
            if (ctx.arrows == nullptr || propagates_tail(form)) return expand_form(form, d, ctx);
            return leaf(expand_form(form, d, ctx.not_tail()), ctx);
        }
        if (b.kind == Binding::Kind::macro) {
            return expand(expand_macro(macros_[b.id], d, ctx.scope), ctx);
        }
    }
    return leaf(expand_call(d, ctx.not_tail()), ctx);
}

CoreId Expander::expand_identifier(DatumId d, const Context& ctx) {
    const Binding b = lookup(d, ctx.scope);
    const std::string name(name_of(base_name(d)));
    switch (b.kind) {
    case Binding::Kind::local: return local_ref(LocalId{b.id}, span(d));
    case Binding::Kind::global:
        if (auto it = redefinitions_.find(b.id); it != redefinitions_.end() && !it->second.defined)
            it->second.used_before = true;
        return node(core::GlobalRef{GlobalId{b.id}}, span(d));
    case Binding::Kind::op: return operator_value(b.id, span(d));
    case Binding::Kind::constant: return constant(constants_[b.id], span(d));
    case Binding::Kind::form: return fail(d, "`" + name + "` is a form, not a value", "use it as (" + name + " ...)");
    case Binding::Kind::macro: return fail(d, "`" + name + "` is a macro, not a value");
    case Binding::Kind::type: return fail(d, "`" + name + "` is a type, not a value");
    case Binding::Kind::absent: return fail(d, "`" + name + "` is not in the language", absents_[b.id].instead);
    case Binding::Kind::none: break;
    }
    if (name == "where") return fail(d, "a clause has one `where`, directly after its trigger");
    if (is_machine_word(name)) {
        return fail(d, "`" + name + "` has a meaning only inside define-machine");
    }
    if (text_lost_) return node(core::Const{Value::unbound()}, span(d)); // its definition may be what could not be read
    return fail(d, "`" + name + "` is not defined", suggest(name, ctx.scope, [](const Binding& c) {
                    return c.kind == Binding::Kind::local || c.kind == Binding::Kind::global ||
                           c.kind == Binding::Kind::op || c.kind == Binding::Kind::constant ||
                           c.kind == Binding::Kind::form || c.kind == Binding::Kind::macro;
                }));
}

CoreId Expander::expand_sequence(std::span<const DatumId> forms, const Context& ctx, Span span) {
    std::vector<CoreId> parts;
    parts.reserve(forms.size());
    for (size_t i = 0; i < forms.size(); ++i)
        parts.push_back(expand(forms[i], i + 1 == forms.size() ? ctx : ctx.not_tail()));
    if (parts.empty()) return leaf(unspecified(span), ctx);
    return seq(parts, span);
}

CoreId Expander::expand_form(Form form, DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const std::span<const DatumId> args(parts->data() + 1, parts->size() - 1);
    const std::string name(name_of(base_name(parts->front())));
    auto wrong = [&](const char* shape) {
        return fail(d, "malformed `" + name + "`", std::string("its shape is ") + shape);
    };
    auto one = [&](auto make) {
        return args.size() == 1 ? node(make(expand(args[0], ctx)), span(d))
                                : wrong(("(" + name + " expression)").c_str());
    };
    switch (form) {
    case Form::quote: return expand_quote(d, ctx);
    case Form::quasiquote: return args.size() == 1 ? expand_quasi(args[0], 1, ctx) : wrong("(quasiquote template)");
    case Form::lambda:
        if (args.size() < 2) return wrong("(lambda (parameter ...) body ...)");
        return expand_lambda(args[0], args.subspan(1), intern("lambda"), span(d), ctx);
    case Form::case_lambda: return expand_case_lambda(d, intern("lambda"), ctx);
    case Form::set: return expand_set(d, ctx);
    case Form::if_: return expand_if(d, ctx);
    case Form::cond: return expand_cond(d, ctx);
    case Form::case_: return expand_case(d, ctx);
    case Form::and_: return expand_and_or(d, true, ctx);
    case Form::or_: return expand_and_or(d, false, ctx);
    case Form::when: return expand_when_unless(d, true, ctx);
    case Form::unless: return expand_when_unless(d, false, ctx);
    case Form::let:
    case Form::let_star:
    case Form::letrec:
    case Form::letrec_star: return expand_let(d, form, ctx);
    case Form::let_values: return expand_let_values(d, false, ctx);
    case Form::let_star_values: return expand_let_values(d, true, ctx);
    case Form::do_: return expand_do(d, ctx);
    case Form::begin:
        if (args.empty()) return fail(d, "an empty `begin` is not an expression");
        return expand_sequence(args, ctx, span(d));
    case Form::let_syntax: return expand_let_syntax(d, false, ctx);
    case Form::letrec_syntax: return expand_let_syntax(d, true, ctx);
    case Form::syntax_error: {
        std::string text;
        for (DatumId a : args) {
            if (!text.empty()) text += ' ';
            text += data_.is(a, DatumKind::string) && text.empty() ? data_.text(a) : print_datum(data_, a);
        }
        return fail(d, text);
    }
    case Form::apply_list:
        if (args.size() != 2) return wrong("(%apply procedure list)");
        {
            const CoreId f = expand(args[0], ctx);
            const CoreId last = expand(args[1], ctx);
            return node(core::Call{f, program_.add_list(std::span<const CoreId>(&last, 1)), true}, span(d));
        }
    case Form::define:
    case Form::define_values:
    case Form::define_record_type:
    case Form::define_syntax:
        return fail(d, "a definition is not an expression",
                    "definitions stand at the top level or at the start of a body");
    case Form::define_type:
    case Form::define_message:
    case Form::define_port: return fail(d, "`" + name + "` may stand only at the top level");
    case Form::define_channel:
    case Form::define_timer:
    case Form::define_machine:
        return fail(d, "a definition is not an expression",
                    "definitions stand at the top level or at the start of a body");
    case Form::include:
    case Form::import: return fail(d, "`" + name + "` may stand only at the top level");
    case Form::read: return expand_read(d, ctx);
    case Form::write: return expand_write(d, ctx);
    case Form::choose: return expand_choose(d, ctx);
    case Form::fresh: return expand_fresh(d, ctx);
    case Form::any:
        if (!args.empty()) return wrong("(any)");
        return constant(Value::any(), span(d));
    case Form::type_values: return expand_type_values(d, ctx);
    case Form::assume: return one([](CoreId c) { return core::Assume{c}; });
    case Form::assert_: return one([&](CoreId c) { return core::Assert{c, error_site(ctx)}; });
    case Form::select: return expand_select(d, ctx);
    case Form::start:
        if (args.size() != 2) return wrong("(start timer delay)");
        {
            const CoreId timer = not_a_port(expand(args[0], ctx), "a timer", {});
            return node(core::StartTimer{timer, expand(args[1], ctx)}, span(d));
        }
    case Form::stop:
        if (args.size() != 1) return wrong("(stop timer)");
        return node(core::StopTimer{not_a_port(expand(args[0], ctx), "a timer", {})}, span(d));
    case Form::spawn: return expand_spawn(d, false, ctx);
    case Form::spawn_service: return expand_spawn(d, true, ctx);
    case Form::send:
        if (args.size() != 2) return wrong("(send channel value)");
        {
            const CoreId channel =
                not_a_port(expand(args[0], ctx), "a channel", "use (write " + show(args[0]) + " message)");
            return node(core::Send{channel, expand(args[1], ctx)}, span(d));
        }
    case Form::receive: return expand_receive(d, ctx);
    case Form::checkpoint: return expand_checkpoint(d, ctx);
    case Form::requirement: return expand_requirement(d, ctx);
    case Form::to: {
        if (ctx.arrows == nullptr) {
            return fail(d,
                        "an arrow may stand only at the end of a machine's clause or in tail position of its action");
        }
        return ctx.arrows->arrow(args, span(d), ctx);
    }
    case Form::unquote:
    case Form::unquote_splicing: return fail(d, "`" + name + "` outside of a quasiquote");
    case Form::syntax_rules:
        return fail(d, "`syntax-rules` may stand only in define-syntax, let-syntax or letrec-syntax");
    case Form::else_:
    case Form::arrow:
    case Form::ellipsis:
    case Form::underscore: return fail(d, "`" + name + "` has no meaning here");
    }
    return unspecified(span(d));
}

} // namespace espalier
