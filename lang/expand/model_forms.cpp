#include "lang/expand/model_forms.hpp"

#include <stdexcept>

#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {

std::string collapse_blanks(std::string_view text) {
    std::string out;
    for (char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

} // namespace

CoreId ModelForms::expand(Form form, DatumId d, const Context& ctx) {
    const std::vector<DatumId> parts = *syntax_.elements(d);
    const Parts args = std::span(parts).subspan(1);
    switch (form) {
    case Form::write: return expand_write(d, parts, ctx);
    case Form::choose: return expand_choose(d, parts, ctx);
    case Form::fresh: return expand_fresh(d, parts, ctx);
    case Form::any: return args.empty() ? core_.constant(Value::any(), syntax_.span(d)) : wrong(d, "(any)");
    case Form::type_values: return expand_type_values(d, parts, ctx);
    case Form::assume:
    case Form::assert_: return expand_condition(form, d, args, ctx);
    case Form::start:
    case Form::stop: return expand_timer(form, d, args, ctx);
    case Form::spawn: return expand_spawn(d, parts, false, ctx);
    case Form::spawn_service: return expand_spawn(d, parts, true, ctx);
    case Form::send: return expand_send(d, args, ctx);
    case Form::checkpoint: return expand_checkpoint(d, parts);
    case Form::requirement: return expand_requirement(d, parts);
    default: throw std::logic_error("a form of another group");
    }
}

CoreId ModelForms::wrong(DatumId d, const std::string& shape) {
    const std::string name(name_of(syntax_.base_name(data_.car(d))));
    return reports_.fail(d, "malformed `" + name + "`", "its shape is " + shape);
}

CoreId ModelForms::expand_condition(Form form, DatumId d, Parts args, const Context& ctx) {
    if (args.size() != 1) return wrong(d, "(" + std::string(name_of(syntax_.base_name(data_.car(d)))) + " expression)");
    const CoreId condition = all_.walk.expand(args[0], ctx);
    if (form == Form::assume) return core_.node(core::Assume{condition}, syntax_.span(d));
    return core_.node(core::Assert{condition, core_.error_site(ctx)}, syntax_.span(d));
}

CoreId ModelForms::expand_timer(Form form, DatumId d, Parts args, const Context& ctx) {
    const bool start = form == Form::start;
    if (args.size() != (start ? 2 : 1)) return wrong(d, start ? "(start timer delay)" : "(stop timer)");
    const CoreId timer = all_.ports.not_a_port(all_.walk.expand(args[0], ctx), "a timer", {});
    if (!start) return core_.node(core::StopTimer{timer}, syntax_.span(d));
    return core_.node(core::StartTimer{timer, all_.walk.expand(args[1], ctx)}, syntax_.span(d));
}

CoreId ModelForms::expand_send(DatumId d, Parts args, const Context& ctx) {
    if (args.size() != 2) return wrong(d, "(send channel value)");
    const CoreId operand = all_.walk.expand(args[0], ctx);
    const CoreId channel =
        all_.ports.not_a_port(operand, "a channel", "use (write " + syntax_.show(args[0]) + " message)");
    return core_.node(core::Send{channel, all_.walk.expand(args[1], ctx)}, syntax_.span(d));
}

CoreId ModelForms::expand_spawn(DatumId d, Parts parts, bool service, const Context& ctx) {
    const Span at = syntax_.span(d);
    if (parts.size() < 2)
        return reports_.fail(d, "`" + syntax_.show(parts[0]) + "` needs an expression to run in the new thread");
    const CoreId body = all_.bodies.expand(parts.subspan(1), {names_.new_scope(ctx.scope), ctx.numbering, nullptr}, at);
    return core_.node(core::Spawn{core_.thunk(body, "thread", at), service}, at);
}

CoreId ModelForms::expand_choose(DatumId d, Parts parts, const Context& ctx) {
    if (parts.size() < 2) return reports_.fail(d, "`choose` needs an alternative");
    std::vector<CoreId> alternatives;
    for (const DatumId a : parts.subspan(1)) alternatives.push_back(all_.walk.expand(a, ctx));
    return core_.node(core::Choose{program_.add_list(alternatives)}, syntax_.span(d));
}

CoreId ModelForms::expand_fresh(DatumId d, Parts parts, const Context& ctx) {
    if (parts.size() != 2 && parts.size() != 3)
        return reports_.fail(d, "malformed `fresh`", "its shape is (fresh type) or (fresh type list)");
    const auto type = all_.types.parse(parts[1], ctx.scope);
    if (!type) return core_.unspecified(syntax_.span(d));
    const CoreId others = parts.size() == 3 ? all_.walk.expand(parts[2], ctx) : no_core;
    return core_.node(core::Fresh{*type, others}, syntax_.span(d));
}

// (type-values type): the values of an enum or bool type, so that they need not be listed again.
CoreId ModelForms::expand_type_values(DatumId d, Parts parts, const Context& ctx) {
    if (parts.size() != 2) return reports_.fail(d, "malformed `type-values`", "its shape is (type-values type)");
    const auto type = all_.types.parse(parts[1], ctx.scope);
    if (!type) return core_.unspecified(syntax_.span(d));
    const TypeKind& kind = program_.types[index(*type)].kind;
    if (const auto* e = std::get_if<type::Enum>(&kind))
        return core_.constant(program_.literals->list(e->values), syntax_.span(d));
    if (std::holds_alternative<type::Bool>(kind)) {
        const Value both[] = {Value::boolean(false), Value::boolean(true)};
        return core_.constant(program_.literals->list(both), syntax_.span(d));
    }
    return reports_.fail(parts[1], "`type-values` lists the values of an enum or of bool");
}

CoreId ModelForms::expand_write(DatumId d, Parts parts, const Context& ctx) {
    if (parts.size() != 2 && parts.size() != 3)
        return reports_.fail(d, "malformed `write`", "its shape is (write port message) or (write value)");
    const bool bare = parts.size() == 2;
    if (!bare && syntax_.is_identifier(parts[1]) && names_.is_message(names_.lookup(parts[1], ctx.scope))) {
        return reports_.fail(parts[1], "`" + syntax_.show(parts[1]) + "` is a message, not a port",
                             "its shape is (write port message)");
    }
    const CoreId port =
        bare ? core_.constant(Value::port(PortId{1}), syntax_.span(d)) : all_.walk.expand(parts[1], ctx);
    const CoreId value = all_.walk.expand(parts.back(), ctx);
    return checked_write(d, parts, port, value);
}

CoreId ModelForms::checked_write(DatumId d, Parts parts, CoreId port, CoreId value) {
    const bool bare = parts.size() == 2;
    const auto write = [&] { return core_.node(core::Write{port, value}, syntax_.span(d)); };
    if (reports_.failed(port) || reports_.failed(value)) return write();
    const auto p = all_.ports.static_port(port);
    if (!p) {
        if (std::holds_alternative<core::Const>(program_[port].kind))
            return reports_.fail(parts[1], "`" + syntax_.show(parts[1]) + "` is not a port");
        return write();
    }
    const auto* made = std::get_if<core::MakeMessage>(&program_[value].kind);
    if (bare && made != nullptr) {
        return reports_.fail(parts.back(),
                             "`" + std::string(name_of(program_.messages[index(made->message)].name)) +
                                 "` is a message and needs a port",
                             "its shape is (write port message)");
    }
    if (const CoreId wrong = all_.ports.check_write(*p, value, parts[1], parts.back()); wrong != no_core) return wrong;
    return write();
}

CoreId ModelForms::expand_checkpoint(DatumId d, Parts parts) {
    if (parts.size() < 2) return reports_.fail(d, "a checkpoint needs a name");
    const std::string name = checkpoint_name(parts.subspan(1));
    return core_.node(core::Mark{core_.target(TargetKind::checkpoint, name, {}, syntax_.span(d))}, syntax_.span(d));
}

// A string, or the words as the author wrote them; where a macro made them, as they print.
std::string ModelForms::checkpoint_name(Parts words) {
    if (words.size() == 1 && data_.is(words[0], DatumKind::string)) return data_.text(words[0]);
    const Span first = syntax_.span(words.front());
    const Span last = syntax_.span(words.back());
    bool as_written = true;
    for (const DatumId w : words)
        as_written = as_written && !data_.is(w, DatumKind::alias) && syntax_.span(w).file == first.file;
    if (as_written && last.end >= first.begin && first.known())
        return collapse_blanks(all_.sources.text(join(first, last)));
    std::string name;
    for (size_t i = 0; i < words.size(); ++i) {
        const DatumId w = words[i];
        if (i > 0) name += " ";
        name += syntax_.is_identifier(w) ? std::string(name_of(syntax_.base_name(w))) : print_datum(data_, w);
    }
    return name;
}

CoreId ModelForms::expand_requirement(DatumId d, Parts parts) {
    if (parts.size() < 2 || parts.size() > 3 || !data_.is(parts[1], DatumKind::string) ||
        (parts.size() == 3 && !data_.is(parts[2], DatumKind::string))) {
        return reports_.fail(d, "malformed `requirement`", "its shape is (requirement \"ID\" \"text\")");
    }
    const std::string text = parts.size() == 3 ? data_.text(parts[2]) : std::string();
    const TargetId id = core_.target(TargetKind::requirement, data_.text(parts[1]), text, syntax_.span(d));
    Target& known = program_.targets[index(id)];
    if (known.text.empty()) known.text = text; // one place says it, the others only name it
    if (!text.empty() && known.text != text && reports_.first_time(syntax_.span(d), known.name)) {
        diagnostics_
            .warning(syntax_.span(parts[2]), "the requirement \"" + known.name + "\" has another text elsewhere")
            .notes.push_back({Severity::note, known.span, "there", {}, {}});
    }
    return core_.node(core::Mark{id}, syntax_.span(d));
}

} // namespace espalier
