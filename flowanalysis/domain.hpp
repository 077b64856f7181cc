// Abstract values, and the abstract objects that they refer to.
//
// A value says what a variable may hold, part by part: which atoms, integers, symbols, characters and
// strings, and which objects. An object stands for all that one place in the program makes in one variant
// (Ashley & Dybvig, "A practical and flexible flow analysis for higher-order languages", TOPLAS 1998). Values
// are interned: a ValueId is equal where the value is, and takes four bytes wherever it is kept. The bottom
// value, no part at all, means that nothing arrives here.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "flowanalysis/integers.hpp"

namespace espalier::flow {

enum class ValueId : uint32_t {};
enum class ObjectId : uint32_t {};
enum class CellId : uint32_t {};
inline constexpr ValueId bottom{0};

// Every part of a value belongs to one family; predicates and domains of operations are sets of families.
using Families = uint32_t;
namespace family {
inline constexpr Families boolean = 1U << 0, symbol = 1U << 1, character = 1U << 2, string = 1U << 3, null = 1U << 4,
                          integer = 1U << 5, rational = 1U << 6, unspecified = 1U << 7, fresh = 1U << 8,
                          any_output = 1U << 9, pair = 1U << 10, vector = 1U << 11, bytevector = 1U << 12,
                          procedure = 1U << 13, box = 1U << 14, record = 1U << 15, message = 1U << 16, table = 1U << 17,
                          channel = 1U << 18, timer = 1U << 19, port = 1U << 20, values = 1U << 21;
inline constexpr Families number = integer | rational;
inline constexpr Families everything = (1U << 22) - 1;
// A value that the system chooses, and (any): what a test says of them says nothing about others, nor others
// of them.
inline constexpr Families opaque = fresh | any_output;
} // namespace family

// Parts without further content. `any_…` stand for all of their family.
using Atoms = uint32_t;
namespace atom {
inline constexpr Atoms truth = 1U << 0, falsity = 1U << 1, null = 1U << 2, unspecified = 1U << 3, rational = 1U << 4,
                       any_symbol = 1U << 5, any_character = 1U << 6, any_string = 1U << 7, fresh = 1U << 8,
                       any_output = 1U << 9;
} // namespace atom

// A symbol, a character, or a string by its content.
struct Datum {
    enum class Kind : uint8_t { symbol, character, string } kind;
    uint32_t id;
    friend bool operator==(const Datum&, const Datum&) = default;
    friend bool operator<(const Datum& a, const Datum& b) { return a.kind != b.kind ? a.kind < b.kind : a.id < b.id; }
};

struct AbstractValue {
    Atoms atoms = 0;
    Integers integers;
    std::vector<Datum> data;       // sorted
    std::vector<ObjectId> objects; // sorted
    friend bool operator==(const AbstractValue&, const AbstractValue&) = default;
};

struct AbstractObject {
    Families kind;     // one family
    Label label;       // of the operation that makes it; no_label: made by nobody, or by the tester
    VariantId variant; // where that runs
    uint32_t which;    // λ, record, message or port; or its position in what one operation makes
    CellId first_cell;
    uint32_t cell_count;
    bool unique = false; // stands for one object of a run, not for several
};

class Domain {
public:
    explicit Domain(const Program& program);

    const AbstractValue& operator[](ValueId v) const { return values_[index(v)]; }
    const AbstractObject& operator[](ObjectId o) const { return objects_[index(o)]; }
    Families families(ValueId v) const { return families_[index(v)]; }
    ValueId intern(AbstractValue value);
    size_t value_count() const { return values_.size(); }
    size_t object_count() const { return objects_.size(); }

    ValueId atoms(Atoms a);
    ValueId boolean(bool may_be_true, bool may_be_false);
    ValueId integer(int64_t n) { return integers(Integers::one(n)); }
    ValueId integers(Integers set);
    ValueId datum(Datum d);
    ValueId object(ObjectId o);

    ValueId join(ValueId a, ValueId b);
    // What belongs to both: two things known of one value.
    ValueId meet(ValueId a, ValueId b);
    ValueId keep(ValueId v, Families families); // the parts in these families
    ValueId drop(ValueId v, Families families) { return keep(v, family::everything & ~families); }
    ValueId truthy(ValueId v); // all but #f
    ValueId falsy(ValueId v);
    ValueId messages(ValueId v, MessageId m, bool wanted); // messages of this type, or all but them
    ValueId records(ValueId v, RecordId r, bool wanted);
    ValueId with_integers(ValueId v, Integers set); // the same with other integers
    // What is left of `a` where it is equal to `b`. Objects must be the same one; with `structural`, of the
    // same family.
    ValueId equal_to(ValueId a, ValueId b, bool structural);
    // What is left of `a` where it is not equal to `b`. Strings only count with `structural`.
    ValueId different_from(ValueId a, ValueId b, bool structural);
    // One value that compares with eq? and has no content: equal exactly to itself.
    bool is_constant(ValueId v, bool structural) const;
    std::optional<MessageId> message_of(ObjectId o) const;

    // The object of that key, made where it is new, with its cells from `first_cell`.
    ObjectId object(const AbstractObject& key, bool& made);
    AbstractObject& object_ref(ObjectId o) { return objects_[index(o)]; }

    std::string text(ValueId v) const;
    std::string text(ObjectId o) const;

private:
    ValueId keep_objects(ValueId v, Families kind, uint32_t which, bool wanted);
    Families families_of(const AbstractValue& value) const;
    void normalise(AbstractValue& value) const;

    const Program& program_;
    std::deque<AbstractValue> values_;
    std::vector<Families> families_;
    std::unordered_multimap<uint64_t, ValueId> ids_;
    std::unordered_map<uint64_t, ValueId> joins_;
    std::vector<AbstractObject> objects_;
    std::unordered_multimap<uint64_t, ObjectId> object_ids_;
};

// Joins many values, and makes one of them: what holds of the first few alone is of no interest, and would be a set for
// each of them.
class Union {
public:
    explicit Union(Domain& domain) : domain_(domain) {}
    void add(ValueId v);
    ValueId value() { return several_ ? domain_.intern(all_) : first_; }

private:
    Domain& domain_;
    ValueId first_ = bottom;
    ValueId last_ = bottom;
    bool several_ = false;
    AbstractValue all_;
};

} // namespace espalier::flow
