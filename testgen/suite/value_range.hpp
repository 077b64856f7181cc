// What a system may choose: the type of a fresh value, as a suite says it beside `bind`, so that a value that comes
// from outside can be looked at without the model:
//
//   within="(int 1 65535)"  "(enum red 3)"  "(bytes 4)"  "(list-of (int 0 9) 3)"  "(one-of A B)"
//
// Of messages only the name is looked at.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testgen/suite/spelling.hpp"
#include "testgen/suite/suite.hpp"
#include "testgen/text/json_reader.hpp"

namespace espalier {

class ValueRange {
public:
    static Result<std::shared_ptr<const ValueRange>> parse(std::string_view text);

    // Can a value of this type be in it? Data of an enum may be of any type that has data.
    bool is_of(std::optional<ValueWord> word) const; // none: a word that is no type
    bool holds(const JsonValue& value) const;
    const std::string& text() const { return text_; } // the same for the same range, however it was spelt
    // Of a range of integers, as they are written; else nothing.
    std::optional<std::pair<std::string, std::string>> bounds() const;

private:
    friend class RangeReader;
    enum class Kind : uint8_t { integer, boolean, string, enumeration, bytes, list, message };
    Kind kind_ = Kind::integer;
    std::string text_;                                          // of a whole one; parts have none
    std::optional<std::pair<std::string, std::string>> bounds_; // integer; none: any
    std::vector<JsonValue> values_;          // enumeration; a list or bytes both as it prints and in parts
    std::vector<std::string> names_;         // message
    uint64_t most_ = 0;                      // bytes, items
    std::shared_ptr<const ValueRange> item_; // list
};

// Names that a define-type gave are no part of it. Empty where the schema's word for the type says it all, and
// where it is nested deeper than readers follow.
std::string range_text(const Program& program, TypeId type);

// Of two that suites may say, the second by the model itself.
bool is_same_range(const std::string& said, const std::string& by_model);

// The ranges of the fresh values in the outputs of a run, by number.
std::map<uint32_t, std::string> ranges_in(const Program& program, const std::vector<SuiteEvent>& events);

} // namespace espalier
