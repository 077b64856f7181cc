#include "symexec/prune/live_conditions.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "symexec/terms/projection.hpp"

namespace espalier::sym {

bool LiveConditions::Subject::implies(RememberedPath& other) {
    if (!conditions_) {
        conditions_ = all_.relevant(state_.path, inputs_);
        for (uint32_t n : inputs_)
            known_.push_back(state_.model != nullptr && n < state_.model->size() ? (*state_.model)[n]
                                                                                 : Value::unbound());
    }
    return all_.implies(*conditions_, known_, other);
}

// The conditions that say something about live inputs, directly or by way of others, in the portrait's numbers.
std::vector<Value> LiveConditions::relevant(const Chain<Value>& path, const std::vector<uint32_t>& inputs) {
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < inputs.size(); ++i) numbers.emplace(inputs[i], i);
    const std::vector<Value> all = path.to_vector();
    uint32_t most = 0; // of the ordinals
    for (const Value c : all)
        if (const auto ordinals = terms_.variables(c); !ordinals.empty()) most = std::max(most, ordinals.back());
    for (const uint32_t n : inputs) most = std::max(most, n);
    std::vector<bool> concerned(most + 1, false);
    for (const uint32_t n : inputs) concerned[n] = true;
    std::vector<bool> chosen(all.size(), false);
    for (bool more = true; std::exchange(more, false);)
        for (size_t i = 0; i < all.size(); ++i) {
            const auto ordinals = terms_.variables(all[i]);
            const auto is_concerned = [&](uint32_t n) { return concerned[n]; };
            if (chosen[i] || std::none_of(ordinals.begin(), ordinals.end(), is_concerned)) continue;
            chosen[i] = true;
            for (const uint32_t n : ordinals) {
                more = more || !concerned[n];
                concerned[n] = true;
            }
        }
    std::vector<Value> conditions;
    for (size_t i = 0; i < all.size(); ++i)
        if (chosen[i]) conditions.push_back(artist_.renamed(all[i], numbers));
    return project(terms_, std::move(conditions), static_cast<uint32_t>(inputs.size()));
}

// Mostly not, and the solution at hand shows it; the solver is asked about what that one satisfies.
bool LiveConditions::implies(const std::vector<Value>& conditions, const Assignment& known, RememberedPath& e) {
    if (!e.conditions) e.conditions = relevant(e.path, e.inputs);
    const auto live = static_cast<uint32_t>(e.inputs.size());
    std::vector<Value> open;
    for (Value c : *e.conditions) {
        if (!c.is_term() && c.is_false()) return false;
        if (!c.is_term() || std::find(conditions.begin(), conditions.end(), c) != conditions.end()) continue;
        const auto ordinals = terms_.variables(c);
        if (std::any_of(ordinals.begin(), ordinals.end(), [&](uint32_t n) { return n >= live; })) return false;
        if (!terms_.evaluate(c, known).is_true()) return false;
        open.push_back(c);
    }
    return std::all_of(open.begin(), open.end(), [&](Value c) {
        return solver_.ask({conditions, terms_.negation(c)}).verdict == Verdict::unsat;
    });
}

} // namespace espalier::sym
