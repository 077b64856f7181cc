// The values of a test as an adapter sees them. A suite says of each value what type it has, so that it can be sent to
// a system, and compared with what a system sends, without the model:
//
//   int                numbers (exact, any size); a rational is the string "1/3"
//   bool               true, false
//   enum               what its datum is: a number, true or false, else a string: symbols and strings look the same
//   string             a string
//   bytes              a string of hexadecimal digits
//   list               a list
//   message            {"name": "M", "fields": {…}}
//
// A value that the system chooses has a name in the test. The name stands for the JSON that came, whatever it was, and
// is sent back verbatim.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "lang/lang.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/text/json_reader.hpp"
#include "testgen/text/result.hpp"

namespace espalier {

class ValueRange;
struct TestValue;
struct TestField;
struct Literal {
    ValueWord type;
    JsonValue json;
    std::string shown; // as the model would print it
};
struct Named {
    std::string name;
    ValueWord type;
    std::shared_ptr<const ValueRange> within{}; // what the system may choose; null: anything of the type
};
struct Anything {};
struct ListOf {
    std::vector<TestValue> items;
};
struct MessageOf {
    std::string name;
    std::vector<TestField> fields;
};
struct TestValue {
    std::variant<Literal, Named, Anything, ListOf, MessageOf> kind;
    std::vector<std::string> differs_from{}; // an input, or one that gets a name: it must not be these names' values
};
struct TestField {
    std::string name;
    TestValue value;
};

// What crosses a port. A bare value is a message `value` with one field of that name.
struct Exchange {
    std::string port, message;
    std::vector<TestField> fields;
};
struct SeenOutput {
    std::string port, message;
    JsonObject fields;
};

// Text that stands in a suite as a value of that type; nothing where it is none.
std::optional<Literal> read_literal(ValueWord type, const std::string& text);

using NamedValues = std::map<std::string, JsonValue, std::less<>>;
// Names whose values must differ, each with each such other one, both ways round.
using NamesApart = std::multimap<std::string, std::string, std::less<>>;

// A problem: no output has given a value to one of its names.
Result<JsonValue> to_json(const TestValue& value, const NamedValues& names);
Result<JsonObject> to_json(const std::vector<TestField>& fields, const NamedValues& names);
// The first name whose value the input should not be, and is; empty: none.
std::string equal_to_what_it_must_not_be(const Exchange& input, const NamedValues& names);

} // namespace espalier
