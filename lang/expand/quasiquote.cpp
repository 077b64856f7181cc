#include "lang/expand/quasiquote.hpp"

#include "lang/expand/expansion.hpp"

namespace espalier {

bool Quasiquote::is_constant(CoreId id) const { return std::holds_alternative<core::Const>(program_[id].kind); }
Value Quasiquote::value_of(CoreId id) const { return std::get<core::Const>(program_[id].kind).value; }

CoreId Quasiquote::make_pair(CoreId a, CoreId b, Span at) {
    if (is_constant(a) && is_constant(b)) return core_.constant(program_.literals->cons(value_of(a), value_of(b)), at);
    return core_.prim(Prim::cons, {a, b}, at);
}

CoreId Quasiquote::prelude(std::string_view name, Span at) {
    return core_.node(core::GlobalRef{GlobalId{names_.base()->find(Ident{index(intern(name))})->id}}, at);
}

CoreId Quasiquote::expand(DatumId d, int depth) {
    if (!growth_.enter(syntax_.span(d))) return core_.unspecified(syntax_.span(d));
    const Growth::Level level(growth_);
    if (data_.is(d, DatumKind::vector)) return vector(d, depth);
    if (data_.is_pair(d)) return list(d, depth);
    return core_.constant(syntax_.literal(d), syntax_.span(d));
}

Quasiquote::Item Quasiquote::item(DatumId d, int depth) {
    const auto parts = syntax_.elements(d);
    const bool splice =
        depth == 1 && parts && parts->size() == 2 && names_.is_form((*parts)[0], ctx_.scope, Form::unquote_splicing);
    return {splice ? all_.walk.expand((*parts)[1], ctx_) : expand(d, depth), splice};
}

CoreId Quasiquote::vector(DatumId d, int depth) {
    const Span at = syntax_.span(d);
    bool plain = true;
    std::vector<Item> items;
    for (DatumId e : std::vector<DatumId>(data_.elements(d).begin(), data_.elements(d).end())) {
        items.push_back(item(e, depth));
        plain = plain && !items.back().spliced && is_constant(items.back().value);
    }
    if (plain) return core_.constant(syntax_.literal(d), at);
    CoreId rest = core_.constant(Value::null(), at);
    for (size_t i = items.size(); i-- > 0;) {
        rest = items[i].spliced ? core_.call(prelude("append", at), {items[i].value, rest}, at)
                                : core_.prim(Prim::cons, {items[i].value, rest}, at);
    }
    return core_.call(prelude("list->vector", at), {rest}, at);
}

std::optional<CoreId> Quasiquote::tail(DatumId tail, int depth, Span at) {
    const DatumId word = data_.car(tail);
    const bool two = data_.is_pair(data_.cdr(tail)) && data_.is_null(data_.cdr(data_.cdr(tail)));
    if (!two || !syntax_.is_identifier(word)) return std::nullopt;
    const DatumId operand = data_.car(data_.cdr(tail));
    const bool unquote = names_.is_form(word, ctx_.scope, Form::unquote);
    const bool quasi = names_.is_form(word, ctx_.scope, Form::quasiquote);
    const bool splice = names_.is_form(word, ctx_.scope, Form::unquote_splicing);
    if (unquote && depth == 1) return all_.walk.expand(operand, ctx_);
    if (!unquote && !quasi && !(splice && depth > 1)) return std::nullopt;
    const auto inside = syntax_.elements(operand);
    const bool spliced = !quasi && depth == 2 && inside && inside->size() == 2 &&
                         names_.is_form((*inside)[0], ctx_.scope, Form::unquote_splicing);
    const CoreId operands =
        spliced ? all_.walk.expand((*inside)[1], ctx_)
                : make_pair(expand(operand, quasi ? depth + 1 : depth - 1), core_.constant(Value::null(), at), at);
    return make_pair(core_.constant(Value::symbol(syntax_.base_name(word)), at), operands, at);
}

// Walks the list's spine, then builds it from the back.
CoreId Quasiquote::list(DatumId d, int depth) {
    const Span at = syntax_.span(d);
    std::vector<Item> items;
    std::optional<CoreId> end;
    DatumId spine = d;
    for (; data_.is_pair(spine); spine = data_.cdr(spine)) {
        end = tail(spine, depth, at);
        if (end) break;
        const auto whole = spine == d ? syntax_.elements(d) : std::nullopt;
        if (whole && whole->size() == 2 && names_.is_form((*whole)[0], ctx_.scope, Form::unquote_splicing))
            return reports_.fail(d, "`unquote-splicing` must stand inside a list or vector");
        items.push_back(item(data_.car(spine), depth));
    }
    CoreId rest = end ? *end : expand(spine, depth);
    for (size_t i = items.size(); i-- > 0;) {
        if (!items[i].spliced) {
            rest = make_pair(items[i].value, rest, at);
        } else if (is_constant(rest) && value_of(rest).is_null() && i + 1 == items.size()) {
            rest = items[i].value;
        } else {
            rest = core_.call(prelude("append", at), {items[i].value, rest}, at);
        }
    }
    return rest;
}

} // namespace espalier
