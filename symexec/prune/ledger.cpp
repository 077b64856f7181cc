#include "symexec/prune/ledger.hpp"

#include <algorithm>

namespace espalier::sym {

void Ledger::look_ahead(const Configurations& configurations, Cutters& places) {
    configurations_ = &configurations;
    places_ = &places;
    has_inner_messages_ = std::any_of(program_.types.begin(), program_.types.end(),
                                      [](const TypeDef& t) { return std::holds_alternative<type::OneOf>(t.kind); });
}

// ── Entries ──

Gone Ledger::enter(const State& s, Dropped why) {
    if (note(s, why)) tell_pruners(s, why);
    return {};
}

Gone Ledger::enter_way(const State& s, Dropped why, const std::optional<Turn>& way) {
    if (note(s, why))
        for (Pruner* p : pruners_) p->way_dropped(s, why, way);
    return {};
}

// Is there more to be told of it than that it is counted?
bool Ledger::note(const State& s, Dropped why) {
    ++story_.dropped[static_cast<size_t>(why)];
    if (!in_tail_ && configurations_ != nullptr && hides(why)) note_ahead(s, why);
    return !in_tail_;
}

void Ledger::tell_pruners(const State& s, Dropped why) const {
    for (Pruner* p : pruners_) p->path_dropped(s, why);
}

Gone Ledger::drop(const State& s, Dropped why, Label at) {
    doubt(s, why, at);
    return {};
}

void Ledger::note_wait(const State& s) {
    if (!in_tail_)
        for (const Thread& t : s.threads) ++story_.bounded[program_[t.select].terminator.label];
}

Gone Ledger::drop_at_wait(const State& s, Dropped why) {
    note_wait(s);
    return enter(s, why);
}

Gone Ledger::drop_offer(const State& s, Dropped why) {
    note_wait(s);
    return enter_way(s, why, {});
}

Gone Ledger::drop_way(const State& s, Dropped why, const Way& way) {
    const auto [at, taken, of] = way.turn.choice;
    static_cast<void>(of);
    if (!in_tail_ && why == Dropped::refuted) {
        if (way.is_of_branch) ++story_.refuted[{at, taken}];
    } else if (!in_tail_) {
        ++(way.is_of_branch ? story_.cut[{at, taken}] : story_.cut_elsewhere[at]);
        if (way.next != no_block)
            ++story_.cut_into[way.next];
        else
            ++story_.cut_from[at];
    }
    return enter_way(s, why, way.turn);
}

Gone Ledger::drop_unsupported(const State& s, Label at, const std::string& text) {
    doubt_unsupported(s, at, text);
    return {};
}

void Ledger::doubt_unsupported(const State& s, Label at, const std::string& text) {
    if (!in_tail_) {
        ++unsupported_[text];
        ++story_.unsupported[{at, text}];
    }
    enter(s, Dropped::unsupported);
}

void Ledger::doubt(const State& s, Dropped why, Label at) {
    Story::Times* places = nullptr;
    switch (why) {
    case Dropped::assumption: places = &story_.assumed; break;
    case Dropped::error: places = &story_.failed; break;
    case Dropped::steps: places = &story_.out_of_steps; break;
    case Dropped::undecided: places = &story_.undecided; break;
    case Dropped::delay: places = &story_.delays; break;
    case Dropped::moment: places = &story_.moments; break;
    case Dropped::finished:
    case Dropped::refuted:
    case Dropped::alike:
    case Dropped::subsumed:
    case Dropped::bound:
    case Dropped::cut:
    case Dropped::unsupported:
    case Dropped::done:
    case Dropped::limit: break;
    }
    // Of a delay the place is told even where only a tail came to it: a test shows it.
    if (places != nullptr && (!in_tail_ || why == Dropped::delay)) ++(*places)[at];
    enter(s, why);
}

void Ledger::doubt_target(const State& s, TargetId target, Dropped why) {
    ++story_.dropped[static_cast<size_t>(why)];
    tell_pruners(s, why);
    note_passed(target, why);
}

void Ledger::note_passed(TargetId target, Dropped why) {
    std::vector<TargetId>& passed = ahead_[static_cast<size_t>(why)].passed;
    if (std::find(passed.begin(), passed.end(), target) == passed.end()) passed.push_back(target);
}

uint64_t Ledger::left_open() const {
    uint64_t all = 0;
    for (size_t why = 0; why < dropped_reasons; ++why)
        if (leaves_open(static_cast<Dropped>(why))) all += story_.dropped[why];
    return all;
}

// ── What lies ahead ──

// Of a limit of the whole search, nothing can be called infeasible anyway.
bool Ledger::hides(Dropped why) const {
    switch (why) {
    case Dropped::finished:
    case Dropped::assumption:
    case Dropped::error:
    case Dropped::refuted:
    case Dropped::alike:
    case Dropped::limit: return false;
    case Dropped::subsumed:
    case Dropped::bound:
    case Dropped::cut:
    case Dropped::undecided:
    case Dropped::unsupported:
    case Dropped::steps:
    case Dropped::delay:
    case Dropped::moment:
    case Dropped::done: return true;
    }
    return true;
}

void Ledger::note_ahead(const State& s, Dropped why) {
    Ahead& ahead = ahead_[static_cast<size_t>(why)];
    const uint32_t configuration = configuration_of(s);
    pda::ReachableSet& set = set_of(ahead, configuration);
    places_->reach_from(s, set);
    if (may_ask_demands(s)) add_demands(configurations_->flow(configuration), set);
    for (const HeldMark& m : s.held) note_passed(m.target, why); // behind it, and would have counted later
}

void Ledger::close() {
    if (configurations_ == nullptr) return;
    for (size_t why = 0; why < dropped_reasons; ++why) story_.hidden[why] = targets(static_cast<Dropped>(why));
}

std::vector<bool> Ledger::targets(Dropped why) const {
    const Ahead& ahead = ahead_[static_cast<size_t>(why)];
    std::vector<bool> all(program_.targets.size(), false);
    for (TargetId t : ahead.passed) all[index(t)] = true;
    for (uint32_t c = 0; c < ahead.sets.size(); ++c) {
        if (ahead.sets[c] == nullptr) continue;
        const Flow& flow = configurations_->flow(c);
        for (uint32_t t = 0; t < all.size(); ++t)
            if (!all[t]) all[t] = ahead.sets[c]->contains(flow.target(TargetId{t}));
    }
    return all;
}

std::vector<Label> Ledger::fallible(Dropped why) const {
    const Ahead& ahead = ahead_[static_cast<size_t>(why)];
    std::vector<Label> all;
    for (uint32_t c = 0; c < ahead.sets.size(); ++c) {
        if (ahead.sets[c] == nullptr) continue;
        for (const Flow::Fallible& f : configurations_->flow(c).fallible())
            if (ahead.sets[c]->contains(f.node)) all.push_back(f.label);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

pda::ReachableSet& Ledger::set_of(Ahead& ahead, uint32_t configuration) {
    if (configuration >= ahead.sets.size()) ahead.sets.resize(configuration + 1);
    auto& set = ahead.sets[configuration];
    if (set == nullptr) {
        set = std::make_unique<pda::ReachableSet>(configurations_->flow(configuration).graph());
    }
    return *set;
}

// What the definition of a message demands is asked by a thread of its own: when such a message comes, or is first
// looked into. That a wait still to come asks, the automaton knows. Of a message inside another it does not know when.
bool Ledger::may_ask_demands(const State& s) const {
    const auto waits = [&](const Thread& t) { return t.waiting && &t - s.threads.data() != s.running; };
    return !s.to_ask.empty() || !s.interrupted.empty() || has_inner_messages_ ||
           std::any_of(s.threads.begin(), s.threads.end(), waits);
}

void Ledger::add_demands(const Flow& flow, pda::ReachableSet& set) const {
    for (const MessageDef& m : program_.messages) {
        if (m.where == MessageDef{}.where) continue;
        for (const Variant& v : flow.variants())
            if (v.lambda == program_.globals[index(m.where)].known && v.site == no_label)
                set.add(flow.graph().root(v.procedure), nullptr);
    }
}

} // namespace espalier::sym
