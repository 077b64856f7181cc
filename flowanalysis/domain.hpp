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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "flowanalysis/integers.hpp"
#include "flowanalysis/parts.hpp"

namespace espalier::flow {

enum class ValueId : uint32_t {};
enum class ObjectId : uint32_t {};
enum class CellId : uint32_t {};
inline constexpr ValueId bottom{0};

namespace family {
inline constexpr Families boolean = 1U << 0, symbol = 1U << 1, character = 1U << 2, string = 1U << 3, null = 1U << 4,
                          integer = 1U << 5, rational = 1U << 6, unspecified = 1U << 7, fresh = 1U << 8,
                          any_output = 1U << 9, pair = 1U << 10, vector = 1U << 11, bytevector = 1U << 12,
                          procedure = 1U << 13, box = 1U << 14, record = 1U << 15, message = 1U << 16, table = 1U << 17,
                          channel = 1U << 18, timer = 1U << 19, port = 1U << 20, values = 1U << 21;
inline constexpr Families number = integer | rational;
inline constexpr Families everything = (1U << 22) - 1;
// Those of parts that are kept apart one by one.
inline constexpr Families datum = symbol | character | string;
inline constexpr Families object =
    pair | vector | bytevector | procedure | box | record | message | table | channel | timer | port | values;
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
};

struct AbstractValue {
    Atoms atoms = 0;
    Integers integers;
    PartsId parts = no_parts; // data and objects
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
    uint64_t set_steps() const { return parts_.steps(); }
    std::vector<ObjectId> objects(ValueId v, Families kinds = family::object) const;
    // The objects of that kind, by what they are of: which, and a value of those alone. Of types that have none which
    // is not in the set `before`, nothing.
    std::vector<std::pair<uint32_t, ValueId>> by_type(ValueId v, Families kind, PartsId before = no_parts);
    std::vector<ObjectId> new_objects(ValueId v, PartsId before); // that are not in that set
    PartsId parts(ValueId v) const { return (*this)[v].parts; }
    std::vector<Datum> data(ValueId v) const;
    size_t part_count(ValueId v) const { return parts_.count((*this)[v].parts); } // data and objects
    std::optional<ObjectId> only_object(ValueId v) const;                         // where it refers to one object
    std::optional<ObjectId> first_object(ValueId v) const;                        // of a value without data
    bool may_share(ValueId a, ValueId b) const { return parts_.meet((*this)[a].parts, (*this)[b].parts); }

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
    ValueId messages(ValueId v, MessageId m, bool wanted);       // messages of this type, or all but them
    ValueId one_of(ValueId v, std::span<const MessageId> types); // messages of these types, and what is no message
    ValueId records(ValueId v, RecordId r, bool wanted);
    ValueId with_integers(ValueId v, Integers set);   // the same with other integers
    bool has_new_data(ValueId before, ValueId after); // symbols, characters or strings
    ValueId with_all_data(ValueId v);                 // all of the kinds that it has some of
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
    friend class Union;
    ValueId keep_objects(ValueId v, Families kind, uint32_t which, bool wanted);
    uint64_t part_of(ObjectId o) const;
    PartsId shared_parts(const AbstractValue& a, const AbstractValue& b);
    Families families_of(const AbstractValue& value) const;
    void normalise(AbstractValue& value);

    const Program& program_;
    Parts parts_;
    std::deque<AbstractValue> values_;
    std::vector<Families> families_;
    HashIndex ids_; // of values
    std::vector<AbstractObject> objects_;
    HashIndex object_ids_;
};

// Joins many values, and makes one of them: what holds of the first few alone is of no interest.
class Union {
public:
    // The first one, if any, belongs to it; what it has already costs little.
    explicit Union(Domain& domain, ValueId first = bottom) : domain_(domain), first_(first) {}
    void add(ValueId v);
    ValueId value();

private:
    Domain& domain_;
    ValueId first_;
    ValueId last_ = bottom;
    bool several_ = false;
    AbstractValue all_;
    std::vector<PartsId> parts_;
};

} // namespace espalier::flow
