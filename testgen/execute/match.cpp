// Is an output the one that a test expects? As match_outputs.cpp, for values that come from outside.
#include <array>
#include <map>

#include "testgen/execute/match.hpp"
#include "testgen/execute/shown.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/value_range.hpp"

namespace espalier {

namespace {

constexpr size_t most_differences = 5; // of one output

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

} // namespace

// The values of a suite are nested no deeper than its reader allows, and so is this recursion.
struct SeenMatcher::Walk {
    NamedValues& names;
    const NamesApart& apart;
    std::vector<std::string> bound{}; // on the way
    std::vector<SeenDifference> found{};
    size_t count = 0;

    void differ(const std::string& place, std::string expected, std::string seen) {
        ++count;
        if (found.size() < most_differences) found.push_back({place, std::move(expected), std::move(seen)});
    }
    void differ(const std::string& place, const TestValue& expected, const JsonValue& seen) {
        differ(place, shown(expected, names), shown(seen, expected));
    }

    void named(const std::string& place, const TestValue& value, const Named& expected, const JsonValue& seen) {
        const auto known = names.find(expected.name);
        if (known != names.end()) {
            if (!(known->second == seen)) differ(place, value, seen);
        } else if (!is_of_type(seen, expected.type)) {
            differ(place, type_name(expected.type), shown(seen, value));
        } else if (expected.within != nullptr && !expected.within->holds(seen)) {
            differ(place, "a value of " + expected.within->text(), shown(seen, value));
        } else if (const std::string* same = taken(expected.name, seen)) {
            differ(place, "a value other than that of " + *same, shown(seen, value));
        } else {
            names.emplace(expected.name, seen);
            bound.push_back(expected.name);
        }
    }

    // A name that has this value already, and must differ; else null.
    const std::string* taken(const std::string& name, const JsonValue& value) const {
        const auto [first, last] = apart.equal_range(name);
        for (auto other = first; other != last; ++other) {
            const auto known = names.find(other->second);
            if (known != names.end() && known->second == value) return &other->second;
        }
        return nullptr;
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
                differ(before + f.name, shown(f.value, names), "no such field");
                continue;
            }
            compare(before + f.name, f.value, *it->second);
            there.erase(it);
        }
        for (const auto& [name, value] : there) differ(before + std::string(name), "no such field", shown(*value));
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
    Walk walk{names_, apart_};
    walk.exchange(expected, seen);
    if (walk.count > 0) walk.unbind();
    return walk.count == 0;
}

bool SeenMatcher::would_match(const Exchange& expected, const SeenOutput& seen) {
    Walk walk{names_, apart_};
    walk.exchange(expected, seen);
    walk.unbind();
    return walk.count == 0;
}

std::vector<SeenDifference> SeenMatcher::differences(const Exchange& expected, const SeenOutput& seen) {
    Walk walk{names_, apart_};
    walk.exchange(expected, seen);
    return std::move(walk.found);
}

} // namespace espalier
