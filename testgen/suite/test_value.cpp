#include "testgen/suite/test_value.hpp"

namespace espalier {

namespace {

// A name of `differs_from` that stands for what is sent in its place; empty: none.
std::string same_as_a_name(const TestValue& v, const NamedValues& names) {
    for (const std::string& name : v.differs_from) {
        const auto known = names.find(name);
        if (known == names.end()) continue;
        const auto sent = to_json(v, names);
        if (sent && *sent == known->second) return name;
    }
    std::string found;
    if (const auto* list = std::get_if<ListOf>(&v.kind))
        for (size_t i = 0; i < list->items.size() && found.empty(); ++i) found = same_as_a_name(list->items[i], names);
    if (const auto* message = std::get_if<MessageOf>(&v.kind))
        for (size_t i = 0; i < message->fields.size() && found.empty(); ++i)
            found = same_as_a_name(message->fields[i].value, names);
    return found;
}

} // namespace

Result<JsonValue> to_json(const TestValue& value, const NamedValues& names) {
    if (const auto* literal = std::get_if<Literal>(&value.kind)) return literal->json;
    if (const auto* named = std::get_if<Named>(&value.kind)) {
        const auto known = names.find(named->name);
        if (known != names.end()) return known->second;
        return Problem{"no output has given a value to `" + named->name + "`"};
    }
    if (const auto* list = std::get_if<ListOf>(&value.kind)) {
        JsonList out;
        for (const TestValue& item : list->items) {
            auto made = to_json(item, names);
            if (!made) return made.problem();
            out.push_back(std::move(*made));
        }
        return JsonValue{std::move(out)};
    }
    if (const auto* message = std::get_if<MessageOf>(&value.kind)) {
        auto fields = to_json(message->fields, names);
        if (!fields) return fields.problem();
        return JsonValue{JsonObject{{"name", JsonValue{message->name}}, {"fields", JsonValue{std::move(*fields)}}}};
    }
    return JsonValue{}; // anything: no input has it
}

Result<JsonObject> to_json(const std::vector<TestField>& fields, const NamedValues& names) {
    JsonObject out;
    for (const TestField& f : fields) {
        auto made = to_json(f.value, names);
        if (!made) return made.problem();
        out.push_back({f.name, std::move(*made)});
    }
    return out;
}

std::string equal_to_what_it_must_not_be(const Exchange& input, const NamedValues& names) {
    std::string found;
    for (size_t i = 0; i < input.fields.size() && found.empty(); ++i)
        found = same_as_a_name(input.fields[i].value, names);
    return found;
}

} // namespace espalier
