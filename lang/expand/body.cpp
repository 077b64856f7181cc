// Bodies: definitions and expressions in one scope, as a letrec*; and the definitions that both bodies and the top
// level know.
#include <algorithm>

#include "lang/expand/expander.hpp"

namespace espalier {

DatumId Expander::expand_macro_head(DatumId form, Scope* scope) {
    uint32_t turns = 0;
    while (data_.is_pair(form) && is_identifier(data_.car(form))) {
        const Binding b = lookup(data_.car(form), scope);
        if (b.kind != Binding::Kind::macro) break;
        macro_uses_.emplace(std::pair(index(span(form).file), span(form).begin), &macros_[b.id]);
        depth_ += ++turns;
        const bool fine = enter(span(form));
        depth_ -= turns;
        if (!fine) break;
        form = expand_macro(macros_[b.id], form, scope);
    }
    return form;
}

std::optional<Expander::Definition> Expander::parse_define(DatumId d) {
    const char* shape = "its shape is (define name expression) or (define (name parameter ...) body ...)";
    const auto parts = list(d, "a definition");
    if (!parts) return std::nullopt;
    if (parts->size() < 2) {
        fail(d, "malformed `define`", shape);
        return std::nullopt;
    }
    Definition def{(*parts)[1], DatumId{}, false, DatumId{}, {}};
    if (data_.is_pair(def.name)) {
        def.procedure = true;
        def.params = data_.cdr(def.name);
        def.name = data_.car(def.name);
        def.body.assign(parts->begin() + 2, parts->end());
        if (def.body.empty()) {
            fail(d, "the procedure `" + show(def.name) + "` needs a body");
            return std::nullopt;
        }
    } else if (parts->size() == 3) {
        def.value = (*parts)[2];
    } else {
        fail(d, "malformed `define`", shape);
        return std::nullopt;
    }
    if (!is_identifier(def.name)) {
        fail(def.name, "`define` needs a name, found `" + show(def.name) + "`", shape);
        return std::nullopt;
    }
    return def;
}

CoreId Expander::expand_body(std::span<const DatumId> forms, const Context& ctx, Span at) {
    // First pass: which names does this body bind?
    struct Item {
        LocalId local = no_local;
        std::function<CoreId()> expand;
    };
    std::vector<Item> items;
    Scope* scope = ctx.scope;
    bool defines = false;
    std::vector<DatumId> work(forms.rbegin(), forms.rend());
    auto bind = [&](DatumId name) {
        if (const Binding* b = scope->find(ident(name)); b != nullptr && b->kind == Binding::Kind::local) {
            for (const Item& i : items) {
                if (i.local == LocalId{b->id}) {
                    if (!reported_.insert(std::to_string(span(name).begin) + "twice").second) break;
                    diagnostics_.error(span(name), "`" + show(name) + "` is defined twice in this body")
                        .notes.push_back({Severity::note, program_[i.local].span, "first defined here", {}, {}});
                    break;
                }
            }
        }
        const LocalId local = new_local(name);
        scope->bind(ident(name), {Binding::Kind::local, index(local)});
        return local;
    };
    auto own_scope = [&] {
        // Parameters stay visible, but may be redefined: definitions get a scope of their own.
        if (!defines) {
            scope = new_scope(ctx.scope);
            defines = true;
        }
    };
    while (!work.empty()) {
        const DatumId form = expand_macro_head(work.back(), scope);
        work.pop_back();
        Form head = Form::quote;
        if (data_.is_pair(form) && is_identifier(data_.car(form))) {
            const Binding b = lookup(data_.car(form), scope);
            if (b.kind == Binding::Kind::form) head = static_cast<Form>(b.id);
        }
        switch (head) {
        case Form::begin:
            if (auto parts = list(form, "a form"); parts && parts->size() > 1) {
                for (size_t i = parts->size(); i-- > 1;) work.push_back((*parts)[i]);
                continue;
            }
            break;
        case Form::define: {
            own_scope();
            auto def = parse_define(form);
            if (!def) continue;
            const LocalId local = bind(def->name);
            items.push_back({local, [this, def = std::move(*def), form, &scope, &ctx, local] {
                                 const Context c{scope, ctx.numbering, nullptr};
                                 const Symbol name = base_name(def.name);
                                 const CoreId value = def.procedure
                                                          ? expand_lambda(def.params, def.body, name, span(form), c)
                                                          : expand_named(def.value, name, c);
                                 if (std::holds_alternative<core::Lambda>(program_[value].kind))
                                     program_[local].lambda = value;
                                 return value;
                             }});
            continue;
        }
        case Form::define_values: {
            own_scope();
            const auto parts = list(form, "a definition");
            std::vector<DatumId> names;
            bool rest = false;
            if (!parts || parts->size() != 3 || !parse_values_formals((*parts)[1], names, rest)) {
                fail(form, "malformed `define-values`", "its shape is (define-values (name ...) expression)");
                continue;
            }
            const LocalId packed = temporary("values", span(form));
            items.push_back({packed, [this, value = (*parts)[2], &scope, &ctx] {
                                 return expand(value, {scope, ctx.numbering, nullptr});
                             }});
            const auto count = static_cast<uint32_t>(names.size());
            for (uint32_t i = 0; i < count; ++i) {
                items.push_back({bind(names[i]), [this, packed, i, count, rest, form] {
                                     return unpack(packed, i, count, rest, span(form));
                                 }});
            }
            if (count == 0)
                items.push_back({no_local, [this, packed, form] { return unpack(packed, 0, 0, false, span(form)); }});
            continue;
        }
        case Form::define_record_type:
            own_scope();
            define_record(form, scope);
            continue;
        case Form::define_syntax:
            own_scope();
            define_syntax(form, scope);
            continue;
        case Form::define_channel:
        case Form::define_timer: {
            own_scope();
            const auto parts = elements(form);
            const bool early = parts && parts->size() == 3 && head == Form::define_timer && named((*parts)[2], "early");
            if (!parts || (parts->size() != 2 && !early) || !is_identifier((*parts)[1])) {
                fail(form, "malformed `" + show(data_.car(form)) + "`",
                     "its shape is (" + show(data_.car(form)) + " name)");
                continue;
            }
            const Prim make = head == Form::define_channel ? Prim::make_channel
                              : early                      ? Prim::make_early_timer
                                                           : Prim::make_timer;
            items.push_back({bind((*parts)[1]), [this, form, make] { return prim(make, {}, span(form)); }});
            continue;
        }
        case Form::define_machine: {
            own_scope();
            const auto parts = elements(form);
            if (!parts || parts->size() < 2 || !data_.is_pair((*parts)[1]) || !is_identifier(data_.car((*parts)[1]))) {
                fail(form, "malformed `define-machine`",
                     "its shape is (define-machine (name parameter ...) (state ...) ...)");
                continue;
            }
            const LocalId local = bind(data_.car((*parts)[1]));
            items.push_back({local, [this, form, &scope, &ctx, local] {
                                 const CoreId value = expand_machine(form, {scope, ctx.numbering, nullptr});
                                 if (std::holds_alternative<core::Lambda>(program_[value].kind))
                                     program_[local].lambda = value;
                                 return value;
                             }});
            continue;
        }
        default: break;
        }
        const bool last = work.empty();
        items.push_back({no_local, [this, form, last, &scope, &ctx] {
                             return expand(form, {scope, ctx.numbering, last ? ctx.arrows : nullptr});
                         }});
    }
    if (items.empty() || items.back().local != no_local) {
        if (!gave_up_) fail(at, "a body must end with an expression");
        return unspecified(at);
    }
    std::vector<LocalId> locals;
    std::vector<CoreId> inits;
    bool any = false;
    for (size_t i = 0; i < items.size(); ++i) {
        locals.push_back(items[i].local);
        inits.push_back(items[i].expand());
        any = any || items[i].local != no_local;
    }
    if (!any) return seq(inits, at);
    const CoreId last = inits.back();
    inits.pop_back();
    locals.pop_back();
    // Expressions after the last definition belong to the body proper.
    std::vector<CoreId> tail{last};
    while (!locals.empty() && locals.back() == no_local) {
        tail.insert(tail.begin(), inits.back());
        inits.pop_back();
        locals.pop_back();
    }
    return make_letrec(program_, locals, inits, seq(tail, at), at);
}

// (define-record-type name (constructor field …) predicate (field accessor [modifier]) …)
void Expander::define_record(DatumId d, Scope* scope) {
    const char* shape =
        "its shape is (define-record-type name (constructor field ...) predicate (field accessor modifier) ...)";
    const auto parts = list(d, "a definition");
    if (!parts) return;
    if (parts->size() < 4 || !is_identifier((*parts)[1])) {
        fail(d, "malformed `define-record-type`", shape);
        return;
    }
    const DatumId type_name = (*parts)[1];
    const RecordId record{static_cast<uint32_t>(program_.records.size())};
    RecordDef def{base_name(type_name), span(type_name), {}};
    auto add = [&](DatumId name, Operator::Kind kind, int arity, uint32_t field, std::vector<uint32_t> order = {}) {
        Operator op{kind,
                    base_name(name),
                    arity,
                    Prim{},
                    index(record),
                    field,
                    std::move(order),
                    GlobalId{UINT32_MAX},
                    span(name),
                    false};
        declare(name, scope, {Binding::Kind::op, add_operator(std::move(op))});
    };
    struct Field {
        DatumId name;
        std::vector<DatumId> spec;
    };
    std::vector<Field> fields;
    for (size_t i = 4; i < parts->size(); ++i) {
        auto spec =
            is_identifier((*parts)[i]) ? std::optional(std::vector<DatumId>{(*parts)[i]}) : elements((*parts)[i]);
        if (!spec || spec->empty() || spec->size() > 3) {
            fail((*parts)[i], "malformed field of a record",
                 "its shape is (field accessor) or (field accessor modifier)");
            return;
        }
        for (DatumId s : *spec) {
            if (!is_identifier(s)) {
                fail(s, "expected a name, found `" + show(s) + "`", shape);
                return;
            }
        }
        if (std::find(def.fields.begin(), def.fields.end(), base_name((*spec)[0])) != def.fields.end()) {
            fail((*spec)[0], "the field `" + show((*spec)[0]) + "` appears twice");
            return;
        }
        def.fields.push_back(base_name((*spec)[0]));
        fields.push_back({(*spec)[0], *spec});
    }
    auto field_index = [&](DatumId name) -> std::optional<uint32_t> {
        for (uint32_t i = 0; i < fields.size(); ++i) {
            if (ident(fields[i].name) == ident(name)) return i;
        }
        fail(name, "`" + show(name) + "` is not a field of the record `" + show(type_name) + "`");
        return std::nullopt;
    };
    program_.records.push_back(def);
    if (scope != user_) local_records_.insert(index(record));
    const DatumId constructor = (*parts)[2];
    if (data_.is_pair(constructor)) {
        const auto names = list(constructor, "a constructor");
        if (!names) return;
        std::vector<uint32_t> order;
        for (size_t i = 0; i < names->size(); ++i) {
            if (!is_identifier((*names)[i])) {
                fail((*names)[i], "expected a name, found `" + show((*names)[i]) + "`", shape);
                return;
            }
            if (i == 0) continue;
            const auto f = field_index((*names)[i]);
            if (!f) return;
            order.push_back(*f);
        }
        add((*names)[0], Operator::Kind::make_record, static_cast<int>(order.size()), 0, order);
    } else if (is_identifier(constructor)) {
        std::vector<uint32_t> order;
        for (uint32_t i = 0; i < fields.size(); ++i) order.push_back(i);
        add(constructor, Operator::Kind::make_record, static_cast<int>(order.size()), 0, order);
    } else if (!(data_.is(constructor, DatumKind::boolean) && data_[constructor].a == 0)) {
        fail(constructor, "malformed constructor", shape);
    }
    if (is_identifier((*parts)[3])) {
        add((*parts)[3], Operator::Kind::record_is, 1, 0);
    } else if (!(data_.is((*parts)[3], DatumKind::boolean) && data_[(*parts)[3]].a == 0)) {
        fail((*parts)[3], "malformed predicate", shape);
    }
    for (uint32_t i = 0; i < fields.size(); ++i) {
        if (fields[i].spec.size() > 1) add(fields[i].spec[1], Operator::Kind::record_ref, 1, i);
        if (fields[i].spec.size() > 2) add(fields[i].spec[2], Operator::Kind::record_set, 2, i);
    }
    // The type's own name is a value only for the printer; it may not clash with a variable.
    if (scope->find(ident(type_name)) == nullptr) {
        constants_.push_back(Value::symbol(base_name(type_name)));
        declare(type_name, scope, {Binding::Kind::constant, static_cast<uint32_t>(constants_.size() - 1)});
    }
}

void Expander::define_syntax(DatumId d, Scope* scope) {
    const auto parts = list(d, "a definition");
    if (!parts) return;
    if (parts->size() != 3 || !is_identifier((*parts)[1])) {
        fail(d, "malformed `define-syntax`",
             "its shape is (define-syntax name (syntax-rules (literal ...) (pattern template) ...))");
        return;
    }
    const DatumId name = (*parts)[1];
    // (define-syntax a b) where b is a macro or a form: another name for it.
    if (is_identifier((*parts)[2])) {
        const Binding b = lookup((*parts)[2], scope);
        if (b.kind == Binding::Kind::macro || b.kind == Binding::Kind::form) {
            declare(name, scope, b);
            return;
        }
    }
    auto macro = parse_syntax_rules((*parts)[2], base_name(name), scope);
    if (!macro) return;
    macro->span = span(name);
    if (declare(name, scope, {Binding::Kind::macro, static_cast<uint32_t>(macros_.size())}))
        macros_.push_back(std::move(*macro));
}

} // namespace espalier
