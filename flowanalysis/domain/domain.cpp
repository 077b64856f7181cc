// The operations of the lattice; see domain.hpp.
#include "flowanalysis/domain/domain.hpp"

#include <algorithm>

namespace espalier::flow {

ValueId Domain::join(ValueId a, ValueId b) {
    if (a == b || b == bottom) return a;
    if (a == bottom) return b;
    const AbstractValue &x = (*this)[a], &y = (*this)[b];
    return intern({.atoms = x.atoms | y.atoms,
                   .integers = flow::join(x.integers, y.integers),
                   .parts = parts_.unite(x.parts, y.parts)});
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
                wanted = parts_.unite(wanted, parts_.one(objects_.part_of(o)));
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

ValueId Domain::positive(ValueId v) {
    const ValueId whole = keep(v, family::integer);
    return with_integers(whole, flow::meet((*this)[whole].integers, Integers::range(1, no_high)));
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

} // namespace espalier::flow
