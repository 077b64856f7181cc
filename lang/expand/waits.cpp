#include "lang/expand/waits.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "lang/expand/expansion.hpp"
#include "lang/ir/overloaded.hpp"

namespace espalier {

CoreId Waits::expand(Form form, DatumId d, const Context& ctx) {
    switch (form) {
    case Form::read: return expand_read(d, ctx);
    case Form::receive: return expand_receive(d, ctx);
    case Form::select: return expand_select(d, ctx);
    default: throw std::logic_error("a form of another group");
    }
}

CoreId Waits::select(std::vector<CoreClause> clauses, Span at) {
    const auto first = static_cast<uint32_t>(program_.clauses.size());
    for (CoreClause& c : clauses) program_.clauses.push_back(std::move(c));
    return core_.node(core::Select{first, static_cast<uint32_t>(clauses.size())}, at);
}

CoreId Waits::wait_for_one(CoreClause clause, DatumId place) {
    const Span at = syntax_.span(place);
    clause.span = at;
    clause.whole = core_.temporary("message", at);
    clause.from_port = core_.temporary("from-port", at);
    all_.ports.check_direction(clause, at);
    all_.wheres.add_test(clause);
    clause.body = core_.local_ref(clause.whole, at);
    std::vector<CoreClause> clauses;
    clauses.push_back(std::move(clause));
    return select(std::move(clauses), at);
}

CoreId Waits::expand_read(DatumId d, const Context& ctx) {
    const std::vector<DatumId> parts = *syntax_.elements(d);
    const Span at = syntax_.span(d);
    if (parts.size() > 2)
        return reports_.fail(d, "malformed `read`", "its shape is (read), (read port) or (read type)");
    CoreClause clause;
    if (parts.size() == 1 || all_.types.looks_like_type(parts[1], ctx.scope)) {
        const auto type =
            parts.size() == 1 ? std::optional(all_.types.add(type::Int{}, at)) : all_.types.parse(parts[1], ctx.scope);
        if (!type) return core_.unspecified(at);
        clause.filter = SelectClause::Filter::bare;
        clause.type = *type;
        clause.source = core_.constant(Value::port(PortId{0}), at);
    } else {
        clause.source = all_.walk.expand(parts[1], ctx);
    }
    return wait_for_one(std::move(clause), d);
}

CoreId Waits::expand_receive(DatumId d, const Context& ctx) {
    const std::vector<DatumId> parts = *syntax_.elements(d);
    if (parts.size() != 2) return reports_.fail(d, "malformed `receive`", "its shape is (receive channel)");
    CoreClause clause;
    clause.source = all_.walk.expand(parts[1], ctx);
    if (all_.ports.static_port(clause.source)) {
        const std::string name = syntax_.show(parts[1]);
        return reports_.fail(parts[1], "`" + name + "` is a port", "use (read " + name + ")");
    }
    return wait_for_one(std::move(clause), d);
}

CoreId Waits::expand_select(DatumId d, const Context& ctx) {
    const std::vector<DatumId> parts = *syntax_.elements(d);
    if (parts.size() < 2) return reports_.fail(d, "`select` needs a clause");
    std::vector<CoreClause> clauses;
    bool channel_possible = false;
    for (size_t i = 1; i < parts.size(); ++i) {
        const DatumId c = parts[i];
        const auto items = syntax_.elements(c);
        if (!items || items->empty())
            return reports_.fail(c, "malformed clause of `select`",
                                 "its shape is ((source Message) (where test) body ...)");
        CoreClause clause;
        std::span<const DatumId> rest = std::span(*items).subspan(1);
        Scope* scope = nullptr;
        if (names_.is_form((*items)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts.size()) return reports_.fail(c, "`else` must be the last clause");
            if (!channel_possible)
                return reports_.fail(
                    c, "`else` is for channels: from a port the tester sends only what some clause accepts");
            clause = else_clause(c);
            scope = names_.new_scope(ctx.scope);
        } else {
            scope = all_.triggers.parse((*items)[0], rest, ctx, clause);
            if (scope == nullptr) continue;
            if (clause.kind == SelectClause::Kind::message && !all_.ports.static_port(clause.source))
                channel_possible = true;
        }
        const Span at = syntax_.span(c);
        clause.body =
            rest.empty() ? core_.leaf(core_.unspecified(at), ctx) : all_.bodies.expand(rest, ctx.in(scope), at);
        clauses.push_back(std::move(clause));
    }
    warn_shadowed(clauses);
    if (clauses.empty()) return core_.unspecified(syntax_.span(d));
    return select(std::move(clauses), syntax_.span(d));
}

CoreClause Waits::else_clause(DatumId d) {
    CoreClause clause;
    clause.kind = SelectClause::Kind::other;
    clause.span = syntax_.span(d);
    clause.whole = core_.temporary("message", clause.span);
    clause.from_port = core_.temporary("from-port", clause.span);
    return clause;
}

namespace {

// What a clause waits for, where two of the same surely wait for the same.
struct Source {
    enum class Kind : uint8_t { constant, global, local };
    Kind kind;
    uint64_t which;
    friend bool operator<(const Source& a, const Source& b) {
        return std::tie(a.kind, a.which) < std::tie(b.kind, b.which);
    }
};

std::optional<Source> source_of(const CoreProgram& program, CoreId source) {
    using Kind = Source::Kind;
    const CoreKind& kind = program[source].kind;
    if (const auto* c = std::get_if<core::Const>(&kind)) return Source{Kind::constant, c->value.bits()};
    if (const auto* g = std::get_if<core::GlobalRef>(&kind)) return Source{Kind::global, index(g->global)};
    const auto* l = std::get_if<core::LocalRef>(&kind);
    if (l == nullptr || program[l->local].assigned) return std::nullopt;
    return Source{Kind::local, index(l->local)};
}

} // namespace

void Waits::warn_shadowed(std::span<const CoreClause> clauses) {
    using Kind = SelectClause::Kind;
    using Filter = SelectClause::Filter;
    constexpr uint64_t all = UINT64_MAX;
    using Key = std::tuple<Kind, Source, uint64_t>; // kind, source, and one type of message or all
    std::map<Key, size_t> takers;                   // the first of each that takes all of it
    for (size_t i = 0; i < clauses.size(); ++i) {
        const CoreClause& c = clauses[i];
        if (c.kind == Kind::other) continue;
        const auto source = source_of(program_, c.source);
        if (!source) continue;
        const bool one_type = c.kind == Kind::message && c.filter == Filter::message;
        size_t earlier = i;
        const auto find = [&](uint64_t what) {
            if (const auto at = takers.find({c.kind, *source, what}); at != takers.end())
                earlier = std::min(earlier, at->second);
        };
        find(all);
        if (one_type) find(index(c.message));
        const std::string text = "this clause is never taken: an earlier one takes all that it would";
        if (earlier < i && reports_.first_time(c.span, text))
            diagnostics_.warning(c.span, text)
                .notes.push_back({Severity::note, clauses[earlier].span, "the earlier clause", {}, {}});
        if (c.author_tests == 0 && (one_type || c.kind != Kind::message || c.filter == Filter::any))
            takers.try_emplace({c.kind, *source, one_type ? uint64_t{index(c.message)} : all}, i);
    }
}

} // namespace espalier
