// The abstract objects of an analysis.
//
// An object stands for all that one place in the program makes in one variant (Ashley & Dybvig, "A practical and
// flexible flow analysis for higher-order languages", TOPLAS 1998). Its content lies in cells of the store.
#pragma once

#include <cstdint>
#include <vector>

#include "flowanalysis/domain/families.hpp"
#include "flowanalysis/domain/variant_id.hpp"

namespace espalier::flow {

enum class ObjectId : uint32_t {};
enum class CellId : uint32_t {};

struct AbstractObject {
    Families kind;     // one family
    Label label;       // of the operation that makes it; no_label: a literal of the text, or made by the tester
    VariantId variant; // where that operation runs
    uint32_t which;    // λ, record, message or port; or its position in what one operation makes
    CellId first_cell;
    uint32_t cell_count;
    bool unique = false; // stands for one object of a run, not for several
};

class Objects {
public:
    const AbstractObject& operator[](ObjectId o) const { return all_[index(o)]; }
    size_t size() const { return all_.size(); }
    struct Found {
        ObjectId id;
        bool is_new; // it has no cells yet, see `complete`
    };
    // The object of the same kind, label, variant and `which`.
    Found find_or_make(const AbstractObject& key);
    void complete(ObjectId o, CellId first_cell, bool unique);
    uint64_t part_of(ObjectId o) const; // how it stands in a set of parts

private:
    std::vector<AbstractObject> all_;
    HashIndex ids_;
};

} // namespace espalier::flow
