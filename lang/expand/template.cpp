#include "lang/expand/template.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

const Match* Template::find(Ident id) const {
    for (auto it = variables_.rbegin(); it != variables_.rend(); ++it) {
        if (it->first == id) return &it->second;
    }
    return nullptr;
}

DatumId Template::fill(DatumId t, bool escaped) {
    if (!growth_.enter(use_)) return nothing();
    const Growth::Level level(growth_);
    if (syntax_.is_identifier(t)) return identifier(t);
    const bool is_vector = data_.is(t, DatumKind::vector);
    if (!data_.is_pair(t) && !is_vector) return t;
    if (!escaped && data_.is_pair(t) && pattern_.is_ellipsis(data_.car(t))) { // (... template)
        const auto parts = syntax_.elements(t);
        if (parts && parts->size() == 2) return fill((*parts)[1], true);
        reports_.fail(t, "malformed (... template)");
        return nothing();
    }
    std::vector<DatumId> items;
    DatumId tail = t;
    if (is_vector) items.assign(data_.elements(t).begin(), data_.elements(t).end());
    for (; data_.is_pair(tail); tail = data_.cdr(tail)) items.push_back(data_.car(tail));
    std::vector<DatumId> out;
    for (size_t i = 0; i < items.size(); ++i) {
        size_t dots = 0;
        while (!escaped && i + 1 + dots < items.size() && pattern_.is_ellipsis(items[i + 1 + dots])) ++dots;
        if (dots == 0) {
            out.push_back(fill(items[i], escaped));
        } else if (!fill_repeated(items[i], dots, escaped, out)) {
            return nothing();
        }
        i += dots;
    }
    if (is_vector) return data_.vector(use_, out);
    DatumId result = data_.is_null(tail) ? data_.null(use_) : fill(tail, escaped);
    for (size_t i = out.size(); i-- > 0;) result = data_.pair(use_, out[i], result);
    return result;
}

DatumId Template::identifier(DatumId t) {
    if (const Match* v = find(syntax_.ident(t))) {
        if (!v->repeated) return v->datum;
        reports_.fail(t, "the pattern variable `" + syntax_.show(t) + "` needs an ellipsis in the template");
        return nothing();
    }
    auto [it, fresh] = renamed_.try_emplace(index(syntax_.ident(t)), DatumId{});
    if (fresh) it->second = syntax_.make_alias(syntax_.ident(t), macro_.scope, use_);
    return it->second;
}

// The item once for each turn of the variables in it that are repeated here, `dots` levels deep.
bool Template::fill_repeated(DatumId item, size_t dots, bool escaped, std::vector<DatumId>& out) {
    const std::vector<Ident> repeated = repeated_in(item);
    if (repeated.empty()) {
        reports_.fail(item, "no repeated pattern variable stands before this ellipsis");
        return false;
    }
    repeat(dots, item, repeated, escaped, out);
    return true;
}

std::vector<Ident> Template::repeated_in(DatumId item) const {
    std::vector<Ident> repeated;
    std::vector<DatumId> look{item};
    while (!look.empty()) {
        const DatumId x = look.back();
        look.pop_back();
        if (syntax_.is_identifier(x)) {
            const Ident id = syntax_.ident(x);
            const Match* v = find(id);
            if (v != nullptr && v->repeated && std::find(repeated.begin(), repeated.end(), id) == repeated.end())
                repeated.push_back(id);
        } else if (data_.is_pair(x)) {
            look.push_back(data_.car(x));
            look.push_back(data_.cdr(x));
        } else if (data_.is(x, DatumKind::vector)) {
            for (DatumId e : data_.elements(x)) look.push_back(e);
        }
    }
    return repeated;
}

// How often the item is repeated: as often as each variable, which must be the same for all of them.
std::optional<size_t> Template::turns(std::span<const Ident> repeated, DatumId item) {
    std::optional<size_t> turns;
    for (Ident id : repeated) {
        const Match* v = find(id);
        if (!v->repeated) continue;
        if (turns && *turns != v->items.size()) {
            reports_.fail(use_, "the repeated parts of this use of `" + std::string(name_of(macro_.name)) +
                                    "` differ in length");
            return std::nullopt;
        }
        turns = v->items.size();
    }
    if (!turns) reports_.fail(item, "too many ellipses after this template");
    return turns;
}

void Template::repeat(size_t level, DatumId item, std::span<const Ident> repeated, bool escaped,
                      std::vector<DatumId>& out) {
    if (level == 0) {
        out.push_back(fill(item, escaped));
        return;
    }
    const std::optional<size_t> count = turns(repeated, item);
    if (!count) return;
    for (size_t k = 0; k < *count; ++k) {
        const size_t mark = variables_.size();
        for (Ident id : repeated) {
            const Match* v = find(id);
            if (!v->repeated) continue;
            Match turn = v->items[k];
            variables_.emplace_back(id, std::move(turn));
        }
        repeat(level - 1, item, repeated, escaped, out);
        variables_.resize(mark);
    }
}

} // namespace espalier
