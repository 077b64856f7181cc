// A join of many values.
#pragma once

#include <vector>

#include "flowanalysis/domain/values.hpp"

namespace espalier::flow {

// Joins many values, and makes one value of them: the joins of the first few alone are never interned.
class Union {
public:
    // The first one belongs to the union; what it has already costs little.
    explicit Union(Values& values, ValueId first = bottom) : values_(values), first_(first) {}
    void add(ValueId v);
    ValueId value();

private:
    Values& values_;
    ValueId first_;
    ValueId last_ = bottom;
    bool several_ = false;
    AbstractValue all_;
    std::vector<PartsId> parts_;
};

} // namespace espalier::flow
