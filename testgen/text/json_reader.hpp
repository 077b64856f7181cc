// Reading JSON that another program wrote, which may be wrong in any way. Strict (RFC 8259, one value and nothing else,
// no member twice, no lone surrogates, only UTF-8) and within limits: the depth, and the number of values, since a
// small text can hold a great many. Numbers stay as they are spelt, so that integers of any size are exact.
//
//   if (const auto value = parse_json(line)) …
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "testgen/text/result.hpp"

namespace espalier {

struct JsonValue;
struct JsonMember;
struct JsonNull {
    bool operator==(const JsonNull&) const = default;
};
struct JsonNumber {
    std::string text; // `-0` is read as `0`
    bool is_integer() const { return text.find_first_of(".eE") == std::string::npos; }
    bool operator==(const JsonNumber&) const = default;
};
using JsonList = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>; // in the order of the text

struct JsonValue {
    std::variant<JsonNull, bool, JsonNumber, std::string, JsonList, JsonObject> kind;

    const std::string* string() const { return std::get_if<std::string>(&kind); }
    const JsonObject* object() const { return std::get_if<JsonObject>(&kind); }
    const JsonValue* member(std::string_view name) const; // of an object
};
struct JsonMember {
    std::string name;
    JsonValue value;
};

// The order of members does not matter.
bool operator==(const JsonValue& a, const JsonValue& b);
inline bool operator==(const JsonMember& a, const JsonMember& b) { return a.name == b.name && a.value == b.value; }

struct JsonLimits {
    size_t depth = 100;
    size_t values = 1'000'000;
};

// A problem says what is wrong, and at which byte, counted from 1.
Result<JsonValue> parse_json(std::string_view text, const JsonLimits& limits = {});

void append_json(std::string& out, const JsonValue& value); // on one line

} // namespace espalier
