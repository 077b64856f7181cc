// The patterns of one macro: whether they are well formed, and what their variables match in a use.
#pragma once

#include "lang/expand/part.hpp"
#include "lang/names/names.hpp"

namespace espalier {

// What a pattern variable matched: one datum, or under an ellipsis one match for each repetition.
struct Match {
    DatumId datum{};
    bool repeated = false;
    std::vector<Match> items;
};
using Matches = std::vector<std::pair<Ident, Match>>;

class Pattern : Part {
public:
    Pattern(Expansion& all, const Macro& macro) : Part(all), macro_(macro) {}

    bool is_ellipsis(DatumId d) const;
    bool check(DatumId pattern, std::vector<Ident>& variables); // says what is wrong, and collects the variables
    bool match(DatumId pattern, DatumId datum, const Scope* use, Matches& out);

private:
    bool is_wildcard(DatumId d) const;
    bool is_literal(DatumId d) const;
    bool check_items(std::span<const DatumId> items, std::vector<Ident>& variables);
    bool same_literal(DatumId pattern, DatumId datum, const Scope* use) const;
    bool match_list(DatumId pattern, DatumId datum, const Scope* use, Matches& out);
    // A run of elements with at most one ellipsis among the patterns.
    bool match_run(std::span<const DatumId> patterns, std::span<const DatumId> data, const Scope* use, Matches& out);
    bool match_each(std::span<const DatumId> patterns, std::span<const DatumId> data, const Scope* use, Matches& out);
    bool match_repeated(DatumId pattern, std::span<const DatumId> data, const Scope* use, Matches& out);
    bool same_atom(DatumId pattern, DatumId datum) const;

    const Macro& macro_;
};

} // namespace espalier
