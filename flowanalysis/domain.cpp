// Interning of values and objects, and the lattice operations on them.
#include "flowanalysis/domain.hpp"

#include <algorithm>
#include <cassert>

namespace espalier::flow {

namespace {

// Objects that are asked for by their type: a message's, a record's, the λ of a closure.
constexpr Families typed = family::message | family::record | family::procedure;

// More data of one kind than this in one value are all of that kind.
constexpr size_t most_data = 1U << 16;

uint64_t mix(uint64_t hash, uint64_t word) {
    hash ^= word + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdU;
    return hash ^ hash >> 32;
}

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

// Of which families of data does the value have all?
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

} // namespace

Domain::Domain(const Program& program) : program_(program) { intern({}); }

Families Domain::families_of(const AbstractValue& value) const {
    Families result = 0;
    for (const auto& [a, f] : atom_families)
        if ((value.atoms & a) != 0) result |= f;
    if (!value.integers.empty()) result |= family::integer;
    return result | parts_.families(value.parts);
}

void Domain::normalise(AbstractValue& value) {
    if (parts_.count(value.parts) > most_data)
        for (const auto& [a, f] : {std::pair{atom::any_symbol, family::symbol},
                                   {atom::any_character, family::character},
                                   {atom::any_string, family::string}})
            if (parts_.count(parts_.keep(value.parts, f)) > most_data) value.atoms |= a;
    if (const Families whole = whole_families(value.atoms) & parts_.families(value.parts); whole != 0)
        value.parts = parts_.keep(value.parts, ~whole);
}

uint64_t Domain::part_of(ObjectId o) const {
    const AbstractObject& object = objects_[index(o)];
    return Part::packed(object.kind, (object.kind & typed) != 0 ? object.which : 0, index(o));
}

std::vector<std::pair<uint32_t, ValueId>> Domain::by_type(ValueId v, Families kind, PartsId before) {
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

std::vector<ObjectId> Domain::new_objects(ValueId v, PartsId before) {
    std::vector<uint64_t> parts;
    parts_.list_new((*this)[v].parts, before, parts);
    std::vector<ObjectId> result;
    for (const uint64_t part : parts) result.push_back(ObjectId{Part::number(part)});
    return result;
}

std::vector<ObjectId> Domain::objects(ValueId v, Families kinds) const {
    std::vector<uint64_t> parts;
    std::vector<ObjectId> result;
    if ((families(v) & kinds & family::object) == 0) return result;
    parts_.list((*this)[v].parts, parts);
    result.reserve(parts.size());
    for (const uint64_t part : parts)
        if ((Part::family(part) & kinds & family::object) != 0) result.push_back(ObjectId{Part::number(part)});
    return result;
}

std::vector<Datum> Domain::data(ValueId v) const {
    std::vector<uint64_t> parts;
    std::vector<Datum> result;
    if ((families(v) & family::datum) == 0) return result;
    parts_.list((*this)[v].parts, parts);
    for (const uint64_t part : parts)
        for (const auto kind : {Datum::Kind::symbol, Datum::Kind::character, Datum::Kind::string})
            if (family_of(kind) == Part::family(part)) result.push_back({kind, Part::number(part)});
    return result;
}

std::optional<ObjectId> Domain::first_object(ValueId v) const {
    const PartsId parts = (*this)[v].parts;
    if ((parts_.families(parts) & ~family::object) != 0 || parts == no_parts) return std::nullopt;
    return ObjectId{Part::number(parts_.first(parts))};
}

std::optional<ObjectId> Domain::only_object(ValueId v) const {
    return parts_.count((*this)[v].parts) == 1 ? first_object(v) : std::nullopt;
}

ValueId Domain::intern(AbstractValue value) {
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

ValueId Domain::atoms(Atoms a) { return intern({.atoms = a, .integers = {}}); }

ValueId Domain::boolean(bool may_be_true, bool may_be_false) {
    return atoms((may_be_true ? atom::truth : 0) | (may_be_false ? atom::falsity : 0));
}

ValueId Domain::integers(Integers set) { return intern({.atoms = 0, .integers = std::move(set)}); }

ValueId Domain::datum(Datum d) {
    return intern({.atoms = 0, .integers = {}, .parts = parts_.one(Part::packed(family_of(d.kind), 0, d.id))});
}

ValueId Domain::object(ObjectId o) { return intern({.atoms = 0, .integers = {}, .parts = parts_.one(part_of(o))}); }

ValueId Domain::join(ValueId a, ValueId b) {
    if (a == b || b == bottom) return a;
    if (a == bottom) return b;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    return intern({.atoms = x.atoms | y.atoms,
                   .integers = flow::join(x.integers, y.integers),
                   .parts = parts_.unite(x.parts, y.parts)});
}

void Union::add(ValueId v) {
    if (v == bottom || v == last_ || v == first_) return;
    last_ = v;
    if (first_ == bottom) {
        first_ = v;
        return;
    }
    if (!several_) all_ = domain_[first_];
    several_ = true;
    const AbstractValue& more = domain_[v];
    all_.atoms |= more.atoms;
    all_.integers = flow::join(all_.integers, more.integers);
    if (!domain_.parts_.contains(all_.parts, more.parts)) parts_.push_back(more.parts);
}

ValueId Union::value() {
    if (!several_) return first_;
    parts_.push_back(all_.parts);
    all_.parts = domain_.parts_.unite(parts_);
    return domain_.intern(all_);
}

// The parts of one value that the other has too, by name or because it has all of their family.
PartsId Domain::shared_parts(const AbstractValue& a, const AbstractValue& b) {
    const PartsId named = parts_.common(a.parts, b.parts);
    return parts_.unite(named, parts_.unite(parts_.keep(a.parts, whole_families(b.atoms)),
                                            parts_.keep(b.parts, whole_families(a.atoms))));
}

ValueId Domain::meet(ValueId a, ValueId b) {
    if (a == b || a == bottom || b == bottom) return a == b ? a : bottom;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    return intern(
        {.atoms = x.atoms & y.atoms, .integers = flow::meet(x.integers, y.integers), .parts = shared_parts(x, y)});
}

ValueId Domain::keep(ValueId v, Families wanted) {
    const Families has = families(v);
    if ((has & ~wanted) == 0) return v;
    if ((has & wanted) == 0) return bottom;
    AbstractValue value = (*this)[v];
    value.atoms &= atoms_in(wanted);
    if ((wanted & family::integer) == 0) value.integers = {};
    value.parts = parts_.keep(value.parts, wanted);
    return intern(std::move(value));
}

ValueId Domain::truthy(ValueId v) {
    if (((*this)[v].atoms & atom::falsity) == 0) return v;
    AbstractValue value = (*this)[v];
    value.atoms &= ~atom::falsity;
    return intern(std::move(value));
}

ValueId Domain::falsy(ValueId v) { return atoms((*this)[v].atoms & atom::falsity); }

ValueId Domain::keep_objects(ValueId v, Families kind, uint32_t which, bool wanted) {
    const AbstractValue& all = (*this)[v];
    const uint64_t first = Part::packed(kind, which, 0);
    if (wanted)
        return intern({.atoms = 0, .integers = {}, .parts = parts_.within(all.parts, first, Part::number_bits)});
    const PartsId others = parts_.without(all.parts, first, Part::number_bits);
    return others == all.parts ? v : intern({.atoms = all.atoms, .integers = all.integers, .parts = others});
}

// By the shorter of the two lists.
ValueId Domain::one_of(ValueId v, std::span<const MessageId> types) {
    AbstractValue value = (*this)[v];
    const PartsId messages = parts_.keep(value.parts, family::message);
    PartsId wanted = no_parts;
    if (parts_.count(messages) < types.size()) {
        for (const ObjectId o : objects(v, family::message))
            if (std::find(types.begin(), types.end(), MessageId{(*this)[o].which}) != types.end())
                wanted = parts_.unite(wanted, parts_.one(part_of(o)));
    } else {
        for (const MessageId m : types)
            wanted = parts_.unite(
                wanted, parts_.within(messages, Part::packed(family::message, index(m), 0), Part::number_bits));
    }
    value.parts = parts_.unite(parts_.keep(value.parts, ~family::message), wanted);
    return intern(std::move(value));
}

ValueId Domain::messages(ValueId v, MessageId m, bool wanted) {
    return keep_objects(v, family::message, index(m), wanted);
}

ValueId Domain::records(ValueId v, RecordId r, bool wanted) {
    return keep_objects(v, family::record, index(r), wanted);
}

ValueId Domain::with_integers(ValueId v, Integers set) {
    AbstractValue value = (*this)[v];
    value.integers = std::move(set);
    return intern(std::move(value));
}

bool Domain::has_new_data(ValueId before, ValueId after) {
    const PartsId a = (*this)[before].parts, b = (*this)[after].parts;
    return a != b && (parts_.families(b) & family::datum) != 0 &&
           parts_.keep(a, family::datum) != parts_.keep(b, family::datum);
}

ValueId Domain::with_all_data(ValueId v) {
    AbstractValue value = (*this)[v];
    value.atoms |= atoms_in(families(v) & family::datum);
    return intern(std::move(value));
}

ValueId Domain::equal_to(ValueId a, ValueId b, bool structural) {
    if (a == b || (families(b) & family::opaque) != 0) return a;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    AbstractValue value{
        .atoms = x.atoms & y.atoms, .integers = flow::meet(x.integers, y.integers), .parts = shared_parts(x, y)};
    if (b != bottom) value.atoms |= x.atoms & (atom::fresh | atom::any_output);
    if (structural)
        value.parts =
            parts_.unite(parts_.keep(value.parts, family::datum), parts_.keep(x.parts, family::object & families(b)));
    return intern(std::move(value));
}

bool Domain::is_constant(ValueId v, bool structural) const {
    const AbstractValue& value = (*this)[v];
    const Families kinds = parts_.families(value.parts);
    if ((kinds & family::object) != 0 || (value.integers.empty() ? 0U : 1U) + parts_.count(value.parts) +
                                                 static_cast<uint32_t>(__builtin_popcount(value.atoms)) !=
                                             1)
        return false;
    if (!value.integers.empty()) return value.integers.is_one();
    if (kinds != 0) return structural || kinds != family::string;
    return (value.atoms & (atom::truth | atom::falsity | atom::null | atom::unspecified)) != 0;
}

ValueId Domain::different_from(ValueId a, ValueId b, bool structural) {
    if (!is_constant(b, structural)) return a;
    AbstractValue value = (*this)[a];
    const AbstractValue& out = (*this)[b];
    value.atoms &= ~out.atoms;
    if (!out.integers.empty()) value.integers = without(value.integers, out.integers.low());
    if (out.parts != no_parts) value.parts = parts_.without(value.parts, parts_.first(out.parts), 0);
    return intern(std::move(value));
}

std::optional<MessageId> Domain::message_of(ObjectId o) const {
    const AbstractObject& object = (*this)[o];
    if (object.kind != family::message) return std::nullopt;
    return MessageId{object.which};
}

ObjectId Domain::object(const AbstractObject& key, bool& made) {
    const uint64_t hash = mix(mix(mix(key.kind, index(key.label)), static_cast<uint32_t>(key.variant)), key.which);
    const uint32_t known = object_ids_.find(hash, [&](uint32_t id) {
        const AbstractObject& o = objects_[id];
        return o.kind == key.kind && o.label == key.label && o.variant == key.variant && o.which == key.which;
    });
    made = known == HashIndex::none;
    if (!made) return ObjectId{known};
    assert((key.kind & typed) == 0 || key.which < 1U << Part::type_bits);
    const ObjectId id{static_cast<uint32_t>(objects_.size())};
    objects_.push_back(key);
    object_ids_.add(hash);
    return id;
}

} // namespace espalier::flow
