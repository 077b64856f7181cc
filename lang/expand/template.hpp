// A template of one macro, filled in for one use. Symbols that the template inserts become aliases, the same one
// throughout the use, and stand at the use's place.
#pragma once

#include <unordered_map>

#include "lang/expand/part.hpp"
#include "lang/expand/pattern.hpp"

namespace espalier {

class Template : Part {
public:
    // The variables are the pattern's; more are added and removed again while repeated parts are filled in.
    Template(Expansion& all, const Macro& macro, Matches& variables, Span use)
        : Part(all), macro_(macro), pattern_(all, macro), variables_(variables), use_(use) {}

    DatumId fill(DatumId tmpl, bool escaped = false); // escaped: inside of (... template)

private:
    const Match* find(Ident id) const;
    DatumId identifier(DatumId t);
    DatumId nothing() { return data_.boolean(use_, false); } // after an error
    bool fill_repeated(DatumId item, size_t dots, bool escaped, std::vector<DatumId>& out);
    std::vector<Ident> repeated_in(DatumId item) const;
    std::optional<size_t> turns(std::span<const Ident> repeated, DatumId item);
    void repeat(size_t level, DatumId item, std::span<const Ident> repeated, bool escaped, std::vector<DatumId>& out);

    const Macro& macro_;
    const Pattern pattern_;
    Matches& variables_;
    const Span use_;
    std::unordered_map<uint32_t, DatumId> renamed_; // by what the template says: its alias
};

} // namespace espalier
