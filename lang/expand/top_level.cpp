// The top level is expanded in two passes: the first declares every name that a definition (or a macro that expands
// into one) introduces, the second expands what stands behind the names. So a procedure may call one that is defined
// below it, and a message may contain one that is declared later.
#include "lang/expand/expander.hpp"

#include <algorithm>

namespace espalier {

namespace {
constexpr size_t max_macro_data = size_t{1} << 24; // more than any sane macro makes of any sane model
constexpr size_t max_core = size_t{1} << 24;       // likewise
constexpr size_t max_weight = size_t{1} << 22;
} // namespace

void Expander::expand_prelude(std::span<const DatumId> forms) {
    in_prelude_ = true;
    for (DatumId form : forms) top_level(form, base_, true);
    for (auto& f : late_) f();
    late_.clear();
    defined_at_.clear(); // the author may define these names anew
    in_prelude_ = false;
}

void Expander::expand_model(std::span<const DatumId> forms) {
    data_limit_ = data_.size() + max_macro_data;
    core_limit_ = program_.nodes.size() + 8 * data_.size() + max_core;
    weight_limit_ = data_.size() + max_weight;
    text_lost_ = diagnostics_.has_errors();
    for (DatumId form : forms) top_level(form, user_, false);
    for (auto& f : declarations_) f();
    define_wheres();
    for (size_t i = 0; i < late_.size(); ++i) late_[i]();
    late_.clear();
    start_as_built_in();
    keep_used_prelude();
    if (!diagnostics_.has_errors()) warn_unused_declarations();
}

bool Expander::declare(DatumId name, Scope* scope, Binding binding) {
    const Ident id = ident(name);
    if (scope == user_ || scope == base_ || scope == inside_) {
        auto [it, fresh] = defined_at_.try_emplace(index(id), span(name));
        if (!fresh) {
            const std::string text = "`" + std::string(name_of(base_name(id))) + "` is defined twice";
            if (reported_.insert(std::to_string(span(name).begin) + text).second) {
                diagnostics_.error(span(name), text)
                    .notes.push_back({Severity::note, it->second, "first defined here", {}, {}});
            }
            return false;
        }
    }
    scope->bind(id, binding);
    return true;
}

GlobalId Expander::define_global(DatumId name, Scope* scope, bool prelude,
                                 std::function<CoreId(const Context&)> value) {
    const GlobalId id = new_global(base_name(name), span(name), prelude);
    // The prelude's helpers, whose names start with %, are its own.
    if (prelude && name_of(base_name(name))[0] == '%') scope = inside_;
    declare(name, scope, {Binding::Kind::global, index(id)});
    if (!prelude && base_->find(ident(name)) != nullptr)
        redefinitions_.emplace(index(id), Redefinition{ident(name), false, false});
    late_.push_back([this, id, prelude, value = std::move(value), at = span(name)] {
        if (auto it = redefinitions_.find(index(id)); it != redefinitions_.end()) it->second.defined = true;
        Context ctx{prelude ? inside_ : user_, &top_numbering_, nullptr};
        const CoreId core = value(ctx);
        const CoreId definition = node(core::GlobalSet{id, core, true}, at);
        if (std::holds_alternative<core::Lambda>(program_[core].kind)) program_.global_lambda[index(id)] = core;
        if (prelude) {
            prelude_definitions_[index(id)] = definition;
            prelude_globals_.push_back(id);
        } else {
            program_.top.push_back(definition);
        }
    });
    return id;
}

void Expander::top_define(DatumId form, Scope* scope, bool prelude) {
    auto def = parse_define(form);
    if (!def) return;
    define_global(def->name, scope, prelude, [this, def = *def, form](const Context& ctx) {
        Numbering own{{}, base_name(def.name), false};
        const Symbol name = base_name(def.name);
        const Context inner{ctx.scope, &own, nullptr};
        if (def.procedure) return expand_lambda(def.params, def.body, name, span(form), inner);
        // A procedure's branches are counted within it, those of any other value with the top level's.
        const bool procedure =
            data_.is_pair(def.value) && (is_form(data_.car(def.value), ctx.scope, Form::lambda) ||
                                         is_form(data_.car(def.value), ctx.scope, Form::case_lambda));
        return expand_named(def.value, name, procedure ? inner : ctx);
    });
}

void Expander::top_define_values(DatumId form, Scope* scope) {
    const auto parts = list(form, "a definition");
    if (!parts) return;
    std::vector<DatumId> names;
    bool rest = false;
    if (parts->size() != 3 || !parse_values_formals((*parts)[1], names, rest)) {
        fail(form, "malformed `define-values`", "its shape is (define-values (name ...) expression)");
        return;
    }
    std::vector<GlobalId> globals;
    for (DatumId n : names) {
        globals.push_back(new_global(base_name(n), span(n), false));
        declare(n, scope, {Binding::Kind::global, index(globals.back())});
    }
    late_.push_back([this, form, globals, rest, value = (*parts)[2]] {
        const Context ctx{user_, &top_numbering_, nullptr};
        const LocalId packed = temporary("values", span(form));
        const CoreId init = expand(value, ctx);
        std::vector<CoreId> sets;
        const auto count = static_cast<uint32_t>(globals.size());
        for (uint32_t i = 0; i < count; ++i) {
            sets.push_back(
                node(core::GlobalSet{globals[i], unpack(packed, i, count, rest, span(form)), true}, span(form)));
        }
        if (globals.empty()) sets.push_back(unpack(packed, 0, 0, rest, span(form)));
        program_.top.push_back(
            node(core::Let{program_.add_list(std::span<const LocalId>(&packed, 1)),
                           program_.add_list(std::span<const CoreId>(&init, 1)), seq(sets, span(form))},
                 span(form)));
    });
}

void Expander::include(DatumId form, Scope* scope) {
    const auto parts = list(form, "a form");
    if (!parts) return;
    for (size_t i = 1; i < parts->size(); ++i) {
        const DatumId name = (*parts)[i];
        if (!data_.is(name, DatumKind::string)) {
            fail(name, "`include` takes file names as strings");
            continue;
        }
        const auto file = load_(data_.text(name), span(name).file);
        if (!file) {
            fail(name, "cannot read the included file \"" + data_.text(name) + "\"");
            continue;
        }
        if (std::find(including_.begin(), including_.end(), *file) != including_.end() || *file == FileId{0}) {
            fail(name, "the file \"" + data_.text(name) + "\" includes itself");
            continue;
        }
        // Files that each include the next one twice are as much text as one likes.
        constexpr size_t most_bytes = size_t{64} << 20, most_files = 10'000;
        included_bytes_ += sources_.text(*file).size();
        if (including_.size() == 100) {
            fail(name, "files include each other more than 100 deep");
            continue;
        }
        if (++included_files_ > most_files || included_bytes_ > most_bytes) {
            fail(name, "too much is included: more than 10,000 files, or 64 megabytes");
            gave_up_ = true;
            return;
        }
        including_.push_back(*file);
        const size_t before = data_.size();
        const size_t errors = diagnostics_.error_count();
        const std::vector<DatumId> included = read_data(sources_, *file, data_, diagnostics_);
        data_limit_ += data_.size() - before;
        core_limit_ += 8 * (data_.size() - before);
        weight_limit_ += data_.size() - before;
        text_lost_ = text_lost_ || diagnostics_.error_count() > errors;
        for (DatumId d : included) top_level(d, scope, false);
        including_.pop_back();
    }
    if (parts->size() < 2) fail(form, "malformed `include`", "its shape is (include \"relative/path.scm\")");
}

// An R7RS program's imports: everything is here already, under its own name.
void Expander::check_imports(DatumId form) {
    for (DatumId sets = data_.cdr(form); data_.is_pair(sets); sets = data_.cdr(sets)) {
        // (rename (prefix (only (library) name) p:) (name other)): one import set inside the other
        DatumId set = data_.car(sets);
        while (data_.is_pair(set) && data_.is_pair(data_.cdr(set)) && data_.is_pair(data_.car(data_.cdr(set)))) {
            const DatumId word = data_.car(set);
            if (named(word, "rename") || named(word, "prefix")) {
                fail(word, "`" + show(word) + "` in an import is not in the language",
                     "every procedure is here already: call it by its own name");
                break;
            }
            set = data_.car(data_.cdr(set));
        }
    }
}

void Expander::top_level(DatumId original, Scope* scope, bool prelude) {
    if (!enter(span(original))) return;
    ++depth_;
    const DatumId form = expand_macro_head(original, scope);
    Form head = Form::quote;
    if (data_.is_pair(form) && is_identifier(data_.car(form))) {
        const Binding b = lookup(data_.car(form), scope);
        if (b.kind == Binding::Kind::form) head = static_cast<Form>(b.id);
    }
    auto definition = [&](auto make) { // (form name extra…): a global with a value of its own
        const auto parts = list(form, "a definition");
        if (!parts || parts->size() < 2 || !is_identifier((*parts)[1])) {
            fail(form, "malformed `" + show(data_.car(form)) + "`",
                 "its shape is (" + show(data_.car(form)) + " name)");
            return;
        }
        make(*parts);
    };
    switch (head) {
    case Form::begin:
        if (auto parts = list(form, "a form")) {
            for (size_t i = 1; i < parts->size(); ++i) top_level((*parts)[i], scope, prelude);
        }
        break;
    case Form::include: include(form, scope); break;
    case Form::import: check_imports(form); break;
    case Form::define: top_define(form, scope, prelude); break;
    case Form::define_values: top_define_values(form, scope); break;
    case Form::define_record_type: define_record(form, scope); break;
    case Form::define_syntax: define_syntax(form, scope); break;
    case Form::define_type: define_type(form, scope); break;
    case Form::define_message: define_message(form, scope); break;
    case Form::define_port: define_port(form, scope); break;
    case Form::define_channel:
        definition([&](const std::vector<DatumId>& parts) {
            if (parts.size() != 2) fail(form, "malformed `define-channel`", "its shape is (define-channel name)");
            define_global(parts[1], scope, false,
                          [this, form](const Context&) { return prim(Prim::make_channel, {}, span(form)); });
        });
        break;
    case Form::define_timer:
        definition([&](const std::vector<DatumId>& parts) {
            const bool early = parts.size() == 3 && named(parts[2], "early");
            if (parts.size() != 2 && !early)
                fail(form, "malformed `define-timer`", "its shape is (define-timer name) or (define-timer name early)");
            define_global(parts[1], scope, false, [this, form, early](const Context&) {
                return prim(early ? Prim::make_early_timer : Prim::make_timer, {}, span(form));
            });
        });
        break;
    case Form::define_machine: {
        const auto parts = elements(form);
        if (!parts || parts->size() < 2 || !data_.is_pair((*parts)[1]) || !is_identifier(data_.car((*parts)[1]))) {
            fail(form, "malformed `define-machine`",
                 "its shape is (define-machine (name parameter ...) (state ...) ...)");
            break;
        }
        define_global(data_.car((*parts)[1]), scope, false,
                      [this, form](const Context& ctx) { return expand_machine(form, ctx); });
        break;
    }
    default:
        late_.push_back([this, form, scope] {
            program_.top.push_back(expand(form, {scope, &top_numbering_, nullptr}));
        });
    }
    --depth_;
}

// Types, messages, ports, records and macros that nothing refers to; variables are checked later, on the core forms.
void Expander::warn_unused_declarations() {
    std::vector<bool> message_used(program_.messages.size(), false), record_used(program_.records.size(), false);
    for (const auto& [name, at] : defined_at_) {
        const Binding b = *user_->find(Ident{name});
        if (b.kind != Binding::Kind::op || !used_names_.contains(name)) continue;
        const Operator& op = operators_[b.id];
        const bool message = op.kind == Operator::Kind::make_message || op.kind == Operator::Kind::message_ref ||
                             op.kind == Operator::Kind::message_is;
        (message ? message_used : record_used)[op.which] = true;
    }
    auto warn = [&](Span at, std::string_view name) {
        diagnostics_.warning(at, "`" + std::string(name) + "` is defined but never used");
    };
    for (const auto& [name, at] : defined_at_) {
        if ((name & alias_bit) != 0 || used_names_.contains(name)) continue;
        const Binding b = *user_->find(Ident{name});
        const std::string_view text = name_of(Symbol{name});
        if (b.kind == Binding::Kind::type) warn(at, text);
        if (b.kind == Binding::Kind::macro) warn(at, text);
        if (b.kind == Binding::Kind::constant && constants_[b.id].is_port()) warn(at, text);
    }
    for (size_t m = 0; m < message_used.size(); ++m) {
        if (!message_used[m]) warn(program_.messages[m].span, name_of(program_.messages[m].name));
    }
    for (size_t r = 0; r < record_used.size(); ++r) {
        if (!record_used[r] && local_records_.count(static_cast<uint32_t>(r)) == 0)
            warn(program_.records[r].span, name_of(program_.records[r].name));
    }
}

// (define old-abs abs) (define (abs x) … (old-abs x) …): what stands above a new definition of a built-in name sees the
// built-in one. So where there is such a use, the name starts out as the built-in procedure and is assigned later.
void Expander::start_as_built_in() {
    for (const auto& [global, r] : redefinitions_) {
        if (!r.used_before) continue;
        const Binding b = *base_->find(r.name);
        const Span at = program_.globals[global].span;
        CoreId value = no_core;
        if (b.kind == Binding::Kind::global) value = node(core::GlobalRef{GlobalId{b.id}}, at);
        if (b.kind == Binding::Kind::op) value = operator_value(b.id, at);
        if (b.kind == Binding::Kind::constant) value = constant(constants_[b.id], at);
        if (value == no_core) continue;
        program_.globals[global].assigned = true;
        program_.top.insert(program_.top.begin(), node(core::GlobalSet{GlobalId{global}, value, true}, at));
    }
}

// What the model does not use of the prelude is not compiled.
void Expander::keep_used_prelude() {
    std::vector<CoreId> work = program_.top;
    std::unordered_set<uint32_t> wanted;
    auto want = [&](GlobalId g) {
        auto it = prelude_definitions_.find(index(g));
        if (it == prelude_definitions_.end() || !wanted.insert(index(g)).second) return;
        work.push_back(it->second);
    };
    while (!work.empty()) {
        const CoreId id = work.back();
        work.pop_back();
        if (const auto* ref = std::get_if<core::GlobalRef>(&program_[id].kind)) want(ref->global);
        for_each_child(program_, id, [&](CoreId child) { work.push_back(child); });
    }
    for (GlobalId g : prelude_globals_) {
        if (wanted.contains(index(g))) program_.prelude.push_back(prelude_definitions_[index(g)]);
    }
}

} // namespace espalier
