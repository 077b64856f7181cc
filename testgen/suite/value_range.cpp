#include "testgen/suite/value_range.hpp"

#include <algorithm>
#include <charconv>

#include "testgen/suite/elements.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/test_value.hpp"

namespace espalier {

namespace {

// Of integers without leading zeros, as they are written: a system may send one of millions of digits.
bool is_at_most(std::string_view a, std::string_view b) {
    const bool negative = a.starts_with('-');
    if (negative != b.starts_with('-')) return negative;
    if (negative) std::swap(a, b);
    return a.size() != b.size() ? a.size() < b.size() : a <= b;
}

} // namespace

// A type is a datum of the language, and read as one.
class RangeReader {
public:
    explicit RangeReader(std::string_view text) {
        const auto read = read_data(sources_, sources_.add("within", std::string(text)), data_, problems_);
        if (read.size() == 1 && !problems_.has_errors()) root_ = read[0];
    }

    Result<std::shared_ptr<const ValueRange>> read() {
        const std::shared_ptr<ValueRange> made = root_ ? range(*root_, 0) : nullptr;
        if (made == nullptr)
            return Problem{"`within` is a type: (int 1 9), (enum a b), (bytes 4), (list-of TYPE 3) or (one-of M N)"};
        made->text_ = print_datum(data_, *root_);
        return std::shared_ptr<const ValueRange>(made);
    }

private:
    using Range = ValueRange;
    using Kind = ValueRange::Kind;

    std::shared_ptr<Range> range(DatumId d, uint32_t depth) {
        auto made = std::make_shared<Range>();
        if (data_.is(d, DatumKind::symbol)) return plain(d, *made) ? made : nullptr;
        std::vector<DatumId> parts;
        for (; data_.is(d, DatumKind::pair); d = data_.cdr(d)) parts.push_back(data_.car(d));
        const bool list = data_.is(d, DatumKind::null) && parts.size() >= 2 && data_.is(parts[0], DatumKind::symbol);
        if (!list || depth >= deepest_spelt) return nullptr;
        const std::string_view head = name_of(data_.symbol(parts[0]));
        parts.erase(parts.begin());
        return inside(head, parts, *made, depth) ? made : nullptr;
    }

    bool plain(DatumId d, Range& made) const {
        const std::string_view name = name_of(data_.symbol(d));
        made.kind_ = name == "int" ? Kind::integer : name == "bool" ? Kind::boolean : Kind::string;
        return name == "int" || name == "bool" || name == "string";
    }

    bool inside(std::string_view head, const std::vector<DatumId>& parts, Range& made, uint32_t depth) {
        if (head == "int") {
            made.kind_ = Kind::integer;
            return parts.size() == 2 && integers(parts, made);
        }
        if (head == "enum") {
            made.kind_ = Kind::enumeration;
            for (const DatumId each : parts) {
                auto literal = read_literal(ValueWord::enumeration, print_datum(data_, each));
                if (!literal) return false;
                made.values_.push_back(std::move(literal->json));
                if (is_spelt_in_parts(each)) made.values_.push_back(in_parts(each, 0));
            }
            return true;
        }
        if (head == "one-of") {
            made.kind_ = Kind::message;
            for (const DatumId each : parts) {
                if (!data_.is(each, DatumKind::symbol)) return false;
                made.names_.emplace_back(name_of(data_.symbol(each)));
            }
            return true;
        }
        if (head == "bytes") {
            made.kind_ = Kind::bytes;
            return parts.size() == 1 && size(parts[0], made);
        }
        made.kind_ = Kind::list;
        if (head != "list-of" || parts.size() != 2 || !size(parts[1], made)) return false;
        made.item_ = range(parts[0], depth + 1);
        return made.item_ != nullptr;
    }

    // A list or bytes among the data of an enum: in a field of that type they do not come as they print.
    bool is_spelt_in_parts(DatumId d) const {
        return data_.is(d, DatumKind::pair) || data_.is(d, DatumKind::null) || data_.is(d, DatumKind::bytevector);
    }
    JsonValue in_parts(DatumId d, uint32_t depth) const {
        if (data_.is(d, DatumKind::bytevector)) {
            const std::string& content = data_.text(d);
            Heap heap(Heap::Lifetime::immortal);
            return {to_hex(as_bytevector(heap.bytevector(std::vector<uint8_t>(content.begin(), content.end()))))};
        }
        // No value of a system is nested as deeply.
        if (depth > deepest_spelt) return {};
        if (!is_spelt_in_parts(d)) {
            auto literal = read_literal(ValueWord::enumeration, print_datum(data_, d));
            return literal ? std::move(literal->json) : JsonValue{};
        }
        JsonList items;
        for (; data_.is(d, DatumKind::pair); d = data_.cdr(d)) items.push_back(in_parts(data_.car(d), depth + 1));
        return {std::move(items)};
    }

    bool integers(const std::vector<DatumId>& parts, Range& made) const {
        const std::string low = print_datum(data_, parts[0]), high = print_datum(data_, parts[1]);
        Heap heap(Heap::Lifetime::immortal);
        for (const std::string& text : {low, high}) {
            const auto number = number::parse(heap, text, 10);
            if (!number || !number::is_integer(*number)) return false;
        }
        made.bounds_.emplace(low, high);
        return is_at_most(low, high);
    }

    bool size(DatumId d, Range& made) const {
        const std::string digits = print_datum(data_, d);
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), made.most_);
        return problem == std::errc() && end == digits.data() + digits.size();
    }

    Sources sources_;
    Data data_;
    Diagnostics problems_;
    std::optional<DatumId> root_;
};

namespace {

// What a suite can spell is nested no deeper than its reader allows, and so is this recursion.
void collect(const Program& program, Value v, std::map<uint32_t, std::string>& out) {
    if (is_type(v, ObjectType::fresh)) {
        const std::string text = range_text(program, static_cast<const Fresh*>(v.as_object())->of);
        if (!text.empty()) out.emplace(v.as_object()->count, text);
    } else if (is_type(v, ObjectType::message)) {
        for (uint32_t i = 0; i < v.as_object()->count; ++i) collect(program, as_message(v).fields[i], out);
    } else {
        for (; is_pair(v); v = as_pair(v).cdr) collect(program, as_pair(v).car, out);
    }
}

// Of lists of lists.
uint32_t depth_of(const Program& program, TypeId type) {
    uint32_t depth = 0;
    for (const type::ListOf* list = nullptr;
         (list = std::get_if<type::ListOf>(&program.types[index(type)].kind)) != nullptr; type = list->element)
        ++depth;
    return depth;
}

// Types may be made of types, but not of themselves: this ends.
std::string full_text(const Program& program, TypeId type) {
    return std::visit(Overloaded{
                          [](const type::Int& t) -> std::string {
                              if (!t.low || !t.high) return "int";
                              return "(int " + number::to_text(*t.low) + ' ' + number::to_text(*t.high) + ')';
                          },
                          [](const type::Bool&) -> std::string { return "bool"; },
                          [&](const type::Enum& t) {
                              std::string text = "(enum";
                              for (const Value v : t.values) text += ' ' + to_text(program, v);
                              return text + ')';
                          },
                          [](const type::String&) -> std::string { return "string"; },
                          [](const type::Bytes& t) { return "(bytes " + std::to_string(t.max) + ')'; },
                          [&](const type::ListOf& t) {
                              return "(list-of " + full_text(program, t.element) + ' ' + std::to_string(t.max) + ')';
                          },
                          [&](const type::OneOf& t) {
                              std::string text = "(one-of";
                              for (const MessageId m : t.messages)
                                  text += ' ' + to_text(program, Value::symbol(program.messages[index(m)].name));
                              return text + ')';
                          },
                      },
                      program.types[index(type)].kind);
}

} // namespace

Result<std::shared_ptr<const ValueRange>> ValueRange::parse(std::string_view text) { return RangeReader(text).read(); }

bool ValueRange::is_of(std::optional<ValueWord> word) const {
    switch (kind_) {
    case Kind::integer: return word == ValueWord::integer;
    case Kind::boolean: return word == ValueWord::boolean;
    case Kind::string: return word == ValueWord::string;
    case Kind::enumeration: return word != ValueWord::message && word != ValueWord::any && word != ValueWord::other;
    case Kind::bytes: return word == ValueWord::bytes;
    case Kind::list: return word == ValueWord::list;
    case Kind::message: break;
    }
    return word == ValueWord::message;
}

bool ValueRange::holds(const JsonValue& value) const {
    switch (kind_) {
    case Kind::integer: {
        const auto* n = std::get_if<JsonNumber>(&value.kind);
        return n != nullptr && n->is_integer() &&
               (!bounds_ || (is_at_most(bounds_->first, n->text) && is_at_most(n->text, bounds_->second)));
    }
    case Kind::boolean: return std::holds_alternative<bool>(value.kind);
    case Kind::string: return value.string() != nullptr;
    case Kind::enumeration: return std::find(values_.begin(), values_.end(), value) != values_.end();
    case Kind::bytes: {
        const auto bytes = value.string() == nullptr ? std::nullopt : from_hex(*value.string());
        return bytes && bytes->size() <= most_;
    }
    case Kind::list: {
        const auto* items = std::get_if<JsonList>(&value.kind);
        return items != nullptr && items->size() <= most_ &&
               std::all_of(items->begin(), items->end(), [&](const JsonValue& v) { return item_->holds(v); });
    }
    case Kind::message: break;
    }
    const JsonValue* name = value.object() == nullptr ? nullptr : value.member("name");
    return name != nullptr && name->string() != nullptr &&
           std::find(names_.begin(), names_.end(), *name->string()) != names_.end();
}

std::optional<std::pair<std::string, std::string>> ValueRange::bounds() const { return bounds_; }

std::string range_text(const Program& program, TypeId type) {
    if (depth_of(program, type) >= deepest_spelt) return {};
    std::string text = full_text(program, type);
    return text == "int" || text == "bool" || text == "string" ? std::string() : text;
}

bool is_same_range(const std::string& said, const std::string& by_model) {
    if (said == by_model) return true;
    const auto one = ValueRange::parse(said), other = ValueRange::parse(by_model);
    return one && other && (*one)->text() == (*other)->text();
}

std::map<uint32_t, std::string> ranges_in(const Program& program, const std::vector<SuiteEvent>& events) {
    std::map<uint32_t, std::string> ranges;
    for (const SuiteEvent& e : events)
        if (e.kind == SuiteEvent::Kind::output && e.printed.empty()) collect(program, e.value, ranges);
    return ranges;
}

} // namespace espalier
