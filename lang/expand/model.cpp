// Waiting, writing, choosing, and the marks that the search must reach.
#include <algorithm>
#include <map>
#include <tuple>

#include "lang/expand/expander.hpp"
#include "lang/values/number.hpp"

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

TargetId Expander::target(TargetKind kind, std::string name, std::string text, Span at) {
    const std::string key = std::to_string(static_cast<int>(kind)) + name;
    auto [it, fresh] = target_ids_.try_emplace(key, TargetId{static_cast<uint32_t>(program_.targets.size())});
    if (fresh) program_.targets.push_back({kind, std::move(name), std::move(text), at});
    return it->second;
}

CoreId Expander::expand_checkpoint(DatumId d, const Context&) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2) return fail(d, "a checkpoint needs a name");
    std::string name;
    if (parts->size() == 2 && data_.is((*parts)[1], DatumKind::string)) {
        name = data_.text((*parts)[1]);
    } else {
        bool as_written = true;
        for (size_t i = 1; i < parts->size(); ++i)
            as_written = as_written && !data_.is((*parts)[i], DatumKind::alias) &&
                         span((*parts)[i]).file == span((*parts)[1]).file;
        const Span first = span((*parts)[1]);
        const Span last = span(parts->back());
        if (as_written && last.end >= first.begin && first.known()) {
            name = collapse_blanks(sources_.text(join(first, last)));
        } else {
            for (size_t i = 1; i < parts->size(); ++i)
                name += (i > 1 ? " " : "") + (is_identifier((*parts)[i]) ? std::string(name_of(base_name((*parts)[i])))
                                                                         : print_datum(data_, (*parts)[i]));
        }
    }
    return node(core::Mark{target(TargetKind::checkpoint, name, {}, span(d))}, span(d));
}

// (type-values type): the values of an enum or bool type, so that they need not be listed again.
CoreId Expander::expand_type_values(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() != 2) return fail(d, "malformed `type-values`", "its shape is (type-values type)");
    const auto type = parse_type((*parts)[1], ctx.scope);
    if (!type) return unspecified(span(d));
    const auto& kind = program_.types[index(*type)].kind;
    if (const auto* e = std::get_if<type::Enum>(&kind)) return constant(program_.literals->list(e->values), span(d));
    if (std::holds_alternative<type::Bool>(kind)) {
        const Value both[] = {Value::boolean(false), Value::boolean(true)};
        return constant(program_.literals->list(both), span(d));
    }
    return fail((*parts)[1], "`type-values` lists the values of an enum or of bool");
}

CoreId Expander::expand_requirement(DatumId d, const Context&) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2 || parts->size() > 3 || !data_.is((*parts)[1], DatumKind::string) ||
        (parts->size() == 3 && !data_.is((*parts)[2], DatumKind::string))) {
        return fail(d, "malformed `requirement`", "its shape is (requirement \"ID\" \"text\")");
    }
    const std::string text = parts->size() == 3 ? data_.text((*parts)[2]) : std::string();
    const TargetId id = target(TargetKind::requirement, data_.text((*parts)[1]), text, span(d));
    Target& known = program_.targets[index(id)];
    if (known.text.empty()) known.text = text; // one place says it, the others only name it
    if (!text.empty() && known.text != text && reported_.insert(std::to_string(span(d).begin) + known.name).second) {
        diagnostics_.warning(span((*parts)[2]), "the requirement \"" + known.name + "\" has another text elsewhere")
            .notes.push_back({Severity::note, known.span, "there", {}, {}});
    }
    return node(core::Mark{id}, span(d));
}

CoreId Expander::expand_spawn(DatumId d, bool service, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2) return fail(d, "`" + show((*parts)[0]) + "` needs an expression to run in the new thread");
    const CoreId body =
        expand_body(std::span(*parts).subspan(1), {new_scope(ctx.scope), ctx.numbering, nullptr}, span(d));
    return node(core::Spawn{thunk(body, "thread", span(d)), service}, span(d));
}

CoreId Expander::expand_choose(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2) return fail(d, "`choose` needs an alternative");
    std::vector<CoreId> alternatives;
    for (size_t i = 1; i < parts->size(); ++i) alternatives.push_back(expand((*parts)[i], ctx));
    return node(core::Choose{program_.add_list(alternatives)}, span(d));
}

CoreId Expander::expand_fresh(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() != 2 && parts->size() != 3)
        return fail(d, "malformed `fresh`", "its shape is (fresh type) or (fresh type list)");
    const auto type = parse_type((*parts)[1], ctx.scope);
    if (!type) return unspecified(span(d));
    return node(core::Fresh{*type, parts->size() == 3 ? expand((*parts)[2], ctx) : no_core}, span(d));
}

std::optional<PortId> Expander::static_port(CoreId source) const {
    const auto* c = std::get_if<core::Const>(&program_[source].kind);
    if (c == nullptr || !c->value.is_port()) return std::nullopt;
    return c->value.as_port();
}

// An operand that is certainly a port where something else is wanted.
CoreId Expander::not_a_port(CoreId operand, const char* wanted, std::string hint) {
    if (const auto p = static_port(operand)) {
        return fail(program_[operand].span,
                    "`" + std::string(name_of(program_.ports[index(*p)].name)) + "` is a port" +
                        (hint.empty() ? std::string(", not ") + wanted : std::string()),
                    std::move(hint));
    }
    return operand;
}

CoreId Expander::expand_write(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    const char* shape = "its shape is (write port message) or (write value)";
    if (parts->size() != 2 && parts->size() != 3) return fail(d, "malformed `write`", shape);
    const bool bare = parts->size() == 2;
    if (!bare && is_identifier((*parts)[1])) {
        const Binding b = lookup((*parts)[1], ctx.scope);
        if (b.kind == Binding::Kind::op && operators_[b.id].kind == Operator::Kind::make_message) {
            return fail((*parts)[1], "`" + show((*parts)[1]) + "` is a message, not a port",
                        "its shape is (write port message)");
        }
    }
    const CoreId port = bare ? constant(Value::port(PortId{1}), span(d)) : expand((*parts)[1], ctx);
    const CoreId value = expand(parts->back(), ctx);
    if (failed(port) || failed(value)) return node(core::Write{port, value}, span(d));
    const auto* made = std::get_if<core::MakeMessage>(&program_[value].kind);
    const auto* literal_value = std::get_if<core::Const>(&program_[value].kind);
    const auto p = static_port(port);
    if (!p) {
        if (std::holds_alternative<core::Const>(program_[port].kind))
            return fail((*parts)[1], "`" + show((*parts)[1]) + "` is not a port");
        return node(core::Write{port, value}, span(d));
    }
    if (bare && made != nullptr) {
        return fail(parts->back(),
                    "`" + std::string(name_of(program_.messages[index(made->message)].name)) +
                        "` is a message and needs a port",
                    "its shape is (write port message)");
    }
    const PortDef& def = program_.ports[index(*p)];
    if (def.bare_out || broken_ports_.contains(index(*p))) return node(core::Write{port, value}, span(d));
    const std::string name(name_of(def.name));
    if (def.out.empty())
        return fail((*parts)[1], "the port `" + name + "` carries nothing out",
                    def.bare_in ? "" : "it is defined with messages `in` only");
    if (made != nullptr && std::find(def.out.begin(), def.out.end(), made->message) == def.out.end()) {
        const bool in = std::find(def.in.begin(), def.in.end(), made->message) != def.in.end();
        return fail(parts->back(),
                    "the port `" + name + "` does not carry `" +
                        std::string(name_of(program_.messages[index(made->message)].name)) + "` out",
                    in ? "it carries it in: the tester sends it" : "");
    }
    if (literal_value != nullptr)
        return fail(parts->back(), "the port `" + name + "` carries messages, not bare values");
    return node(core::Write{port, value}, span(d));
}

CoreId Expander::select(std::vector<CoreClause> clauses, Span at) {
    const auto first = static_cast<uint32_t>(program_.clauses.size());
    for (CoreClause& c : clauses) program_.clauses.push_back(std::move(c));
    return node(core::Select{first, static_cast<uint32_t>(clauses.size())}, at);
}

// A wait with one clause, whose value is the message.
CoreId Expander::wait_for_one(CoreClause clause, DatumId place) {
    const Span at = span(place);
    clause.span = at;
    clause.whole = temporary("message", at);
    clause.from_port = temporary("from-port", at);
    check_direction(clause, at);
    add_input_test(clause);
    clause.body = local_ref(clause.whole, at);
    std::vector<CoreClause> clauses;
    clauses.push_back(std::move(clause));
    return select(std::move(clauses), at);
}

CoreId Expander::expand_read(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() > 2) return fail(d, "malformed `read`", "its shape is (read), (read port) or (read type)");
    CoreClause clause;
    if (parts->size() == 1 || looks_like_type((*parts)[1], ctx.scope)) {
        const auto type = parts->size() == 1 ? std::optional(add_type({type::Int{}, {}, span(d)}))
                                             : parse_type((*parts)[1], ctx.scope);
        if (!type) return unspecified(span(d));
        clause.filter = SelectClause::Filter::bare;
        clause.type = *type;
        clause.source = constant(Value::port(PortId{0}), span(d));
    } else {
        clause.source = expand((*parts)[1], ctx);
    }
    return wait_for_one(std::move(clause), d);
}

CoreId Expander::expand_receive(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() != 2) return fail(d, "malformed `receive`", "its shape is (receive channel)");
    CoreClause clause;
    clause.source = expand((*parts)[1], ctx);
    if (static_port(clause.source))
        return fail((*parts)[1], "`" + show((*parts)[1]) + "` is a port", "use (read " + show((*parts)[1]) + ")");
    return wait_for_one(std::move(clause), d);
}

void Expander::check_direction(const CoreClause& clause, Span place) {
    if (clause.kind != SelectClause::Kind::message || clause.source == no_core) return;
    const auto p = static_port(clause.source);
    if (!p) {
        if (const auto* c = std::get_if<core::Const>(&program_[clause.source].kind);
            c != nullptr && !failed(clause.source)) {
            fail(program_[clause.source].span, "this is neither a port nor a channel");
        }
        return;
    }
    const PortDef& def = program_.ports[index(*p)];
    const std::string name(name_of(def.name));
    if (clause.filter == SelectClause::Filter::bare || broken_ports_.contains(index(*p))) return;
    if (def.bare_in) {
        if (clause.filter == SelectClause::Filter::message)
            fail(place, "the port `" + name + "` carries bare values, not messages", "use (read type)");
        return;
    }
    if (def.in.empty()) {
        fail(place, "the port `" + name + "` carries nothing in", "it is defined with messages `out` only");
        return;
    }
    if (clause.filter == SelectClause::Filter::message &&
        std::find(def.in.begin(), def.in.end(), clause.message) == def.in.end()) {
        const bool out = std::find(def.out.begin(), def.out.end(), clause.message) != def.out.end();
        fail(place,
             "the port `" + name + "` does not carry `" +
                 std::string(name_of(program_.messages[index(clause.message)].name)) + "` in",
             out ? "it carries it out: the model sends it" : "");
    }
}

// From a port, the tester sends only what the message's `where` allows.
void Expander::add_input_test(CoreClause& clause) {
    GlobalId where{UINT32_MAX};
    if (clause.filter == SelectClause::Filter::message) {
        where = program_.messages[index(clause.message)].where;
    } else if (clause.filter == SelectClause::Filter::any && clause.kind == SelectClause::Kind::message) {
        bool some = false;
        for (const MessageDef& m : program_.messages) some = some || m.where != GlobalId{UINT32_MAX};
        if (some) where = any_where();
    } else if (clause.filter == SelectClause::Filter::bare && needs_where(clause.type)) {
        const CoreId nested = nested_where(clause.type, clause.whole, clause.span);
        clause.tests.insert(clause.tests.begin(), {nested, BranchOrigin::generated, 0});
        return;
    }
    if (where == GlobalId{UINT32_MAX}) return;
    const CoreId check =
        call(node(core::GlobalRef{where}, clause.span), {local_ref(clause.whole, clause.span)}, clause.span);
    const CoreId test = node(core::If{local_ref(clause.from_port, clause.span), check,
                                      constant(Value::boolean(true), clause.span), BranchOrigin::generated, 0},
                             clause.span);
    clause.tests.insert(clause.tests.begin(), {test, BranchOrigin::generated, 0});
}

void Expander::bind_in_pattern(DatumId name, LocalId local, Scope* scope, const Context& ctx) {
    const Binding hidden = lookup(name, ctx.scope);
    const bool variable = hidden.kind == Binding::Kind::local ||
                          (hidden.kind == Binding::Kind::global && !program_.globals[hidden.id].prelude);
    if (variable && !data_.is(name, DatumKind::alias)) {
        const std::string text = "`" + show(name) + "` in this pattern binds a new variable and hides the one outside";
        if (reported_.insert(std::to_string(span(name).begin) + text).second)
            diagnostics_.warning(span(name), text,
                                 "to compare with it, bind another name and use (where (equal? ...))");
    }
    if (scope->find(ident(name)) != nullptr) fail(name, "`" + show(name) + "` appears twice in this pattern");
    scope->bind(ident(name), {Binding::Kind::local, index(local)});
}

bool Expander::parse_pattern(DatumId pattern, const Context& ctx, CoreClause& clause, Scope* scope) {
    if (is_identifier(pattern)) {
        if (named(pattern, "any")) return true;
        const auto m = message_named(pattern, ctx.scope);
        if (!m) return false;
        clause.filter = SelectClause::Filter::message;
        clause.message = *m;
        return true;
    }
    const auto parts = elements(pattern);
    if (!parts || parts->empty()) {
        fail(pattern, "malformed pattern",
             "its shape is Message or (Message field ...), where a field is a name, _ or a literal");
        return false;
    }
    const auto m = message_named((*parts)[0], ctx.scope);
    if (!m) return false;
    clause.filter = SelectClause::Filter::message;
    clause.message = *m;
    const MessageDef& def = program_.messages[index(*m)];
    if (parts->size() - 1 != def.fields.size()) {
        std::string shape = "(" + std::string(name_of(def.name));
        for (const FieldDef& f : def.fields) shape += " " + std::string(name_of(f.name));
        fail(pattern,
             "`" + std::string(name_of(def.name)) + "` has " + std::to_string(def.fields.size()) +
                 (def.fields.size() == 1 ? " field" : " fields") + ", this pattern " +
                 std::to_string(parts->size() - 1),
             "its shape is " + shape + ")");
        return false;
    }
    for (uint32_t i = 0; i + 1 < parts->size(); ++i) {
        const DatumId f = (*parts)[i + 1];
        if (is_identifier(f)) {
            if (named(f, "_")) continue;
            const LocalId local = new_local(f);
            bind_in_pattern(f, local, scope, ctx);
            clause.fields.emplace_back(local, i);
            continue;
        }
        DatumId datum = f;
        if (data_.is_pair(f)) {
            const auto q = elements(f);
            if (!q || q->size() != 2 || !is_form((*q)[0], ctx.scope, Form::quote)) {
                fail(f, "a field of a pattern is a name, _, a literal or a quoted symbol, found `" + show(f) + "`",
                     "bind a name and test it with (where ...)");
                return false;
            }
            datum = (*q)[1];
        }
        const Value v = literal(datum);
        check_field(*m, i, v, span(f));
        const CoreId field = node(core::MessageRef{*m, i, local_ref(clause.whole, span(f))}, span(f));
        const CoreId test = prim(v.is_object() && !number::is_number(v) ? Prim::equal : Prim::eqv,
                                 {field, constant(v, span(f))}, span(f));
        clause.tests.push_back({test, BranchOrigin::generated, 0});
        ++clause.author_tests;
    }
    return true;
}

Scope* Expander::parse_trigger(DatumId trigger, std::span<const DatumId>& rest, const Context& ctx,
                               CoreClause& clause) {
    const char* shape = "a trigger is (source Message), (source (Message field ...)), (source Message as name), "
                        "(source any as name), (timeout timer) or (after delay)";
    const auto parts = elements(trigger);
    if (!parts || parts->size() < 2) {
        fail(trigger, "malformed trigger", shape);
        return nullptr;
    }
    clause.span = span(trigger);
    Scope* scope = new_scope(ctx.scope);
    auto word = [&](std::string_view name) {
        return named((*parts)[0], name) && lookup((*parts)[0], ctx.scope).kind == Binding::Kind::none;
    };
    if (word("timeout") || word("after")) {
        if (parts->size() != 2) {
            fail(trigger, "malformed trigger", shape);
            return nullptr;
        }
        clause.kind = word("timeout") ? SelectClause::Kind::timer : SelectClause::Kind::after;
        clause.source = expand((*parts)[1], ctx.not_tail());
        if (clause.kind == SelectClause::Kind::timer) not_a_port(clause.source, "a timer", {});
    } else {
        clause.kind = SelectClause::Kind::message;
        if (is_identifier((*parts)[0]) && lookup((*parts)[0], ctx.scope).kind == Binding::Kind::none && !text_lost_) {
            Scope words;
            words.parent = ctx.scope;
            for (std::string_view w : {"timeout", "after"})
                words.bind(Ident{index(intern(w))}, {Binding::Kind::local, 0});
            const std::string_view name = name_of(base_name((*parts)[0]));
            fail((*parts)[0], "`" + std::string(name) + "` is not defined", suggest(name, &words, [](const Binding& b) {
                     return b.kind == Binding::Kind::local || b.kind == Binding::Kind::global ||
                            b.kind == Binding::Kind::constant;
                 }));
            return nullptr;
        }
        clause.source = expand((*parts)[0], ctx.not_tail());
        clause.whole = temporary("message", clause.span);
        clause.from_port = temporary("from-port", clause.span);
        if (!parse_pattern((*parts)[1], ctx, clause, scope)) return nullptr;
        if (parts->size() == 4 && named((*parts)[2], "as") && is_identifier((*parts)[3])) {
            program_[clause.whole].name = base_name((*parts)[3]);
            program_[clause.whole].generated = data_.is((*parts)[3], DatumKind::alias);
            program_[clause.whole].span = span((*parts)[3]);
            bind_in_pattern((*parts)[3], clause.whole, scope, ctx);
        } else if (parts->size() != 2) {
            fail(trigger, "malformed trigger", shape);
            return nullptr;
        }
        check_direction(clause, span((*parts)[1]));
        add_input_test(clause);
    }
    return parse_where(rest, {scope, ctx.numbering, nullptr}, clause) ? scope : nullptr;
}

bool Expander::parse_where(std::span<const DatumId>& rest, const Context& ctx, CoreClause& clause) {
    if (rest.empty() || !data_.is_pair(rest[0]) || !is_identifier(data_.car(rest[0]))) return true;
    const DatumId word = data_.car(rest[0]);
    if (!named(word, "where")) {
        if (lookup(word, ctx.scope).kind != Binding::Kind::none || text_lost_) return true;
        Scope words;
        words.bind(Ident{index(intern("where"))}, {});
        const std::string hint = suggest(name_of(base_name(word)), &words, [](const Binding&) { return true; });
        if (hint.empty()) return true;
        fail(word, "`" + show(word) + "` is not defined", hint);
        return false;
    }
    const auto where = elements(rest[0]);
    if (!where || where->size() != 2) {
        fail(rest[0], "malformed `where`", "its shape is (where expression)");
        return false;
    }
    const uint32_t number = decide(ctx);
    clause.tests.push_back({expand((*where)[1], ctx), BranchOrigin::guard, number});
    ++clause.author_tests;
    rest = rest.subspan(1);
    return true;
}

void Expander::warn_shadowed(std::span<const CoreClause> clauses) {
    using Kind = SelectClause::Kind;
    using Filter = SelectClause::Filter;
    // What a clause waits for, where two of the same surely wait for the same.
    const auto source_of = [&](const CoreClause& c) -> std::optional<std::pair<size_t, uint64_t>> {
        const CoreKind& kind = program_[c.source].kind;
        if (const auto* k = std::get_if<core::Const>(&kind)) return std::pair{kind.index(), k->value.bits()};
        if (const auto* g = std::get_if<core::GlobalRef>(&kind))
            return std::pair{kind.index(), uint64_t{index(g->global)}};
        const auto* l = std::get_if<core::LocalRef>(&kind);
        if (l == nullptr || program_[l->local].assigned) return std::nullopt;
        return std::pair{kind.index(), uint64_t{index(l->local)}};
    };
    constexpr uint64_t all = UINT64_MAX;
    using Key = std::tuple<Kind, size_t, uint64_t, uint64_t>; // kind, source, and one type of message or all
    std::map<Key, size_t> takers;                             // the first of each that takes all of it
    for (size_t i = 0; i < clauses.size(); ++i) {
        const CoreClause& c = clauses[i];
        if (c.kind == Kind::other) continue;
        const auto source = source_of(c);
        if (!source) continue;
        const bool one_type = c.kind == Kind::message && c.filter == Filter::message;
        const auto key = [&](uint64_t what) { return Key{c.kind, source->first, source->second, what}; };
        size_t earlier = i;
        const auto find = [&](uint64_t what) {
            if (const auto at = takers.find(key(what)); at != takers.end()) earlier = std::min(earlier, at->second);
        };
        find(all);
        if (one_type) find(index(c.message));
        const std::string text = "this clause is never taken: an earlier one takes all that it would";
        if (earlier < i && reported_.insert(std::to_string(c.span.begin) + text).second)
            diagnostics_.warning(c.span, text)
                .notes.push_back({Severity::note, clauses[earlier].span, "the earlier clause", {}, {}});
        if (c.author_tests == 0 && (one_type || c.kind != Kind::message || c.filter == Filter::any))
            takers.try_emplace(key(one_type ? uint64_t{index(c.message)} : all), i);
    }
}

CoreId Expander::expand_select(DatumId d, const Context& ctx) {
    const auto parts = list(d, "a form");
    if (!parts) return unspecified(span(d));
    if (parts->size() < 2) return fail(d, "`select` needs a clause");
    std::vector<CoreClause> clauses;
    bool channel_possible = false;
    for (size_t i = 1; i < parts->size(); ++i) {
        const DatumId c = (*parts)[i];
        const auto items = elements(c);
        if (!items || items->empty())
            return fail(c, "malformed clause of `select`", "its shape is ((source Message) (where test) body ...)");
        CoreClause clause;
        std::span<const DatumId> rest = std::span(*items).subspan(1);
        Scope* scope = nullptr;
        if (is_identifier((*items)[0]) && is_form((*items)[0], ctx.scope, Form::else_)) {
            if (i + 1 != parts->size()) return fail(c, "`else` must be the last clause");
            if (!channel_possible)
                return fail(c, "`else` is for channels: from a port the tester sends only what some clause accepts");
            clause.kind = SelectClause::Kind::other;
            clause.span = span(c);
            clause.whole = temporary("message", span(c));
            clause.from_port = temporary("from-port", span(c));
            scope = new_scope(ctx.scope);
        } else {
            scope = parse_trigger((*items)[0], rest, ctx, clause);
            if (scope == nullptr) continue;
            if (clause.kind == SelectClause::Kind::message && !static_port(clause.source)) channel_possible = true;
        }
        clause.body = rest.empty() ? leaf(unspecified(span(c)), ctx) : expand_body(rest, ctx.in(scope), span(c));
        clauses.push_back(std::move(clause));
    }
    warn_shadowed(clauses);
    if (clauses.empty()) return unspecified(span(d));
    return select(std::move(clauses), span(d));
}

} // namespace espalier
