// Abstract values, interned.
//
// A value says what a variable may hold, part by part: which atoms, integers, symbols, characters and strings, and
// which objects. Two ValueIds are equal exactly where the values are, and a ValueId takes four bytes wherever it is
// kept. The bottom value has no part at all, and means that nothing arrives here.
//
// This class makes values of their parts, and tells the parts of a value. Domain adds the operations on whole values.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "flowanalysis/domain/families.hpp"
#include "flowanalysis/domain/integers.hpp"
#include "flowanalysis/domain/objects.hpp"
#include "flowanalysis/domain/parts.hpp"

namespace espalier::flow {

enum class ValueId : uint32_t {};
inline constexpr ValueId bottom{0};

// A symbol, a character, or a string by its content.
struct Datum {
    enum class Kind : uint8_t { symbol, character, string } kind;
    uint32_t id;
};

struct AbstractValue {
    Atoms atoms = 0;
    Integers integers;
    PartsId parts = no_parts; // data and objects
    friend bool operator==(const AbstractValue&, const AbstractValue&) = default;
};

class Values {
public:
    explicit Values(const Objects& objects);

    const AbstractValue& operator[](ValueId v) const { return values_[index(v)]; }
    const AbstractObject& operator[](ObjectId o) const { return objects_[o]; }
    Families families(ValueId v) const { return families_[index(v)]; }
    size_t size() const { return values_.size(); }
    uint64_t set_steps() const { return parts_.steps(); }

    // ── From parts to a value
    ValueId intern(AbstractValue value);
    ValueId atoms(Atoms a) { return intern({.atoms = a, .integers = {}}); }
    ValueId boolean(bool may_be_true, bool may_be_false) {
        return atoms((may_be_true ? atom::truth : 0) | (may_be_false ? atom::falsity : 0));
    }
    ValueId integer(int64_t n) { return integers(Integers::one(n)); }
    ValueId integers(Integers set) { return intern({.atoms = 0, .integers = std::move(set)}); }
    ValueId datum(Datum d);
    ValueId object(ObjectId o);

    // ── From a value to its parts
    PartsId parts(ValueId v) const { return (*this)[v].parts; }
    size_t part_count(ValueId v) const { return parts_.count(parts(v)); } // data and objects
    std::vector<Datum> data(ValueId v) const;
    std::vector<ObjectId> objects(ValueId v, Families kinds = family::object) const;
    std::vector<ObjectId> new_objects(ValueId v, PartsId before) const; // that are not in that set
    // The objects of that kind, by what they are of: `which`, and a value of those alone. A type is left out where all
    // its objects are in the set `before`.
    std::vector<std::pair<uint32_t, ValueId>> by_type(ValueId v, Families kind, PartsId before = no_parts);
    std::optional<ObjectId> only_object(ValueId v) const;  // where it refers to one object
    std::optional<ObjectId> first_object(ValueId v) const; // of a value without data
    bool may_share(ValueId a, ValueId b) const { return parts_.meet(parts(a), parts(b)); }

protected:
    friend class Union;
    const Objects& objects_;
    Parts parts_;

private:
    Families families_of(const AbstractValue& value) const;
    void normalise(AbstractValue& value);

    std::deque<AbstractValue> values_;
    std::vector<Families> families_;
    HashIndex ids_;
};

// Families of data that the value has all of; and the atoms that belong to these families.
Families whole_families(Atoms atoms);
Atoms atoms_in(Families families);

} // namespace espalier::flow
