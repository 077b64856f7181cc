#include "testgen/execute_values.hpp"

#include <algorithm>
#include <array>

#include "testgen/suite_text.hpp"

namespace espalier {

namespace {

constexpr size_t longest_shown = 1000; // of a value, in bytes
constexpr size_t most_differences = 5; // of one output

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string shortened(std::string text) {
    if (text.size() <= longest_shown) return text;
    size_t end = longest_shown;
    while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0U) == 0x80) --end;
    return text.substr(0, end) + "…";
}

std::string shown_bytes(const std::string& hex) {
    const auto bytes = from_hex(hex);
    if (!bytes) return quoted(hex);
    std::string out = "#u8(";
    for (const uint8_t b : *bytes) out += (out.back() == '(' ? "" : " ") + std::to_string(b);
    return out + ")";
}

// JSON as the model would print it, if it is of the type; else as it came.
std::string shown_json(const JsonValue& v, ValueWord type, bool enum_of_strings = false);

struct JsonShower {
    ValueWord type;
    bool enum_of_strings;
    std::string operator()(JsonNull) const { return "null"; }
    std::string operator()(bool b) const { return b ? "#t" : "#f"; }
    std::string operator()(const JsonNumber& n) const { return n.text; }
    std::string operator()(const std::string& s) const {
        if (type == ValueWord::bytes) return shown_bytes(s);
        return type == ValueWord::enumeration && !enum_of_strings ? s : quoted(s);
    }
    std::string operator()(const JsonList& list) const {
        std::string out = "(";
        for (const JsonValue& item : list) {
            if (out.size() > longest_shown) break;
            out += (out.size() == 1 ? "" : " ") + shown_json(item, ValueWord::any);
        }
        return out + ")";
    }
    std::string operator()(const JsonObject& object) const {
        std::string out;
        append_json(out, JsonValue{object});
        return out;
    }
};

std::string shown_json(const JsonValue& v, ValueWord type, bool enum_of_strings) {
    return shortened(std::visit(JsonShower{type, enum_of_strings}, v.kind));
}

ValueWord word_of(const TestValue& v) {
    struct {
        ValueWord operator()(const Literal& l) const { return l.type; }
        ValueWord operator()(const Named& n) const { return n.type; }
        ValueWord operator()(const Anything&) const { return ValueWord::any; }
        ValueWord operator()(const ListOf&) const { return ValueWord::list; }
        ValueWord operator()(const MessageOf&) const { return ValueWord::message; }
    } word;
    return std::visit(word, v.kind);
}

std::string shown_fields(const std::vector<TestField>& fields, const NamedValues& names);

struct ValueShower {
    const NamedValues& names;
    std::string operator()(const Literal& l) const { return shortened(l.shown); }
    std::string operator()(const Named& n) const {
        const auto known = names.find(n.name);
        return known == names.end() ? n.name : n.name + "=" + shown_json(known->second, n.type);
    }
    std::string operator()(const Anything&) const { return "(any)"; }
    std::string operator()(const ListOf& list) const {
        std::string out = "(";
        for (const TestValue& item : list.items) {
            if (out.size() > longest_shown) break;
            out += (out.size() == 1 ? "" : " ") + std::visit(*this, item.kind);
        }
        return out + ")";
    }
    std::string operator()(const MessageOf& m) const { return "(" + m.name + shown_fields(m.fields, names) + ")"; }
};

std::string shown_fields(const std::vector<TestField>& fields, const NamedValues& names) {
    std::string out;
    for (const TestField& f : fields) out += " " + std::visit(ValueShower{names}, f.value.kind);
    return out;
}

std::string shown_value(const TestValue& v, const NamedValues& names) {
    return shortened(std::visit(ValueShower{names}, v.kind));
}

// In the style of the value that was expected in its place.
std::string shown_seen(const JsonValue& v, const TestValue& expected) {
    const auto* literal = std::get_if<Literal>(&expected.kind);
    if (literal != nullptr && literal->json == v) return shortened(literal->shown);
    return shown_json(v, word_of(expected), literal != nullptr && literal->shown.starts_with('"'));
}

bool is_of_type(const JsonValue& v, ValueWord type) {
    switch (type) {
    case ValueWord::integer: {
        const auto* n = std::get_if<JsonNumber>(&v.kind);
        return n != nullptr && n->is_integer();
    }
    case ValueWord::boolean: return std::holds_alternative<bool>(v.kind);
    case ValueWord::enumeration:
        return v.string() != nullptr || std::holds_alternative<bool>(v.kind) ||
               std::holds_alternative<JsonNumber>(v.kind);
    case ValueWord::string: return v.string() != nullptr;
    case ValueWord::bytes: return v.string() != nullptr && from_hex(*v.string()).has_value();
    case ValueWord::list: return std::holds_alternative<JsonList>(v.kind);
    case ValueWord::message: return v.object() != nullptr;
    case ValueWord::any:
    case ValueWord::other: break;
    }
    return true;
}

std::string type_name(ValueWord type) {
    static constexpr std::array<const char*, 9> names = {
        "an integer", "a boolean", "a value of an enum", "a string", "bytes", "a list", "a message", "a value", "text"};
    return names.at(static_cast<size_t>(type));
}

bool same_literal(const Literal& expected, const JsonValue& seen) {
    if (expected.type != ValueWord::bytes) return expected.json == seen;
    const auto ours = from_hex(*expected.json.string());
    const auto theirs = seen.string() == nullptr ? std::nullopt : from_hex(*seen.string());
    return theirs && ours == theirs;
}

// True where a name of `differs_from` stands for what is sent in its place.
std::string same_as_a_name(const TestValue& v, const NamedValues& names) {
    for (const std::string& name : v.differs_from) {
        const auto known = names.find(name);
        std::string unknown;
        const auto sent = known == names.end() ? std::nullopt : to_json(v, names, unknown);
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

std::optional<ValueWord> value_word(std::string_view word) {
    static constexpr std::array<std::string_view, 9> words = {"int",  "bool",    "enum", "string", "bytes",
                                                              "list", "message", "any",  "other"};
    const auto* const found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) return std::nullopt;
    return static_cast<ValueWord>(found - words.begin());
}

std::optional<JsonValue> to_json(const TestValue& value, const NamedValues& names, std::string& unknown) {
    if (const auto* literal = std::get_if<Literal>(&value.kind)) return literal->json;
    if (const auto* named = std::get_if<Named>(&value.kind)) {
        const auto known = names.find(named->name);
        if (known != names.end()) return known->second;
        unknown = named->name;
        return std::nullopt;
    }
    if (const auto* list = std::get_if<ListOf>(&value.kind)) {
        JsonList out;
        for (const TestValue& item : list->items) {
            auto made = to_json(item, names, unknown);
            if (!made) return std::nullopt;
            out.push_back(std::move(*made));
        }
        return JsonValue{std::move(out)};
    }
    if (const auto* message = std::get_if<MessageOf>(&value.kind)) {
        JsonObject fields;
        for (const TestField& f : message->fields) {
            auto made = to_json(f.value, names, unknown);
            if (!made) return std::nullopt;
            fields.push_back({f.name, std::move(*made)});
        }
        return JsonValue{JsonObject{{"name", JsonValue{message->name}}, {"fields", JsonValue{std::move(fields)}}}};
    }
    return JsonValue{}; // anything: no input has it
}

std::string equal_to_what_it_must_not_be(const Exchange& input, const NamedValues& names) {
    std::string found;
    for (size_t i = 0; i < input.fields.size() && found.empty(); ++i)
        found = same_as_a_name(input.fields[i].value, names);
    return found;
}

// The values of a suite are nested no deeper than its reader allows, and so is this recursion.
struct SeenMatcher::Walk {
    NamedValues& names;
    std::vector<std::string> bound{}; // on the way
    std::vector<SeenDifference> found{};
    size_t count = 0;

    void differ(const std::string& place, std::string expected, std::string seen) {
        ++count;
        if (found.size() < most_differences) found.push_back({place, std::move(expected), std::move(seen)});
    }
    void differ(const std::string& place, const TestValue& expected, const JsonValue& seen) {
        differ(place, shown_value(expected, names), shown_seen(seen, expected));
    }

    void named(const std::string& place, const TestValue& value, const Named& expected, const JsonValue& seen) {
        const auto known = names.find(expected.name);
        if (known != names.end()) {
            if (!(known->second == seen)) differ(place, value, seen);
        } else if (!is_of_type(seen, expected.type)) {
            differ(place, type_name(expected.type), shown_seen(seen, value));
        } else {
            names.emplace(expected.name, seen);
            bound.push_back(expected.name);
        }
    }

    void compare(const std::string& place, const TestValue& expected, const JsonValue& seen) {
        if (std::holds_alternative<Anything>(expected.kind)) return;
        if (const auto* name = std::get_if<Named>(&expected.kind)) {
            named(place, expected, *name, seen);
        } else if (const auto* list = std::get_if<ListOf>(&expected.kind)) {
            const auto* items = std::get_if<JsonList>(&seen.kind);
            if (items == nullptr || items->size() != list->items.size()) return differ(place, expected, seen);
            for (size_t i = 0; i < items->size(); ++i)
                compare(place + "[" + std::to_string(i) + "]", list->items[i], (*items)[i]);
        } else if (const auto* message = std::get_if<MessageOf>(&expected.kind)) {
            const JsonValue *name_of_it = seen.member("name"), *inside = seen.member("fields");
            const bool same = name_of_it != nullptr && name_of_it->string() != nullptr &&
                              *name_of_it->string() == message->name && inside != nullptr &&
                              inside->object() != nullptr;
            if (!same) return differ(place, expected, seen);
            fields(place.empty() ? "" : place + ".", message->fields, *inside->object());
        } else if (const auto* literal = std::get_if<Literal>(&expected.kind)) {
            if (!same_literal(*literal, seen)) differ(place, expected, seen);
        }
    }

    void fields(const std::string& before, const std::vector<TestField>& expected, const JsonObject& seen) {
        std::map<std::string_view, const JsonValue*> there;
        for (const JsonMember& m : seen) there.emplace(m.name, &m.value);
        for (const TestField& f : expected) {
            const auto it = there.find(f.name);
            if (it == there.end()) {
                differ(before + f.name, shown_value(f.value, names), "no such field");
                continue;
            }
            compare(before + f.name, f.value, *it->second);
            there.erase(it);
        }
        for (const auto& [name, value] : there)
            differ(before + std::string(name), "no such field", shown_json(*value, ValueWord::any));
    }

    void exchange(const Exchange& expected, const SeenOutput& seen) {
        if (expected.message != seen.message)
            differ("", expected.message, seen.message);
        else
            fields("", expected.fields, seen.fields);
    }

    void unbind() const {
        for (const std::string& name : bound) names.erase(name);
    }
};

bool SeenMatcher::matches(const Exchange& expected, const SeenOutput& seen) {
    Walk walk{names_};
    walk.exchange(expected, seen);
    if (walk.count > 0) walk.unbind();
    return walk.count == 0;
}

bool SeenMatcher::would_match(const Exchange& expected, const SeenOutput& seen) {
    Walk walk{names_};
    walk.exchange(expected, seen);
    walk.unbind();
    return walk.count == 0;
}

std::vector<SeenDifference> SeenMatcher::differences(const Exchange& expected, const SeenOutput& seen) {
    Walk walk{names_};
    walk.exchange(expected, seen);
    return std::move(walk.found);
}

std::string shown(const Exchange& e, const NamedValues& names) {
    const bool bare = e.message == "value" && e.fields.size() == 1 && e.fields[0].name == "value";
    return e.port + " " +
           (bare ? shown_value(e.fields[0].value, names) : "(" + e.message + shown_fields(e.fields, names) + ")");
}

std::string shown(const SeenOutput& seen, const Exchange* like) {
    std::string before = seen.port + " ";
    std::vector<std::pair<std::string, std::string>> values; // name, where it must be said, and text
    std::map<std::string_view, const JsonValue*> there;
    for (const JsonMember& m : seen.fields) there.emplace(m.name, &m.value);
    if (like != nullptr) {
        for (const TestField& f : like->fields) {
            const auto it = there.find(f.name);
            values.emplace_back("", it == there.end() ? "?" : shown_seen(*it->second, f.value));
            if (it != there.end()) there.erase(it);
        }
    }
    for (const JsonMember& m : seen.fields)
        if (there.count(m.name) > 0) values.emplace_back(m.name, shown_json(m.value, ValueWord::any));
    if (seen.message == "value" && values.size() == 1 && (values[0].first.empty() || values[0].first == "value"))
        return before + values[0].second;
    std::string out = before + "(" + seen.message;
    for (const auto& [name, text] : values) out += " " + (name.empty() ? "" : name + "=") + text;
    return shortened(out + ")");
}

} // namespace espalier
