// The conditions of a path as one run of values: what a question to the solver is made of.
//
// Paths share beginnings, and one is asked about again and again, so what was copied for the last question stays.
#pragma once

#include <span>
#include <vector>

#include "symexec/state/state.hpp"

namespace espalier::sym {

class PathConditions {
public:
    // Until the next call.
    std::span<const Value> of(const State& s) {
        const size_t known = nodes_.size();
        nodes_.resize(s.path.size());
        values_.resize(s.path.size());
        for (const auto* n = s.path.last(); n != nullptr && (n->size > known || nodes_[n->size - 1] != n);
             n = n->before) {
            nodes_[n->size - 1] = n;
            values_[n->size - 1] = n->item;
        }
        last_ = s.path; // keeps the nodes
        return values_;
    }

private:
    Chain<Value> last_;
    std::vector<Value> values_;
    std::vector<const Chain<Value>::Node*> nodes_;
};

} // namespace espalier::sym
