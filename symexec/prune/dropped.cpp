#include "symexec/prune/dropped.hpp"

#include <algorithm>

namespace espalier::sym {

DroppedPaths::DroppedPaths(const Program& program, const Configurations& configurations, Cutters& places)
    : program_(program), configurations_(configurations), places_(places),
      has_inner_messages_(std::any_of(program.types.begin(), program.types.end(),
                                      [](const TypeDef& t) { return std::holds_alternative<type::OneOf>(t.kind); })) {}

void DroppedPaths::note(Dropped why, const State& s) {
    Ahead& ahead = ahead_[static_cast<size_t>(why)];
    pda::ReachableSet& set = set_of(ahead, s.configuration);
    places_.reach_from(s, set);
    if (may_ask_demands(s)) add_demands(configurations_.flow(s.configuration), set);
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
        set = std::make_unique<pda::ReachableSet>(configurations_.flow(configuration).graph());
    }
    return *set;
}

// What the definition of a message demands is asked by a thread of its own: when such a message comes, or is first
// looked into. That a wait still to come asks, the automaton knows. Of a message inside another it does not know when.
bool DroppedPaths::may_ask_demands(const State& s) const {
    const auto waits = [&](const Thread& t) { return t.waiting && &t - s.threads.data() != s.running; };
    return !s.to_ask.empty() || !s.interrupted.empty() || has_inner_messages_ ||
           std::any_of(s.threads.begin(), s.threads.end(), waits);
}

void DroppedPaths::add_demands(const Flow& flow, pda::ReachableSet& set) const {
    for (const MessageDef& m : program_.messages) {
        if (m.where == MessageDef{}.where) continue;
        for (const Variant& v : flow.variants())
            if (v.lambda == program_.globals[index(m.where)].known && v.site == no_label)
                set.add(flow.graph().root(v.procedure), nullptr);
    }
}

} // namespace espalier::sym
