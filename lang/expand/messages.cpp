#include "lang/expand/messages.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"
#include "lang/ir/type.hpp"
#include "lang/values/print.hpp"

namespace espalier {

std::optional<MessageId> Messages::named(DatumId d, const Scope* scope) {
    if (!syntax_.is_identifier(d)) {
        reports_.fail(d, "expected the name of a message, found `" + syntax_.show(d) + "`");
        return std::nullopt;
    }
    const Binding b = names_.lookup(d, scope);
    if (names_.is_message(b)) return MessageId{names_.op(b.id).which};
    reports_.fail(
        d, "unknown message `" + syntax_.show(d) + "`",
        names_.suggest(name_of(syntax_.base_name(d)), scope, [&](const Binding& c) { return names_.is_message(c); }));
    return std::nullopt;
}

void Messages::define(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    if (parts->size() < 2 || !syntax_.is_identifier((*parts)[1])) {
        reports_.fail(d, "malformed `define-message`", "its shape is (define-message Name (field type) ...)");
        return;
    }
    const DatumId name = (*parts)[1];
    const MessageId id{static_cast<uint32_t>(program_.messages.size())};
    program_.messages.push_back({syntax_.base_name(name), syntax_.span(name), {}, GlobalId{UINT32_MAX}});
    std::vector<DatumId> types;
    for (size_t i = 2; i < parts->size(); ++i) {
        if (const auto type = parse_field((*parts)[i], id, i + 1 == parts->size())) types.push_back(*type);
    }
    declare_operators(id, name, scope);
    all_.top_level.when_declared([this, id, types, scope] {
        for (size_t i = 0; i < types.size(); ++i) {
            const auto t = all_.types.parse(types[i], scope);
            program_.messages[index(id)].fields[i].type = t ? *t : all_.types.add(type::Int{}, {}); // any will do
        }
    });
}

std::optional<DatumId> Messages::parse_field(DatumId d, MessageId message, bool last) {
    const auto field = syntax_.elements(d);
    if (field && !field->empty() && syntax_.named((*field)[0], "where")) {
        parse_where(d, *field, message, last);
        return std::nullopt;
    }
    if (!field || field->size() != 2 || !syntax_.is_identifier((*field)[0])) {
        reports_.fail(d, "malformed field of a message", "its shape is (field type)");
        return std::nullopt;
    }
    auto& fields = program_.messages[index(message)].fields;
    const Symbol name = syntax_.base_name((*field)[0]);
    if (std::any_of(fields.begin(), fields.end(), [&](const FieldDef& f) { return f.name == name; })) {
        reports_.fail((*field)[0], "the field `" + syntax_.show((*field)[0]) + "` appears twice");
        return std::nullopt;
    }
    fields.push_back({name, TypeId{0}});
    return (*field)[1];
}

void Messages::parse_where(DatumId d, std::span<const DatumId> parts, MessageId message, bool last) {
    if (parts.size() != 2) {
        reports_.fail(d, "malformed `where`", "its shape is (where expression)");
    } else if (!last) {
        reports_.fail(d, "`where` must be the last part of a message");
    } else {
        all_.wheres.add(message, parts[1]);
    }
}

// The constructor, the predicate, and a selector for each field.
void Messages::declare_operators(MessageId message, DatumId name, Scope* scope) {
    const std::string text(name_of(syntax_.base_name(name)));
    const Span at = syntax_.span(name);
    auto add = [&](std::string_view n, Operator::Kind kind, int count, uint32_t field) {
        Operator op{kind, intern(n), count, Prim{}, index(message), field};
        op.span = at;
        const DatumId own = n == text ? name : data_.symbol(at, intern(n));
        names_.declare(own, scope, names_.add(std::move(op)));
    };
    const auto arity = static_cast<uint32_t>(program_.messages[index(message)].fields.size());
    add(text, Operator::Kind::make_message, static_cast<int>(arity), 0);
    add(text + "?", Operator::Kind::message_is, 1, 0);
    for (uint32_t i = 0; i < arity; ++i) {
        std::string reader = text + "-";
        reader += name_of(program_.messages[index(message)].fields[i].name);
        add(reader, Operator::Kind::message_ref, 1, i);
    }
}

void Messages::check_field(MessageId message, uint32_t field, Value value, Span place) {
    const FieldDef& def = program_.messages[index(message)].fields[field];
    if (value.is_unbound() || value == Value::any() || belongs(program_.types, def.type, value)) return;
    std::string hint;
    if (const auto* e = std::get_if<type::Enum>(&program_.types[index(def.type)].kind)) {
        hint = "its values are";
        for (Value v : e->values) hint += " " + to_text(nullptr, v, Style::write, 200);
    } else {
        hint = "its type is " + std::string(all_.sources.text(program_.types[index(def.type)].span));
    }
    reports_.fail(place,
                  "`" + to_text(nullptr, value, Style::write, 60) + "` is not a value of the field `" +
                      std::string(name_of(def.name)) + "`",
                  hint);
}

} // namespace espalier
