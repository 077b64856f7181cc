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
        size_t anew = 0;
        nodes_.resize(s.path.size());
        values_.resize(s.path.size());
        for (const auto* n = s.path.last(); n != nullptr && (n->size > known || nodes_[n->size - 1] != n);
             n = n->before) {
            nodes_[n->size - 1] = n;
            values_[n->size - 1] = n->item;
            ++anew;
        }
        if (anew > usual) turned_ += anew - usual;
        last_ = s.path; // keeps the nodes
        return values_;
    }
    // Conditions that differed when another path was asked about, beyond the usual number, so far. Whoever keeps
    // facts of a path takes each of these up again.
    uint64_t turned() const { return turned_; }

private:
    static constexpr size_t usual = 1024;
    uint64_t turned_ = 0;
    Chain<Value> last_;
    std::vector<Value> values_;
    std::vector<const Chain<Value>::Node*> nodes_;
};

} // namespace espalier::sym
