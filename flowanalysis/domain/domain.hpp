// The lattice of abstract values: joins, meets, and what a test leaves of a value.
#pragma once

#include <span>

#include "flowanalysis/domain/values.hpp"

namespace espalier::flow {

class Domain : public Values {
public:
    using Values::Values;

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
    ValueId with_integers(ValueId v, Integers set); // the same with other integers
    ValueId positive(ValueId v);                    // of it, the integers from 1 on
    bool has_new_data(ValueId before, ValueId after);
    ValueId with_all_data(ValueId v); // all of the families of data that it has some of
    // What is left of `a` where it is equal to `b`. Objects must be the same one; with `structural`, of the
    // same family.
    ValueId equal_to(ValueId a, ValueId b, bool structural);
    // What is left of `a` where it is not equal to `b`. Strings only count with `structural`.
    ValueId different_from(ValueId a, ValueId b, bool structural);
    // One value that compares with eq? and has no content: equal exactly to itself.
    bool is_constant(ValueId v, bool structural) const;

private:
    ValueId keep_objects(ValueId v, Families kind, uint32_t which, bool wanted);
    PartsId shared_parts(const AbstractValue& a, const AbstractValue& b);
};

} // namespace espalier::flow
