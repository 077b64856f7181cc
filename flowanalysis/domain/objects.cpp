#include "flowanalysis/domain/objects.hpp"

#include <cassert>

#include "flowanalysis/domain/hash.hpp"
#include "flowanalysis/domain/parts.hpp"

namespace espalier::flow {

namespace {
// Objects that are asked for by their type: a message's, a record's, the λ of a closure.
constexpr Families typed = family::message | family::record | family::procedure;
} // namespace

Objects::Found Objects::find_or_make(const AbstractObject& key) {
    const uint64_t hash = mix(mix(mix(key.kind, index(key.label)), static_cast<uint32_t>(key.variant)), key.which);
    const uint32_t known = ids_.find(hash, [&](uint32_t id) {
        const AbstractObject& o = all_[id];
        return o.kind == key.kind && o.label == key.label && o.variant == key.variant && o.which == key.which;
    });
    if (known != HashIndex::none) return {ObjectId{known}, false};
    assert((key.kind & typed) == 0 || key.which < 1U << Part::type_bits);
    const ObjectId id{static_cast<uint32_t>(all_.size())};
    all_.push_back(key);
    ids_.add(hash);
    return {id, true};
}

void Objects::complete(ObjectId o, CellId first_cell, bool unique) {
    all_[index(o)].first_cell = first_cell;
    all_[index(o)].unique = unique;
}

uint64_t Objects::part_of(ObjectId o) const {
    const AbstractObject& object = all_[index(o)];
    return Part::packed(object.kind, (object.kind & typed) != 0 ? object.which : 0, index(o));
}

} // namespace espalier::flow
