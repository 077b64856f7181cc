// Types of fields: their definitions, and how they are read.
#pragma once

#include <unordered_map>

#include "lang/expand/part.hpp"

namespace espalier {

class TypeForms : Part {
public:
    explicit TypeForms(Expansion& all) : Part(all) {}

    void define(DatumId d, Scope* scope);
    std::optional<TypeId> parse(DatumId d, const Scope* scope); // says what is wrong
    TypeId add(TypeKind kind, Span span);
    bool looks_like_type(DatumId d, const Scope* scope) const;

private:
    using Parts = std::span<const DatumId>; // (head operand …)
    void fill(TypeId id, const Scope* scope);
    std::optional<TypeId> parse_name(DatumId d, const Scope* scope);
    std::optional<TypeId> parse_int(Parts parts, Span span);
    TypeId parse_enum(Parts parts, Span span);
    std::optional<TypeId> parse_list(Parts parts, Span span, const Scope* scope);
    std::optional<TypeId> parse_one_of(Parts parts, Span span, const Scope* scope);
    std::optional<uint32_t> size(DatumId n);
    bool is_whole(DatumId n) const;
    std::optional<TypeId> malformed(DatumId d, std::string_view head);

    std::unordered_map<uint32_t, DatumId> values_; // define-type: what is still to be filled in
    std::vector<TypeId> filling_;
};

} // namespace espalier
