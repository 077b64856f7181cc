#include "lang/expand/top_level.hpp"

#include "lang/expand/expansion.hpp"
#include "lang/expand/machine_expander.hpp"

namespace espalier {

TopLevel::TopLevel(Expansion& all) : Part(all) { numbering_.scope = intern("top"); }

void TopLevel::expand_prelude(std::span<const DatumId> forms) {
    core_.set_in_prelude(true);
    for (DatumId form : forms) declare(form, names_.base(), true);
    for (auto& f : late_) f();
    late_.clear();
    names_.begin_model();
    core_.set_in_prelude(false);
}

void TopLevel::expand_model(std::span<const DatumId> forms) {
    growth_.begin_model();
    if (diagnostics_.has_errors()) names_.lose_text();
    for (DatumId form : forms) declare(form, names_.user(), false);
    for (auto& f : declarations_) f();
    all_.wheres.define_all();
    for (size_t i = 0; i < late_.size(); ++i) late_[i]();
    late_.clear();
    start_as_built_in();
    all_.prelude.keep_used(program_);
    if (!diagnostics_.has_errors()) warn_unused();
}

void TopLevel::declare(DatumId original, Scope* scope, bool prelude) {
    if (!growth_.enter(syntax_.span(original))) return;
    const Growth::Level level(growth_);
    const DatumId d = all_.macros.expand_head(original, scope);
    const auto form = names_.head_form(data_, d, scope);
    if (form == Form::begin) {
        if (auto parts = reports_.list(d, "a form")) {
            for (size_t i = 1; i < parts->size(); ++i) declare((*parts)[i], scope, prelude);
        }
        return;
    }
    const bool expression =
        !form || (group_of(*form) != FormGroup::definition && group_of(*form) != FormGroup::top_level);
    if (!expression) {
        declare_definition(*form, d, scope, prelude);
        return;
    }
    late_.push_back([this, d, scope] { program_.top.push_back(all_.walk.expand(d, {scope, &numbering_, nullptr})); });
}

void TopLevel::declare_definition(Form form, DatumId d, Scope* scope, bool prelude) {
    switch (form) {
    case Form::include: all_.includes.include(d, scope); break;
    case Form::import: all_.includes.check_imports(d); break;
    case Form::define: define(d, scope, prelude); break;
    case Form::define_values: define_values(d, scope); break;
    case Form::define_record_type: all_.records.define(d, scope); break;
    case Form::define_syntax: all_.macros.define_syntax(d, scope); break;
    case Form::define_type: all_.types.define(d, scope); break;
    case Form::define_message: all_.messages.define(d, scope); break;
    case Form::define_port: all_.ports.define(d, scope); break;
    case Form::define_channel: define_channel(d, scope); break;
    case Form::define_timer: define_timer(d, scope); break;
    case Form::define_machine:
        if (const auto name = all_.bodies.machine_name(d))
            define_global(*name, scope, false, [this, d](const Context& ctx) { return expand_machine(all_, d, ctx); });
        break;
    default: break;
    }
}

void TopLevel::define_global(DatumId name, Scope* scope, bool prelude, MakeValue value) {
    const GlobalId id = core_.new_global(syntax_.base_name(name), syntax_.span(name), prelude);
    // The prelude's helpers, whose names start with %, are its own.
    if (prelude && name_of(syntax_.base_name(name))[0] == '%') scope = names_.inside();
    names_.declare(name, scope, {Binding::Kind::global, index(id)});
    if (!prelude && names_.base()->find(syntax_.ident(name)) != nullptr)
        redefinitions_.emplace(index(id), Redefinition{syntax_.ident(name), false, false});
    late_.push_back(
        [this, id, prelude, value = std::move(value), at = syntax_.span(name)] { set_global(id, prelude, value, at); });
}

void TopLevel::set_global(GlobalId id, bool prelude, const MakeValue& value, Span at) {
    if (auto it = redefinitions_.find(index(id)); it != redefinitions_.end()) it->second.defined = true;
    const CoreId core = value({prelude ? names_.inside() : names_.user(), &numbering_, nullptr});
    const CoreId definition = core_.node(core::GlobalSet{id, core, true}, at);
    if (std::holds_alternative<core::Lambda>(program_[core].kind)) program_.global_lambda[index(id)] = core;
    if (prelude) {
        all_.prelude.add(id, definition);
    } else {
        program_.top.push_back(definition);
    }
}

void TopLevel::note_use(GlobalId global) {
    if (auto it = redefinitions_.find(index(global)); it != redefinitions_.end() && !it->second.defined)
        it->second.used_before = true;
}

void TopLevel::define(DatumId d, Scope* scope, bool prelude) {
    auto def = all_.bodies.parse_define(d);
    if (!def) return;
    const DatumId global = def->name;
    define_global(global, scope, prelude, [this, def = std::move(*def), d](const Context& ctx) {
        const Symbol name = syntax_.base_name(def.name);
        Numbering own{{}, name, false};
        const Context inner{ctx.scope, &own, nullptr};
        if (def.procedure) return all_.scheme.expand_lambda(def.params, def.body, name, syntax_.span(d), inner);
        // A procedure's branches are counted within it, those of any other value with the top level's.
        const bool procedure =
            data_.is_pair(def.value) && (names_.is_form(data_.car(def.value), ctx.scope, Form::lambda) ||
                                         names_.is_form(data_.car(def.value), ctx.scope, Form::case_lambda));
        return all_.scheme.expand_named(def.value, name, procedure ? inner : ctx);
    });
}

void TopLevel::define_values(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    const auto formals = parts->size() == 3 ? all_.binding.value_names((*parts)[1]) : std::nullopt;
    if (!formals) {
        reports_.fail(d, "malformed `define-values`", "its shape is (define-values (name ...) expression)");
        return;
    }
    std::vector<GlobalId> globals;
    for (DatumId n : formals->names) {
        globals.push_back(core_.new_global(syntax_.base_name(n), syntax_.span(n), false));
        names_.declare(n, scope, {Binding::Kind::global, index(globals.back())});
    }
    late_.push_back(
        [this, d, globals, rest = formals->rest, value = (*parts)[2]] { set_values(d, value, globals, rest); });
}

void TopLevel::set_values(DatumId d, DatumId value, std::span<const GlobalId> globals, bool rest) {
    const Span at = syntax_.span(d);
    const LocalId packed = core_.temporary("values", at);
    const CoreId init = all_.walk.expand(value, {names_.user(), &numbering_, nullptr});
    std::vector<CoreId> sets;
    const auto count = static_cast<uint32_t>(globals.size());
    for (uint32_t i = 0; i < count; ++i) {
        const CoreId one = all_.binding.unpack(packed, i, count, rest, at);
        sets.push_back(core_.node(core::GlobalSet{globals[i], one, true}, at));
    }
    if (globals.empty()) sets.push_back(all_.binding.unpack(packed, 0, 0, rest, at));
    const CoreId all = core_.seq(sets, at);
    program_.top.push_back(core_.let(packed, init, all, at));
}

std::optional<std::vector<DatumId>> TopLevel::named_parts(DatumId d) {
    auto parts = reports_.list(d, "a definition");
    if (parts && parts->size() >= 2 && syntax_.is_identifier((*parts)[1])) return parts;
    const std::string name = syntax_.show(data_.car(d));
    reports_.fail(d, "malformed `" + name + "`", "its shape is (" + name + " name)");
    return std::nullopt;
}

void TopLevel::define_channel(DatumId d, Scope* scope) {
    const auto parts = named_parts(d);
    if (!parts) return;
    if (parts->size() != 2) reports_.fail(d, "malformed `define-channel`", "its shape is (define-channel name)");
    define_global((*parts)[1], scope, false,
                  [this, d](const Context&) { return core_.prim(Prim::make_channel, {}, syntax_.span(d)); });
}

void TopLevel::define_timer(DatumId d, Scope* scope) {
    const auto parts = named_parts(d);
    if (!parts) return;
    const bool early = parts->size() == 3 && syntax_.named((*parts)[2], "early");
    if (parts->size() != 2 && !early)
        reports_.fail(d, "malformed `define-timer`", "its shape is (define-timer name) or (define-timer name early)");
    define_global((*parts)[1], scope, false, [this, d, early](const Context&) {
        return core_.prim(early ? Prim::make_early_timer : Prim::make_timer, {}, syntax_.span(d));
    });
}

// (define old-abs abs) (define (abs x) … (old-abs x) …): what stands above a new definition of a built-in name sees the
// built-in one. So where there is such a use, the name starts out as the built-in procedure and is assigned later.
void TopLevel::start_as_built_in() {
    for (const auto& [global, r] : redefinitions_) {
        if (!r.used_before) continue;
        const Binding b = *names_.base()->find(r.name);
        const Span at = program_.globals[global].span;
        CoreId value = no_core;
        if (b.kind == Binding::Kind::global) value = core_.node(core::GlobalRef{GlobalId{b.id}}, at);
        if (b.kind == Binding::Kind::op) value = all_.calls.operator_value(b.id, at);
        if (b.kind == Binding::Kind::constant) value = core_.constant(names_.value(b.id), at);
        if (value == no_core) continue;
        program_.globals[global].assigned = true;
        program_.top.insert(program_.top.begin(), core_.node(core::GlobalSet{GlobalId{global}, value, true}, at));
    }
}

namespace {
void warn(Diagnostics& diagnostics, Span at, std::string_view name) {
    diagnostics.warning(at, "`" + std::string(name) + "` is defined but never used");
}
} // namespace

// Types, messages, ports, records and macros that nothing refers to; variables are checked later, on the core forms.
void TopLevel::warn_unused() {
    for (const auto& [name, at] : names_.defined_at()) {
        if ((name & alias_bit) != 0 || names_.was_used(name)) continue;
        const Binding b = *names_.user()->find(Ident{name});
        const bool port = b.kind == Binding::Kind::constant && names_.value(b.id).is_port();
        if (b.kind == Binding::Kind::type || b.kind == Binding::Kind::macro || port)
            warn(diagnostics_, at, name_of(Symbol{name}));
    }
    warn_unused_groups();
}

// A message or record gives several names, and is used where one of them is.
void TopLevel::warn_unused_groups() {
    std::vector<bool> message_used(program_.messages.size(), false), record_used(program_.records.size(), false);
    for (const auto& [name, at] : names_.defined_at()) {
        const Binding b = *names_.user()->find(Ident{name});
        if (b.kind != Binding::Kind::op || !names_.was_used(name)) continue;
        const Operator& op = names_.op(b.id);
        (op.of_message() ? message_used : record_used)[op.which] = true;
    }
    for (size_t m = 0; m < message_used.size(); ++m) {
        if (!message_used[m]) warn(diagnostics_, program_.messages[m].span, name_of(program_.messages[m].name));
    }
    for (size_t r = 0; r < record_used.size(); ++r) {
        if (!record_used[r] && !all_.records.is_local(static_cast<uint32_t>(r)))
            warn(diagnostics_, program_.records[r].span, name_of(program_.records[r].name));
    }
}

} // namespace espalier
