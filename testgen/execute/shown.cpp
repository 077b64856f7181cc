// Values of a test and of a system as text, in the words of the modelling language.
#include "testgen/execute/shown.hpp"

#include <map>

#include "testgen/suite/spelling.hpp"

namespace espalier {

namespace {

constexpr size_t longest_shown = 1000; // of a value, in bytes

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
std::string shown_as(const JsonValue& v, ValueWord type, bool enum_of_strings);

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
            out += (out.size() == 1 ? "" : " ") + shown_as(item, ValueWord::any, false);
        }
        return out + ")";
    }
    std::string operator()(const JsonObject& object) const {
        std::string out;
        append_json(out, JsonValue{object});
        return out;
    }
};

std::string shown_as(const JsonValue& v, ValueWord type, bool enum_of_strings) {
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
        return known == names.end() ? n.name : n.name + "=" + shown_as(known->second, n.type, false);
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

} // namespace

std::string shown(const JsonValue& v) { return shown_as(v, ValueWord::any, false); }

std::string shown(const TestValue& v, const NamedValues& names) {
    return shortened(std::visit(ValueShower{names}, v.kind));
}

// In the style of the value that was expected in its place.
std::string shown(const JsonValue& v, const TestValue& expected) {
    const auto* literal = std::get_if<Literal>(&expected.kind);
    if (literal != nullptr && literal->json == v) return shortened(literal->shown);
    return shown_as(v, word_of(expected), literal != nullptr && literal->shown.starts_with('"'));
}

std::string shown(const Exchange& e, const NamedValues& names) {
    const bool bare = e.message == "value" && e.fields.size() == 1 && e.fields[0].name == "value";
    return e.port + " " +
           (bare ? shown(e.fields[0].value, names) : "(" + e.message + shown_fields(e.fields, names) + ")");
}

std::string shown(const SeenOutput& seen, const Exchange* like) {
    std::string before = seen.port + " ";
    std::vector<std::pair<std::string, std::string>> values; // name, where it must be said, and text
    std::map<std::string_view, const JsonValue*> there;
    for (const JsonMember& m : seen.fields) there.emplace(m.name, &m.value);
    if (like != nullptr) {
        for (const TestField& f : like->fields) {
            const auto it = there.find(f.name);
            values.emplace_back("", it == there.end() ? "?" : shown(*it->second, f.value));
            if (it != there.end()) there.erase(it);
        }
    }
    for (const JsonMember& m : seen.fields)
        if (there.count(m.name) > 0) values.emplace_back(m.name, shown(m.value));
    if (seen.message == "value" && values.size() == 1 && (values[0].first.empty() || values[0].first == "value"))
        return before + values[0].second;
    std::string out = before + "(" + seen.message;
    for (const auto& [name, text] : values) {
        out += " ";
        if (!name.empty()) out.append(name).append("=");
        out += text;
    }
    return shortened(out + ")");
}

} // namespace espalier
