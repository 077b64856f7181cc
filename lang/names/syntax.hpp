// Data as the expander reads them: identifiers, lists, literals. An alias that a macro inserted reads as the symbol
// that it stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/names/scope.hpp"
#include "lang/read/datum.hpp"
#include "lang/values/heap.hpp"

namespace espalier {

class Syntax {
public:
    // Literals are made in the heap.
    Syntax(Data& data, Heap& literals) : data_(data), literals_(literals) {}

    Span span(DatumId d) const { return data_[d].span; }
    bool is_identifier(DatumId d) const { return data_.is(d, DatumKind::symbol) || data_.is(d, DatumKind::alias); }
    Ident ident(DatumId d) const;
    Symbol base_name(Ident name) const; // the author's name, without aliases
    Symbol base_name(DatumId d) const { return base_name(ident(d)); }
    bool named(DatumId d, std::string_view name) const;            // an identifier with that base name
    std::optional<std::vector<DatumId>> elements(DatumId d) const; // of a proper list
    std::string show(DatumId d) const;                             // short external representation, for messages
    Value literal(DatumId d);                                      // quoted: aliases become symbols again

    const Alias& alias(Ident name) const { return aliases_[index(name) & ~alias_bit]; }
    DatumId make_alias(Ident base, Scope* scope, Span place); // each time another identifier

private:
    Value atom(DatumId d);

    Data& data_;
    Heap& literals_;
    std::vector<Alias> aliases_;
};

} // namespace espalier
