#include "lang/expand/ports.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {

constexpr const char* shape = "its shape is (define-port name in Message ...), (define-port name out Message ...) or "
                              "(define-port name (in Message ...) (out Message ...))";

bool carries(const std::vector<MessageId>& messages, MessageId message) {
    return std::find(messages.begin(), messages.end(), message) != messages.end();
}

} // namespace

Ports::Ports(Expansion& all) : Part(all) {
    for (bool in : {true, false}) {
        const Symbol name = intern(in ? "in" : "out");
        const PortId id{static_cast<uint32_t>(program_.ports.size())};
        names_.base()->bind(Ident{index(name)}, names_.add(Value::port(id)));
        program_.ports.push_back({name, {}, {}, {}, in, !in});
    }
}

void Ports::define(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    // One name, or a list of names for ports that carry the same.
    std::vector<DatumId> names;
    if (parts->size() >= 2)
        names = syntax_.is_identifier((*parts)[1]) ? std::vector<DatumId>{(*parts)[1]}
                                                   : syntax_.elements((*parts)[1]).value_or(std::vector<DatumId>{});
    if (parts->size() < 3 || names.empty() ||
        !std::all_of(names.begin(), names.end(), [&](DatumId n) { return syntax_.is_identifier(n); })) {
        reports_.fail(d, "malformed `define-port`", shape);
        return;
    }
    Definition def{{}, *parts, scope};
    for (DatumId name : names) {
        def.ids.push_back(PortId{static_cast<uint32_t>(program_.ports.size())});
        program_.ports.push_back({syntax_.base_name(name), syntax_.span(name), {}, {}, false, false});
        names_.declare(name, scope, names_.add(Value::port(def.ids.back())));
    }
    all_.top_level.when_declared([this, def = std::move(def)] { declare_contents(def); });
}

void Ports::declare_contents(const Definition& def) {
    const std::span<const DatumId> parts(def.parts);
    if (syntax_.is_identifier(parts[2])) {
        add_direction(def, parts[2], parts.subspan(3));
        return;
    }
    for (const DatumId d : parts.subspan(2)) {
        const auto group = syntax_.elements(d);
        if (group && !group->empty()) {
            add_direction(def, group->front(), std::span(*group).subspan(1));
            continue;
        }
        mark_broken(def);
        reports_.fail(d, "malformed `define-port`", shape);
    }
}

void Ports::add_direction(const Definition& def, DatumId word, std::span<const DatumId> messages) {
    const bool in = syntax_.named(word, "in");
    if (!in && !syntax_.named(word, "out")) {
        mark_broken(def);
        reports_.fail(word, "a port's direction is `in` or `out`, found `" + syntax_.show(word) + "`", shape);
        return;
    }
    for (DatumId n : messages) {
        const auto m = all_.messages.named(n, def.scope);
        if (!m) {
            mark_broken(def);
            continue;
        }
        for (PortId id : def.ids) (in ? program_.ports[index(id)].in : program_.ports[index(id)].out).push_back(*m);
    }
}

void Ports::mark_broken(const Definition& def) {
    for (PortId id : def.ids) broken_.insert(index(id));
}

bool Ports::is_broken(PortId port) const { return broken_.contains(index(port)); }

std::optional<PortId> Ports::static_port(CoreId source) const {
    const auto* c = std::get_if<core::Const>(&program_[source].kind);
    if (c == nullptr || !c->value.is_port()) return std::nullopt;
    return c->value.as_port();
}

CoreId Ports::not_a_port(CoreId operand, const char* wanted, std::string hint) {
    const auto p = static_port(operand);
    if (!p) return operand;
    return reports_.fail(program_[operand].span,
                         "`" + std::string(name_of(program_.ports[index(*p)].name)) + "` is a port" +
                             (hint.empty() ? std::string(", not ") + wanted : std::string()),
                         std::move(hint));
}

void Ports::check_direction(const CoreClause& clause, Span place) {
    if (clause.kind != SelectClause::Kind::message || clause.source == no_core) return;
    const auto p = static_port(clause.source);
    if (!p) {
        if (std::holds_alternative<core::Const>(program_[clause.source].kind) && !reports_.failed(clause.source))
            reports_.fail(program_[clause.source].span, "this is neither a port nor a channel");
        return;
    }
    const PortDef& def = program_.ports[index(*p)];
    const std::string name(name_of(def.name));
    if (clause.filter == SelectClause::Filter::bare || is_broken(*p)) return;
    if (def.bare_in) {
        if (clause.filter == SelectClause::Filter::message)
            reports_.fail(place, "the port `" + name + "` carries bare values, not messages", "use (read type)");
        return;
    }
    if (def.in.empty()) {
        reports_.fail(place, "the port `" + name + "` carries nothing in", "it is defined with messages `out` only");
        return;
    }
    if (clause.filter != SelectClause::Filter::message || carries(def.in, clause.message)) return;
    reports_.fail(place,
                  "the port `" + name + "` does not carry `" +
                      std::string(name_of(program_.messages[index(clause.message)].name)) + "` in",
                  carries(def.out, clause.message) ? "it carries it out: the model sends it" : "");
}

CoreId Ports::check_write(PortId port, CoreId value, DatumId port_datum, DatumId value_datum) {
    const PortDef& def = program_.ports[index(port)];
    if (def.bare_out || is_broken(port)) return no_core;
    const std::string name(name_of(def.name));
    if (def.out.empty()) {
        return reports_.fail(port_datum, "the port `" + name + "` carries nothing out",
                             def.bare_in ? "" : "it is defined with messages `in` only");
    }
    const auto* made = std::get_if<core::MakeMessage>(&program_[value].kind);
    if (made != nullptr && !carries(def.out, made->message)) {
        return reports_.fail(value_datum,
                             "the port `" + name + "` does not carry `" +
                                 std::string(name_of(program_.messages[index(made->message)].name)) + "` out",
                             carries(def.in, made->message) ? "it carries it in: the tester sends it" : "");
    }
    if (std::holds_alternative<core::Const>(program_[value].kind))
        return reports_.fail(value_datum, "the port `" + name + "` carries messages, not bare values");
    return no_core;
}

} // namespace espalier
