#include "symexec/dropped.hpp"

#include <algorithm>

namespace espalier::sym {

void DroppedPaths::note(Dropped why, const State& s) {
    Ahead& ahead = ahead_[static_cast<size_t>(why)];
    places_.reach_from(s, set_of(ahead, s.configuration));
    for (const HeldMark& m : s.held) note(why, m.target); // behind it, and would have counted later
}

void DroppedPaths::note(Dropped why, TargetId target) {
    std::vector<TargetId>& passed = ahead_[static_cast<size_t>(why)].passed;
    if (std::find(passed.begin(), passed.end(), target) == passed.end()) passed.push_back(target);
}

std::vector<bool> DroppedPaths::targets(Dropped why) const {
    const Ahead& ahead = ahead_[static_cast<size_t>(why)];
    std::vector<bool> all(program_.targets.size(), false);
    for (TargetId t : ahead.passed) all[index(t)] = true;
    for (uint32_t c = 0; c < ahead.sets.size(); ++c) {
        if (ahead.sets[c] == nullptr) continue;
        const Flow& flow = configurations_.flow(c);
        for (uint32_t t = 0; t < all.size(); ++t)
            if (!all[t]) all[t] = ahead.sets[c]->contains(flow.target(TargetId{t}));
    }
    return all;
}

std::vector<Label> DroppedPaths::fallible(Dropped why) const {
    const Ahead& ahead = ahead_[static_cast<size_t>(why)];
    std::vector<Label> all;
    for (uint32_t c = 0; c < ahead.sets.size(); ++c) {
        if (ahead.sets[c] == nullptr) continue;
        for (const Flow::Fallible& f : configurations_.flow(c).fallible())
            if (ahead.sets[c]->contains(f.node)) all.push_back(f.label);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

pda::ReachableSet& DroppedPaths::set_of(Ahead& ahead, uint32_t configuration) {
    if (configuration >= ahead.sets.size()) ahead.sets.resize(configuration + 1);
    auto& set = ahead.sets[configuration];
    if (set == nullptr) {
        const Flow& flow = configurations_.flow(configuration);
        set = std::make_unique<pda::ReachableSet>(flow.graph());
        add_demands(flow, *set);
    }
    return *set;
}

// What the definition of a message demands is asked whenever such a message may come, by a thread of its own.
void DroppedPaths::add_demands(const Flow& flow, pda::ReachableSet& set) const {
    for (const MessageDef& m : program_.messages) {
        if (m.where == MessageDef{}.where) continue;
        for (const Variant& v : flow.variants())
            if (v.lambda == program_.globals[index(m.where)].known && v.site == no_label)
                set.add(flow.graph().root(v.procedure), nullptr);
    }
}

} // namespace espalier::sym
