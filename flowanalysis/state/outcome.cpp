#include "flowanalysis/state/outcome.hpp"

#include <algorithm>

namespace espalier::flow {

void VariantSet::add(VariantId v) {
    constexpr size_t many = 16;
    if (all_.size() < many) {
        if (std::find(all_.begin(), all_.end(), v) == all_.end()) all_.push_back(v);
        return;
    }
    if (members_.empty())
        for (VariantId each : all_) members_.insert(index(each));
    if (members_.insert(index(v)).second) all_.push_back(v);
}

void VariantSet::clear() {
    all_.clear();
    if (!members_.empty()) members_ = {}; // clearing would keep the room, and take the time, of the largest
}

void Outcome::clear() {
    completed = 0;
    terminates = false;
    successors.clear();
    callees.clear();
    spawns.clear();
    sends.clear();
    excluded.clear();
    clauses.clear();
    demands.clear();
    fallible.clear();
}

} // namespace espalier::flow
