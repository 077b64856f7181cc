// Interning of values, and the parts of them; see values.hpp.
#include "flowanalysis/domain/values.hpp"

#include <algorithm>

#include "flowanalysis/domain/hash.hpp"

namespace espalier::flow {

namespace {

// More data of one kind than this in one value are all of that kind.
constexpr size_t most_data = 1U << 16;

uint64_t hash_of(const AbstractValue& v) {
    uint64_t hash = mix(v.atoms, static_cast<uint64_t>(v.integers.low()));
    hash = mix(hash, static_cast<uint64_t>(v.integers.high()));
    for (int64_t n : v.integers.constants()) hash = mix(hash, static_cast<uint64_t>(n));
    return mix(hash, static_cast<uint64_t>(v.parts));
}

constexpr std::pair<Atoms, Families> atom_families[] = {
    {atom::truth, family::boolean},           {atom::falsity, family::boolean},   {atom::null, family::null},
    {atom::unspecified, family::unspecified}, {atom::rational, family::rational}, {atom::any_symbol, family::symbol},
    {atom::any_character, family::character}, {atom::any_string, family::string}, {atom::fresh, family::fresh},
    {atom::any_output, family::any_output},
};

Families family_of(Datum::Kind kind) {
    switch (kind) {
    case Datum::Kind::symbol: return family::symbol;
    case Datum::Kind::character: return family::character;
    case Datum::Kind::string: return family::string;
    }
    return 0;
}

} // namespace

Families whole_families(Atoms atoms) {
    Families result = 0;
    if ((atoms & atom::any_symbol) != 0) result |= family::symbol;
    if ((atoms & atom::any_character) != 0) result |= family::character;
    if ((atoms & atom::any_string) != 0) result |= family::string;
    return result;
}

Atoms atoms_in(Families families) {
    Atoms result = 0;
    for (const auto& [a, f] : atom_families)
        if ((f & families) != 0) result |= a;
    return result;
}

Values::Values(const Objects& objects) : objects_(objects) { intern({}); }

Families Values::families_of(const AbstractValue& value) const {
    Families result = 0;
    for (const auto& [a, f] : atom_families)
        if ((value.atoms & a) != 0) result |= f;
    if (!value.integers.empty()) result |= family::integer;
    return result | parts_.families(value.parts);
}

void Values::normalise(AbstractValue& value) {
    if (parts_.count(value.parts) > most_data)
        for (const auto& [a, f] : {std::pair{atom::any_symbol, family::symbol},
                                   {atom::any_character, family::character},
                                   {atom::any_string, family::string}})
            if (parts_.count(parts_.keep(value.parts, f)) > most_data) value.atoms |= a;
    if (const Families whole = whole_families(value.atoms) & parts_.families(value.parts); whole != 0)
        value.parts = parts_.keep(value.parts, ~whole);
}

std::vector<std::pair<uint32_t, ValueId>> Values::by_type(ValueId v, Families kind, PartsId before) {
    std::vector<std::pair<uint32_t, ValueId>> result;
    std::vector<uint64_t> parts;
    const PartsId all = parts_.keep((*this)[v].parts, kind);
    parts_.list_new(all, before, parts);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0 && Part::type(parts[i]) == Part::type(parts[i - 1])) continue;
        const PartsId same = parts_.within(all, parts[i], Part::number_bits);
        result.emplace_back(Part::type(parts[i]), intern({.atoms = 0, .integers = {}, .parts = same}));
    }
    return result;
}

std::vector<ObjectId> Values::new_objects(ValueId v, PartsId before) const {
    std::vector<uint64_t> parts;
    parts_.list_new((*this)[v].parts, before, parts);
    std::vector<ObjectId> result;
    for (const uint64_t part : parts) result.push_back(ObjectId{Part::number(part)});
    return result;
}

std::vector<ObjectId> Values::objects(ValueId v, Families kinds) const {
    std::vector<uint64_t> parts;
    std::vector<ObjectId> result;
    if ((families(v) & kinds & family::object) == 0) return result;
    parts_.list((*this)[v].parts, parts);
    result.reserve(parts.size());
    for (const uint64_t part : parts)
        if ((Part::family(part) & kinds & family::object) != 0) result.push_back(ObjectId{Part::number(part)});
    return result;
}

std::vector<Datum> Values::data(ValueId v) const {
    std::vector<uint64_t> parts;
    std::vector<Datum> result;
    if ((families(v) & family::datum) == 0) return result;
    parts_.list((*this)[v].parts, parts);
    for (const uint64_t part : parts)
        for (const auto kind : {Datum::Kind::symbol, Datum::Kind::character, Datum::Kind::string})
            if (family_of(kind) == Part::family(part)) result.push_back({kind, Part::number(part)});
    return result;
}

std::optional<ObjectId> Values::first_object(ValueId v) const {
    const PartsId parts = (*this)[v].parts;
    if ((parts_.families(parts) & ~family::object) != 0 || parts == no_parts) return std::nullopt;
    return ObjectId{Part::number(parts_.first(parts))};
}

std::optional<ObjectId> Values::only_object(ValueId v) const {
    return parts_.count((*this)[v].parts) == 1 ? first_object(v) : std::nullopt;
}

ValueId Values::intern(AbstractValue value) {
    normalise(value);
    const uint64_t hash = hash_of(value);
    const uint32_t known = ids_.find(hash, [&](uint32_t id) { return values_[id] == value; });
    if (known != HashIndex::none) return ValueId{known};
    const ValueId id{static_cast<uint32_t>(values_.size())};
    families_.push_back(families_of(value));
    values_.push_back(std::move(value));
    ids_.add(hash);
    return id;
}

ValueId Values::datum(Datum d) {
    return intern({.atoms = 0, .integers = {}, .parts = parts_.one(Part::packed(family_of(d.kind), 0, d.id))});
}

ValueId Values::object(ObjectId o) {
    return intern({.atoms = 0, .integers = {}, .parts = parts_.one(objects_.part_of(o))});
}

} // namespace espalier::flow
