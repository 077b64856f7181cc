#include "lang/expand/triggers.hpp"

#include "lang/expand/expansion.hpp"
#include "lang/values/number.hpp"

namespace espalier {

namespace {
constexpr const char* shape = "a trigger is (source Message), (source (Message field ...)), (source Message as name), "
                              "(source any as name), (timeout timer) or (after delay)";
}

bool Triggers::is_word(DatumId d, std::string_view word, const Context& ctx) const {
    return syntax_.named(d, word) && names_.lookup(d, ctx.scope).kind == Binding::Kind::none;
}

Scope* Triggers::parse(DatumId trigger, std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause) {
    const auto parts = syntax_.elements(trigger);
    if (!parts || parts->size() < 2) {
        reports_.fail(trigger, "malformed trigger", shape);
        return nullptr;
    }
    clause.span = syntax_.span(trigger);
    Scope* scope = names_.new_scope(ctx.scope);
    const bool timer = is_word((*parts)[0], "timeout", ctx);
    const bool fine = timer || is_word((*parts)[0], "after", ctx) ? parse_time(trigger, *parts, timer, ctx, clause)
                                                                  : parse_message(trigger, *parts, scope, ctx, clause);
    return fine && parse_where(rest, {scope, ctx.numbering, nullptr}, clause) ? scope : nullptr;
}

bool Triggers::parse_time(DatumId trigger, Parts parts, bool timer, const Context& ctx, CoreClause& clause) {
    if (parts.size() != 2) {
        reports_.fail(trigger, "malformed trigger", shape);
        return false;
    }
    clause.kind = timer ? SelectClause::Kind::timer : SelectClause::Kind::after;
    clause.source = all_.walk.expand(parts[1], ctx.not_tail());
    if (timer) all_.ports.not_a_port(clause.source, "a timer", {});
    return true;
}

bool Triggers::parse_message(DatumId trigger, Parts parts, Scope* scope, const Context& ctx, CoreClause& clause) {
    clause.kind = SelectClause::Kind::message;
    if (says_unknown(parts[0], ctx)) return false;
    clause.source = all_.walk.expand(parts[0], ctx.not_tail());
    clause.whole = core_.temporary("message", clause.span);
    clause.from_port = core_.temporary("from-port", clause.span);
    if (!parse_pattern(parts[1], ctx, clause, scope)) return false;
    if (parts.size() == 4 && syntax_.named(parts[2], "as") && syntax_.is_identifier(parts[3])) {
        program_[clause.whole].name = syntax_.base_name(parts[3]);
        program_[clause.whole].generated = data_.is(parts[3], DatumKind::alias);
        program_[clause.whole].span = syntax_.span(parts[3]);
        bind_in_pattern(parts[3], clause.whole, scope, ctx);
    } else if (parts.size() != 2) {
        reports_.fail(trigger, "malformed trigger", shape);
        return false;
    }
    all_.ports.check_direction(clause, syntax_.span(parts[1]));
    all_.wheres.add_test(clause);
    return true;
}

bool Triggers::says_unknown(DatumId source, const Context& ctx) {
    if (!syntax_.is_identifier(source) || names_.lookup(source, ctx.scope).kind != Binding::Kind::none ||
        names_.text_lost())
        return false;
    Scope words;
    words.parent = ctx.scope;
    for (std::string_view w : {"timeout", "after"}) words.bind(Ident{index(intern(w))}, {Binding::Kind::local, 0});
    const auto usable = [](const Binding& b) {
        return b.kind == Binding::Kind::local || b.kind == Binding::Kind::global || b.kind == Binding::Kind::constant;
    };
    const std::string_view name = name_of(syntax_.base_name(source));
    reports_.fail(source, "`" + std::string(name) + "` is not defined", names_.suggest(name, &words, usable));
    return true;
}

bool Triggers::parse_pattern(DatumId pattern, const Context& ctx, CoreClause& clause, Scope* scope) {
    const bool bare_name = syntax_.is_identifier(pattern);
    if (bare_name && syntax_.named(pattern, "any")) return true;
    const auto parts = bare_name ? std::optional(std::vector<DatumId>{pattern}) : syntax_.elements(pattern);
    if (!parts || parts->empty()) {
        reports_.fail(pattern, "malformed pattern",
                      "its shape is Message or (Message field ...), where a field is a name, _ or a literal");
        return false;
    }
    const auto m = all_.messages.named((*parts)[0], ctx.scope);
    if (!m) return false;
    clause.filter = SelectClause::Filter::message;
    clause.message = *m;
    if (bare_name) return true;
    const MessageDef& def = program_.messages[index(*m)];
    if (parts->size() - 1 != def.fields.size()) {
        wrong_count(pattern, def, parts->size() - 1);
        return false;
    }
    for (uint32_t i = 0; i + 1 < parts->size(); ++i) {
        if (!parse_field((*parts)[i + 1], i, ctx, clause, scope)) return false;
    }
    return true;
}

void Triggers::wrong_count(DatumId pattern, const MessageDef& def, size_t count) {
    std::string message = "(" + std::string(name_of(def.name));
    for (const FieldDef& f : def.fields) message += " " + std::string(name_of(f.name));
    reports_.fail(pattern,
                  "`" + std::string(name_of(def.name)) + "` has " + std::to_string(def.fields.size()) +
                      (def.fields.size() == 1 ? " field" : " fields") + ", this pattern " + std::to_string(count),
                  "its shape is " + message + ")");
}

bool Triggers::parse_field(DatumId f, uint32_t i, const Context& ctx, CoreClause& clause, Scope* scope) {
    if (syntax_.is_identifier(f)) {
        if (syntax_.named(f, "_")) return true;
        const LocalId local = core_.new_local(f);
        bind_in_pattern(f, local, scope, ctx);
        clause.fields.emplace_back(local, i);
        return true;
    }
    DatumId datum = f;
    if (data_.is_pair(f)) {
        const auto q = syntax_.elements(f);
        if (!q || q->size() != 2 || !names_.is_form((*q)[0], ctx.scope, Form::quote)) {
            reports_.fail(
                f, "a field of a pattern is a name, _, a literal or a quoted symbol, found `" + syntax_.show(f) + "`",
                "bind a name and test it with (where ...)");
            return false;
        }
        datum = (*q)[1];
    }
    const Value v = syntax_.literal(datum);
    const Span at = syntax_.span(f);
    all_.messages.check_field(clause.message, i, v, at);
    const CoreId field = core_.node(core::MessageRef{clause.message, i, core_.local_ref(clause.whole, at)}, at);
    const Prim same = v.is_object() && !number::is_number(v) ? Prim::equal : Prim::eqv;
    const CoreId test = core_.prim(same, {field, core_.constant(v, at)}, at);
    clause.tests.push_back({test, BranchOrigin::generated, 0});
    ++clause.author_tests;
    return true;
}

void Triggers::bind_in_pattern(DatumId name, LocalId local, Scope* scope, const Context& ctx) {
    const Binding hidden = names_.lookup(name, ctx.scope);
    const bool variable = hidden.kind == Binding::Kind::local ||
                          (hidden.kind == Binding::Kind::global && !program_.globals[hidden.id].prelude);
    if (variable && !data_.is(name, DatumKind::alias)) {
        const std::string text =
            "`" + syntax_.show(name) + "` in this pattern binds a new variable and hides the one outside";
        if (reports_.first_time(syntax_.span(name), text))
            diagnostics_.warning(syntax_.span(name), text,
                                 "to compare with it, bind another name and use (where (equal? ...))");
    }
    if (scope->find(syntax_.ident(name)) != nullptr)
        reports_.fail(name, "`" + syntax_.show(name) + "` appears twice in this pattern");
    scope->bind(syntax_.ident(name), {Binding::Kind::local, index(local)});
}

bool Triggers::parse_where(std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause) {
    if (rest.empty() || !data_.is_pair(rest[0]) || !syntax_.is_identifier(data_.car(rest[0]))) return true;
    const DatumId word = data_.car(rest[0]);
    if (!syntax_.named(word, "where")) {
        if (names_.lookup(word, ctx.scope).kind != Binding::Kind::none || names_.text_lost()) return true;
        Scope words;
        words.bind(Ident{index(intern("where"))}, {});
        const std::string hint =
            names_.suggest(name_of(syntax_.base_name(word)), &words, [](const Binding&) { return true; });
        if (hint.empty()) return true;
        reports_.fail(word, "`" + syntax_.show(word) + "` is not defined", hint);
        return false;
    }
    const auto where = syntax_.elements(rest[0]);
    if (!where || where->size() != 2) {
        reports_.fail(rest[0], "malformed `where`", "its shape is (where expression)");
        return false;
    }
    const uint32_t number = core_.decide(ctx);
    clause.tests.push_back({all_.walk.expand((*where)[1], ctx), BranchOrigin::guard, number});
    ++clause.author_tests;
    rest = rest.subspan(1);
    return true;
}

} // namespace espalier
