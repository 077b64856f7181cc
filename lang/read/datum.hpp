// What the reader makes of text: data with a place each, in one arena, linked by index.
//
// Lists are chains of pairs, as in Scheme, so that the expander's patterns need one walk only. A Datum is 24
// bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/text/source.hpp"
#include "lang/values/symbol.hpp"

namespace espalier {

enum class DatumId : uint32_t {};

enum class DatumKind : uint8_t {
    null,       // ()
    pair,       // a: car, b: cdr
    symbol,     // a: Symbol
    alias,      // a: index of a renamed identifier; made by the expander, never by the reader
    boolean,    // a: 0 or 1
    integer,    // a, b: the low and high half of an int64_t
    number,     // a: index of its text in canonical form ("-12345678901234567890", "22/7"): what an int64_t
                // cannot hold
    character,  // a: code point
    string,     // a: index of its content, UTF-8
    vector,     // a: first element in `elements`, b: how many
    bytevector, // a: index of its content, bytes
};

struct Datum {
    Span span;
    DatumKind kind = DatumKind::null;
    uint32_t a = 0;
    uint32_t b = 0;
};

// An append-only arena. Ids and texts stay good; a `const Datum&` and a span of elements only until the next
// addition.
class Data {
public:
    // Room for so many further nodes. Untouched room costs addresses, not memory.
    void reserve_more(size_t nodes);

    const Datum& operator[](DatumId id) const { return nodes_[static_cast<uint32_t>(id)]; }
    size_t size() const { return nodes_.size(); }

    DatumId null(Span span) { return add({span, DatumKind::null, 0, 0}); }
    DatumId pair(Span span, DatumId car, DatumId cdr) {
        return add({span, DatumKind::pair, static_cast<uint32_t>(car), static_cast<uint32_t>(cdr)});
    }
    DatumId symbol(Span span, Symbol name) { return add({span, DatumKind::symbol, static_cast<uint32_t>(name), 0}); }
    DatumId alias(Span span, uint32_t index) { return add({span, DatumKind::alias, index, 0}); }
    DatumId boolean(Span span, bool value) { return add({span, DatumKind::boolean, value ? 1U : 0U, 0}); }
    DatumId integer(Span span, int64_t value);
    DatumId number(Span span, std::string canonical);
    DatumId character(Span span, char32_t code) { return add({span, DatumKind::character, code, 0}); }
    DatumId string(Span span, std::string utf8);
    DatumId vector(Span span, std::span<const DatumId> elements);
    DatumId bytevector(Span span, std::string bytes);

    // Lists are built back to front; these let the reader close one in place.
    void set_cdr(DatumId pair, DatumId cdr) { nodes_[static_cast<uint32_t>(pair)].b = static_cast<uint32_t>(cdr); }
    void set_span(DatumId id, Span span) { nodes_[static_cast<uint32_t>(id)].span = span; }

    DatumId car(DatumId pair) const { return DatumId{(*this)[pair].a}; }
    DatumId cdr(DatumId pair) const { return DatumId{(*this)[pair].b}; }
    Symbol symbol(DatumId id) const { return Symbol{(*this)[id].a}; }
    int64_t integer(DatumId id) const;
    // Of a number, string or bytevector.
    const std::string& text(DatumId id) const { return texts_[(*this)[id].a]; }
    std::span<const DatumId> elements(DatumId vector) const;

    bool is(DatumId id, DatumKind kind) const { return (*this)[id].kind == kind; }
    bool is_pair(DatumId id) const { return is(id, DatumKind::pair); }
    bool is_null(DatumId id) const { return is(id, DatumKind::null); }

private:
    DatumId add(Datum node) {
        if (nodes_.size() >= UINT32_MAX) too_many();
        nodes_.push_back(node);
        return DatumId{static_cast<uint32_t>(nodes_.size() - 1)};
    }
    [[noreturn]] static void too_many();
    std::vector<Datum> nodes_;
    std::deque<std::string> texts_;
    std::vector<DatumId> elements_;
};

// All data of one file, in order. Reports lexical errors to `diagnostics`, an unclosed `(` where it opened,
// up to 20 of them, and returns the top-level data without one. Never recurses: nesting costs memory, not
// stack.
//
// Spans: a list's first pair has the whole list, `(` to `)`; each further pair has that of its car; the null
// at the end has the `)`. `'x` is (quote x): the list has both, the symbol `quote` has the `'`, the rest has
// x.
std::vector<DatumId> read_data(const Sources& sources, FileId file, Data& data, Diagnostics& diagnostics);

// One line for each top-level datum; external representation, strings and symbols escaped as needed. Never
// recurses.
std::string print_datum(const Data& data, DatumId id);

} // namespace espalier
