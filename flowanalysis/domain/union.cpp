#include "flowanalysis/domain/union.hpp"

namespace espalier::flow {

void Union::add(ValueId v) {
    if (v == bottom || v == last_ || v == first_) return;
    last_ = v;
    if (first_ == bottom) {
        first_ = v;
        return;
    }
    if (!several_) all_ = values_[first_];
    several_ = true;
    const AbstractValue& more = values_[v];
    all_.atoms |= more.atoms;
    all_.integers = flow::join(all_.integers, more.integers);
    if (!values_.parts_.contains(all_.parts, more.parts)) parts_.push_back(more.parts);
}

ValueId Union::value() {
    if (!several_) return first_;
    parts_.push_back(all_.parts);
    all_.parts = values_.parts_.unite(parts_);
    return values_.intern(all_);
}

} // namespace espalier::flow
