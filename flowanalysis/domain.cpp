// Interning of values and objects, and the lattice operations on them.
#include "flowanalysis/domain.hpp"

#include <algorithm>
#include <iterator>

namespace espalier::flow {

namespace {

// More data of one kind than this in one value are all of that kind.
constexpr size_t most_data = 512;

uint64_t mix(uint64_t hash, uint64_t word) {
    hash ^= word + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdU;
}

uint64_t hash_of(const AbstractValue& v) {
    uint64_t hash = mix(v.atoms, static_cast<uint64_t>(v.integers.low()));
    hash = mix(hash, static_cast<uint64_t>(v.integers.high()));
    for (int64_t n : v.integers.constants()) hash = mix(hash, static_cast<uint64_t>(n));
    for (const Datum& d : v.data) hash = mix(hash, static_cast<uint64_t>(d.kind) << 32 | d.id);
    for (ObjectId o : v.objects) hash = mix(hash, index(o));
    return hash;
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

Atoms any_of(Datum::Kind kind) {
    switch (kind) {
    case Datum::Kind::symbol: return atom::any_symbol;
    case Datum::Kind::character: return atom::any_character;
    case Datum::Kind::string: return atom::any_string;
    }
    return 0;
}

Atoms atoms_in(Families families) {
    Atoms result = 0;
    for (const auto& [a, f] : atom_families)
        if ((f & families) != 0) result |= a;
    return result;
}

template <typename T>
std::vector<T> united(const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> result;
    result.reserve(a.size() + b.size());
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

// Few are added to many.
template <typename T>
void insert_all(std::vector<T>& into, const std::vector<T>& more) {
    if (more.size() > 4) {
        into = united(into, more);
        return;
    }
    for (const T& each : more) {
        const auto at = std::lower_bound(into.begin(), into.end(), each);
        if (at == into.end() || !(*at == each)) into.insert(at, each);
    }
}

template <typename T>
std::vector<T> common(const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> result;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

// The data of one value that the other has too, by name or because it has all of their kind.
std::vector<Datum> common_data(const AbstractValue& a, const AbstractValue& b) {
    std::vector<Datum> result;
    for (const Datum& d : a.data)
        if ((b.atoms & any_of(d.kind)) != 0 || std::binary_search(b.data.begin(), b.data.end(), d)) result.push_back(d);
    return result;
}

bool is_one_object(const AbstractValue& v) {
    return v.atoms == 0 && v.objects.size() == 1 && v.data.empty() && v.integers.empty();
}

// One object at a time is added to sets that mostly have it already: that is worth no new set.
bool has_object(const AbstractValue& all, const AbstractValue& one) {
    return is_one_object(one) && std::binary_search(all.objects.begin(), all.objects.end(), one.objects[0]);
}

} // namespace

Domain::Domain(const Program& program) : program_(program) { intern({}); }

Families Domain::families_of(const AbstractValue& value) const {
    Families result = 0;
    for (const auto& [a, f] : atom_families)
        if ((value.atoms & a) != 0) result |= f;
    if (!value.integers.empty()) result |= family::integer;
    for (const Datum& d : value.data) result |= family_of(d.kind);
    for (ObjectId o : value.objects) result |= objects_[index(o)].kind;
    return result;
}

void Domain::normalise(AbstractValue& value) const {
    for (const auto kind : {Datum::Kind::symbol, Datum::Kind::character, Datum::Kind::string}) {
        const auto is_it = [kind](const Datum& d) { return d.kind == kind; };
        if (value.data.size() > most_data &&
            static_cast<size_t>(std::count_if(value.data.begin(), value.data.end(), is_it)) > most_data)
            value.atoms |= any_of(kind);
        if ((value.atoms & any_of(kind)) != 0) std::erase_if(value.data, is_it);
    }
}

ValueId Domain::intern(AbstractValue value) {
    normalise(value);
    const uint64_t hash = hash_of(value);
    const auto [first, last] = ids_.equal_range(hash);
    for (auto at = first; at != last; ++at)
        if (values_[index(at->second)] == value) return at->second;
    const ValueId id{static_cast<uint32_t>(values_.size())};
    families_.push_back(families_of(value));
    values_.push_back(std::move(value));
    ids_.emplace(hash, id);
    return id;
}

ValueId Domain::atoms(Atoms a) { return intern({.atoms = a, .integers = {}, .data = {}, .objects = {}}); }

ValueId Domain::boolean(bool may_be_true, bool may_be_false) {
    return atoms((may_be_true ? atom::truth : 0) | (may_be_false ? atom::falsity : 0));
}

ValueId Domain::integers(Integers set) {
    return intern({.atoms = 0, .integers = std::move(set), .data = {}, .objects = {}});
}

ValueId Domain::datum(Datum d) { return intern({.atoms = 0, .integers = {}, .data = {d}, .objects = {}}); }

ValueId Domain::object(ObjectId o) { return intern({.atoms = 0, .integers = {}, .data = {}, .objects = {o}}); }

ValueId Domain::join(ValueId a, ValueId b) {
    if (a == b || b == bottom) return a;
    if (a == bottom) return b;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    if (has_object(x, y)) return a;
    if (has_object(y, x)) return b;
    const uint64_t key = static_cast<uint64_t>(std::min(index(a), index(b))) << 32 | std::max(index(a), index(b));
    if (const auto known = joins_.find(key); known != joins_.end()) return known->second;
    const ValueId result = intern({.atoms = x.atoms | y.atoms,
                                   .integers = flow::join(x.integers, y.integers),
                                   .data = united(x.data, y.data),
                                   .objects = united(x.objects, y.objects)});
    joins_.emplace(key, result);
    return result;
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
    insert_all(all_.data, more.data);
    insert_all(all_.objects, more.objects);
}

ValueId Domain::meet(ValueId a, ValueId b) {
    if (a == b || a == bottom || b == bottom) return a == b ? a : bottom;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    return intern({.atoms = x.atoms & y.atoms,
                   .integers = flow::meet(x.integers, y.integers),
                   .data = united(common_data(x, y), common_data(y, x)),
                   .objects = common(x.objects, y.objects)});
}

ValueId Domain::keep(ValueId v, Families wanted) {
    const Families has = families(v);
    if ((has & ~wanted) == 0) return v;
    if ((has & wanted) == 0) return bottom;
    AbstractValue value = (*this)[v];
    value.atoms &= atoms_in(wanted);
    if ((wanted & family::integer) == 0) value.integers = {};
    std::erase_if(value.data, [&](const Datum& d) { return (family_of(d.kind) & wanted) == 0; });
    std::erase_if(value.objects, [&](ObjectId o) { return (objects_[index(o)].kind & wanted) == 0; });
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
    AbstractValue value;
    for (const ObjectId o : all.objects) {
        const AbstractObject& object = objects_[index(o)];
        if ((object.kind == kind && object.which == which) == wanted) value.objects.push_back(o);
    }
    if (!wanted) {
        if (value.objects.size() == all.objects.size()) return v;
        value.atoms = all.atoms;
        value.integers = all.integers;
        value.data = all.data;
    }
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

ValueId Domain::equal_to(ValueId a, ValueId b, bool structural) {
    if (a == b || (families(b) & family::opaque) != 0) return a;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    AbstractValue value{.atoms = x.atoms & y.atoms,
                        .integers = flow::meet(x.integers, y.integers),
                        .data = united(common_data(x, y), common_data(y, x)),
                        .objects = {}};
    if (b != bottom) value.atoms |= x.atoms & (atom::fresh | atom::any_output);
    if (structural) {
        const Families other = families(b);
        for (ObjectId o : x.objects)
            if ((objects_[index(o)].kind & other) != 0) value.objects.push_back(o);
    } else {
        value.objects = common(x.objects, y.objects);
    }
    return intern(std::move(value));
}

bool Domain::is_constant(ValueId v, bool structural) const {
    const AbstractValue& value = (*this)[v];
    if (!value.objects.empty() ||
        (value.integers.empty() ? 0U : 1U) + value.data.size() + static_cast<size_t>(__builtin_popcount(value.atoms)) !=
            1)
        return false;
    if (!value.integers.empty()) return value.integers.is_one();
    if (!value.data.empty()) return structural || value.data[0].kind != Datum::Kind::string;
    return (value.atoms & (atom::truth | atom::falsity | atom::null | atom::unspecified)) != 0;
}

ValueId Domain::different_from(ValueId a, ValueId b, bool structural) {
    if (!is_constant(b, structural)) return a;
    AbstractValue value = (*this)[a];
    const AbstractValue& out = (*this)[b];
    value.atoms &= ~out.atoms;
    if (!out.integers.empty()) value.integers = without(value.integers, out.integers.low());
    for (const Datum& d : out.data) std::erase(value.data, d);
    return intern(std::move(value));
}

std::optional<MessageId> Domain::message_of(ObjectId o) const {
    const AbstractObject& object = (*this)[o];
    if (object.kind != family::message) return std::nullopt;
    return MessageId{object.which};
}

ObjectId Domain::object(const AbstractObject& key, bool& made) {
    const uint64_t hash = mix(mix(mix(key.kind, index(key.label)), static_cast<uint32_t>(key.variant)), key.which);
    const auto [first, last] = object_ids_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
        const AbstractObject& o = objects_[index(at->second)];
        if (o.kind == key.kind && o.label == key.label && o.variant == key.variant && o.which == key.which) {
            made = false;
            return at->second;
        }
    }
    made = true;
    const ObjectId id{static_cast<uint32_t>(objects_.size())};
    objects_.push_back(key);
    object_ids_.emplace(hash, id);
    return id;
}

} // namespace espalier::flow
