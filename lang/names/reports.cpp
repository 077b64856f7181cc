#include "lang/names/reports.hpp"

#include "lang/names/names.hpp"
#include "lang/names/syntax.hpp"

namespace espalier {

CoreId Reports::fail(Span span, std::string text, std::string hint) {
    std::string key = std::to_string(index(span.file)) + ":" + std::to_string(span.begin) + ":" + text;
    if (!gave_up_ && reported_.insert(std::move(key)).second) {
        Diagnostic& d = diagnostics_.error(span, std::move(text), std::move(hint));
        if (const Macro* m = macro_used_at(span)) {
            d.notes.push_back({Severity::note,
                               m->span,
                               "in the expansion of the macro `" + std::string(name_of(m->name)) + "`, defined here",
                               {},
                               {}});
        }
    }
    return program_.add(core::Const{Value::unbound()}, span);
}

CoreId Reports::fail(DatumId d, std::string text, std::string hint) {
    return fail(syntax_.span(d), std::move(text), std::move(hint));
}

bool Reports::failed(CoreId id) const {
    const auto* c = std::get_if<core::Const>(&program_[id].kind);
    return c != nullptr && c->value.is_unbound();
}

std::optional<std::vector<DatumId>> Reports::list(DatumId d, std::string_view what) {
    auto out = syntax_.elements(d);
    if (!out) fail(d, "expected " + std::string(what) + ", found `" + syntax_.show(d) + "`");
    return out;
}

CoreId Reports::give_up(Span span, std::string text) {
    const CoreId stand_in = fail(span, std::move(text));
    gave_up_ = true;
    return stand_in;
}

bool Reports::first_time(Span place, std::string_view text) {
    return reported_.insert(std::to_string(place.begin).append(text)).second;
}

void Reports::note_macro_use(Span place, const Macro& macro) {
    macro_uses_.emplace(std::pair(index(place.file), place.begin), &macro);
}

const Macro* Reports::macro_used_at(Span place) const {
    const auto it = macro_uses_.find({index(place.file), place.begin});
    return it == macro_uses_.end() ? nullptr : it->second;
}

} // namespace espalier
