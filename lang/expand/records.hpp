// Records: (define-record-type name (constructor field …) predicate (field accessor [modifier]) …)
#pragma once

#include <unordered_set>

#include "lang/expand/part.hpp"
#include "lang/names/names.hpp"

namespace espalier {

class Records : Part {
public:
    explicit Records(Expansion& all) : Part(all) {}

    void define(DatumId d, Scope* scope);
    bool is_local(uint32_t record) const { return local_.contains(record); } // defined in a body

private:
    struct Field {
        DatumId name;
        std::vector<DatumId> spec; // (name accessor modifier)
    };
    struct Definition {
        RecordId id;
        DatumId name;
        Scope* scope;
        std::vector<Field> fields;
    };
    bool parse_fields(std::span<const DatumId> specs, Definition& def);
    bool define_constructor(const Definition& def, DatumId constructor);
    void define_predicate(const Definition& def, DatumId predicate);
    std::optional<uint32_t> field_index(const Definition& def, DatumId name);
    void add(const Definition& def, DatumId name, Operator::Kind kind, int arity, uint32_t field,
             std::vector<uint32_t> order = {});
    bool is_false(DatumId d) const { return data_.is(d, DatumKind::boolean) && data_[d].a == 0; }

    std::unordered_set<uint32_t> local_;
};

} // namespace espalier
