#include "lang/expand/bodies.hpp"

#include <functional>

#include "lang/expand/expansion.hpp"
#include "lang/expand/machine_expander.hpp"

namespace espalier {

namespace {

// One body. The first pass finds the names that it binds, the second expands what they are bound to.
class Body : Part {
public:
    Body(Expansion& all, const Context& ctx, Span at) : Part(all), ctx_(ctx), at_(at), scope_(ctx.scope) {}

    void find_names(std::span<const DatumId> forms);
    CoreId expand();

private:
    struct Item {
        LocalId local = no_local; // none: an expression, for its effect or as the body's value
        std::function<CoreId()> expand;
    };
    bool definition(Form form, DatumId d); // false: it is none
    void define(DatumId d);
    void define_values(DatumId d);
    void define_channel_or_timer(Form form, DatumId d);
    void define_machine(DatumId d);
    LocalId bind(DatumId name);
    Context inside() const { return {scope_, ctx_.numbering, nullptr}; }

    const Context& ctx_;
    const Span at_;
    Scope* scope_; // the definitions', once there is one
    bool defines_ = false;
    std::vector<Item> items_;
};

LocalId Body::bind(DatumId name) {
    const Binding* known = scope_->find(syntax_.ident(name));
    for (const Item& i : items_) {
        if (known == nullptr || *known != Binding{Binding::Kind::local, index(i.local)}) continue;
        if (!reports_.first_time(syntax_.span(name), "twice")) break;
        diagnostics_.error(syntax_.span(name), "`" + syntax_.show(name) + "` is defined twice in this body")
            .notes.push_back({Severity::note, program_[i.local].span, "first defined here", {}, {}});
        break;
    }
    const LocalId local = core_.new_local(name);
    scope_->bind(syntax_.ident(name), {Binding::Kind::local, index(local)});
    return local;
}

void Body::find_names(std::span<const DatumId> forms) {
    std::vector<DatumId> work(forms.rbegin(), forms.rend());
    while (!work.empty()) {
        const DatumId d = all_.macros.expand_head(work.back(), scope_);
        work.pop_back();
        const auto form = names_.head_form(data_, d, scope_);
        if (form == Form::begin) {
            if (auto parts = reports_.list(d, "a form"); parts && parts->size() > 1) {
                work.insert(work.end(), parts->rbegin(), parts->rend() - 1);
                continue;
            }
        }
        if (form && definition(*form, d)) continue;
        const bool last = work.empty();
        items_.push_back({no_local, [this, d, last] {
                              return all_.walk.expand(d, {scope_, ctx_.numbering, last ? ctx_.arrows : nullptr});
                          }});
    }
}

bool Body::definition(Form form, DatumId d) {
    if (group_of(form) != FormGroup::definition) return false;
    // Parameters stay visible, but may be redefined: definitions get a scope of their own.
    if (!defines_) scope_ = names_.new_scope(ctx_.scope);
    defines_ = true;
    switch (form) {
    case Form::define: define(d); break;
    case Form::define_values: define_values(d); break;
    case Form::define_record_type: all_.records.define(d, scope_); break;
    case Form::define_syntax: all_.macros.define_syntax(d, scope_); break;
    case Form::define_channel:
    case Form::define_timer: define_channel_or_timer(form, d); break;
    case Form::define_machine: define_machine(d); break;
    default: break;
    }
    return true;
}

void Body::define(DatumId d) {
    auto def = all_.bodies.parse_define(d);
    if (!def) return;
    const LocalId local = bind(def->name);
    items_.push_back({local, [this, def = std::move(*def), d, local] {
                          const Symbol name = syntax_.base_name(def.name);
                          const CoreId value = def.procedure ? all_.scheme.expand_lambda(def.params, def.body, name,
                                                                                         syntax_.span(d), inside())
                                                             : all_.scheme.expand_named(def.value, name, inside());
                          core_.know_lambda(local, value);
                          return value;
                      }});
}

void Body::define_values(DatumId d) {
    const Span at = syntax_.span(d);
    const auto parts = reports_.list(d, "a definition");
    const auto formals = parts && parts->size() == 3 ? all_.binding.value_names((*parts)[1]) : std::nullopt;
    if (!formals) {
        reports_.fail(d, "malformed `define-values`", "its shape is (define-values (name ...) expression)");
        return;
    }
    const LocalId packed = core_.temporary("values", at);
    items_.push_back({packed, [this, value = (*parts)[2]] { return all_.walk.expand(value, inside()); }});
    const auto count = static_cast<uint32_t>(formals->names.size());
    for (uint32_t i = 0; i < count; ++i) {
        items_.push_back({bind(formals->names[i]), [this, packed, i, count, rest = formals->rest, at] {
                              return all_.binding.unpack(packed, i, count, rest, at);
                          }});
    }
    if (count == 0)
        items_.push_back({no_local, [this, packed, at] { return all_.binding.unpack(packed, 0, 0, false, at); }});
}

void Body::define_channel_or_timer(Form form, DatumId d) {
    const auto parts = syntax_.elements(d);
    const bool early = parts && parts->size() == 3 && form == Form::define_timer && syntax_.named((*parts)[2], "early");
    if (!parts || (parts->size() != 2 && !early) || !syntax_.is_identifier((*parts)[1])) {
        const std::string name = syntax_.show(data_.car(d));
        reports_.fail(d, "malformed `" + name + "`", "its shape is (" + name + " name)");
        return;
    }
    const Prim timer = early ? Prim::make_early_timer : Prim::make_timer;
    const Prim make = form == Form::define_channel ? Prim::make_channel : timer;
    items_.push_back({bind((*parts)[1]), [this, d, make] { return core_.prim(make, {}, syntax_.span(d)); }});
}

void Body::define_machine(DatumId d) {
    const auto name = all_.bodies.machine_name(d);
    if (!name) return;
    const LocalId local = bind(*name);
    items_.push_back({local, [this, d, local] {
                          const CoreId value = expand_machine(all_, d, inside());
                          core_.know_lambda(local, value);
                          return value;
                      }});
}

CoreId Body::expand() {
    if (items_.empty() || items_.back().local != no_local) {
        if (!reports_.gave_up()) reports_.fail(at_, "a body must end with an expression");
        return core_.unspecified(at_);
    }
    std::vector<LocalId> locals;
    std::vector<CoreId> inits;
    bool any = false;
    for (const Item& item : items_) {
        locals.push_back(item.local);
        inits.push_back(item.expand());
        any = any || item.local != no_local;
    }
    if (!any) return core_.seq(inits, at_);
    // Expressions after the last definition belong to the body proper.
    size_t definitions = locals.size() - 1;
    while (definitions > 0 && locals[definitions - 1] == no_local) --definitions;
    const CoreId value = core_.seq(std::span(inits).subspan(definitions), at_);
    return make_letrec(program_, std::span(locals).first(definitions), std::span(inits).first(definitions), value, at_);
}

} // namespace

CoreId Bodies::expand(std::span<const DatumId> forms, const Context& ctx, Span at) {
    Body body(all_, ctx, at);
    body.find_names(forms);
    return body.expand();
}

std::optional<DatumId> Bodies::machine_name(DatumId d) {
    const auto parts = syntax_.elements(d);
    if (parts && parts->size() >= 2 && data_.is_pair((*parts)[1]) && syntax_.is_identifier(data_.car((*parts)[1])))
        return data_.car((*parts)[1]);
    reports_.fail(d, "malformed `define-machine`",
                  "its shape is (define-machine (name parameter ...) (state ...) ...)");
    return std::nullopt;
}

std::optional<Definition> Bodies::parse_define(DatumId d) {
    const char* shape = "its shape is (define name expression) or (define (name parameter ...) body ...)";
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return std::nullopt;
    if (parts->size() < 2) {
        reports_.fail(d, "malformed `define`", shape);
        return std::nullopt;
    }
    Definition def{(*parts)[1], DatumId{}, false, DatumId{}, {}};
    if (data_.is_pair(def.name)) {
        def.procedure = true;
        def.params = data_.cdr(def.name);
        def.name = data_.car(def.name);
        def.body.assign(parts->begin() + 2, parts->end());
        if (def.body.empty()) {
            reports_.fail(d, "the procedure `" + syntax_.show(def.name) + "` needs a body");
            return std::nullopt;
        }
    } else if (parts->size() == 3) {
        def.value = (*parts)[2];
    } else {
        reports_.fail(d, "malformed `define`", shape);
        return std::nullopt;
    }
    if (!syntax_.is_identifier(def.name)) {
        reports_.fail(def.name, "`define` needs a name, found `" + syntax_.show(def.name) + "`", shape);
        return std::nullopt;
    }
    return def;
}

} // namespace espalier
