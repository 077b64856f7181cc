// Text in a suite, by its type, as JSON and as the model would print it.
#include "testgen/suite/elements.hpp"
#include "testgen/suite/spelling.hpp"
#include "testgen/suite/test_value.hpp"

namespace espalier {

namespace {

constexpr size_t longest_shown = 2000;
std::string printed(Value v) { return to_text(nullptr, v, Style::write, longest_shown); }

JsonValue number_json(const std::string& canonical) {
    if (canonical.find('/') != std::string::npos) return {canonical};
    return {JsonNumber{canonical}};
}

std::optional<Literal> datum(std::string_view text) {
    Sources sources;
    Data data;
    Diagnostics problems;
    const auto read = read_data(sources, sources.add("value", std::string(text)), data, problems);
    if (read.size() != 1 || problems.has_errors()) return std::nullopt;
    const DatumId d = read[0];
    Literal made{ValueWord::enumeration, {}, print_datum(data, d)};
    switch (data[d].kind) {
    case DatumKind::symbol: made.json.kind = std::string(name_of(data.symbol(d))); break;
    case DatumKind::string: made.json.kind = data.text(d); break;
    case DatumKind::boolean: made.json.kind = data[d].a != 0; break;
    case DatumKind::integer:
    case DatumKind::number: made.json = number_json(made.shown); break;
    case DatumKind::null:
    case DatumKind::pair:
    case DatumKind::alias:
    case DatumKind::character:
    case DatumKind::vector:
    case DatumKind::bytevector: made.json.kind = made.shown; break;
    }
    return made;
}

} // namespace

std::optional<Literal> read_literal(ValueWord type, const std::string& raw) {
    const std::string_view trimmed = without_blanks(raw);
    Heap heap(Heap::Lifetime::immortal);
    switch (type) {
    case ValueWord::integer: {
        const auto number = number::parse(heap, trimmed, 10);
        if (!number) return std::nullopt;
        return Literal{type, number_json(number::to_text(*number)), number::to_text(*number)};
    }
    case ValueWord::boolean:
        if (trimmed == "#t" || trimmed == "true") return Literal{type, {true}, "#t"};
        if (trimmed == "#f" || trimmed == "false") return Literal{type, {false}, "#f"};
        return std::nullopt;
    case ValueWord::enumeration: return datum(trimmed);
    case ValueWord::string: return Literal{type, {raw}, printed(heap.string(raw))};
    case ValueWord::bytes: {
        const auto bytes = from_hex(trimmed);
        if (!bytes) return std::nullopt;
        const Value v = heap.bytevector(*bytes);
        return Literal{type, {to_hex(as_bytevector(v))}, printed(v)};
    }
    case ValueWord::other: return Literal{type, {raw}, raw};
    case ValueWord::list:
    case ValueWord::message:
    case ValueWord::any: break;
    }
    return std::nullopt;
}

} // namespace espalier
