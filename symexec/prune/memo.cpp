#include "symexec/prune/memo.hpp"

#include <utility>

namespace espalier::sym {

namespace {

uint64_t hash_of(const std::vector<uint64_t>& words) {
    uint64_t h = words.size();
    for (uint64_t w : words) {
        h = (h ^ w) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
    }
    return h;
}

} // namespace

struct Memo::Record : SideRecord {
    std::shared_ptr<Subtree> subtree;              // that the state belongs to
    std::shared_ptr<const Subtree::Progress> like; // of a postponed state: how far the one is that it is like
    bool is_doubted = false;

    static const Record* of(const State& s) { return s.records.get<Record>(RecordOf::memo); }
    // The state's, with a change.
    template <typename Change>
    static void set(State& s, const Change& change) {
        auto next = of(s) == nullptr ? std::make_shared<Record>() : std::make_shared<Record>(*of(s));
        change(*next);
        s.records.set(RecordOf::memo, std::move(next));
    }
};

// Only a stable state that leads on is remembered, and skipped.
Advice Memo::ask(State& s, Moment moment) { return moment == Moment::stable ? meet(s) : Advice::follow; }

Advice Memo::meet(State& s) {
    const auto go_on = [&] { // without being postponed
        if (const Record* record = Record::of(s); record != nullptr && record->like != nullptr)
            Record::set(s, [](Record& r) { r.like.reset(); });
    };
    if (!is_at_rest(s)) {
        go_on();
        return Advice::follow;
    }
    std::shared_ptr<const Subtree::Progress> progress; // of the new subtree
    const auto begin = [&] {
        Record::set(s, [&](Record& r) {
            r.subtree = std::make_shared<Subtree>(std::move(r.subtree));
            if (order_ == Order::breadth_first) r.subtree->progress->finished = true;
            r.like.reset();
            progress = r.subtree->progress;
        });
    };
    const auto [met, is_first] = met_.try_emplace(artist_.fingerprint(s));
    if (is_first) {
        begin();
        if (words_ > most_words) {
            met_.erase(met);
            return Advice::follow;
        }
        met->second = std::make_unique<Kept>(Kept{s, progress});
        met->second->state.records = {};
        return Advice::follow;
    }
    if (met->second != nullptr) {
        const std::unique_ptr<Kept> first = std::move(met->second);
        remember(first->state, artist_.portray(first->state), first->progress);
    }
    Portrait portrait = artist_.portray(s);
    const auto alike = entries_.find(hash_of(portrait.words));
    const Advice advice = alike == entries_.end() ? Advice::follow : compare(s, portrait, alike->second);
    if (advice != Advice::follow) return advice;
    begin();
    if (words_ <= most_words) remember(s, std::move(portrait), progress);
    return advice;
}

Advice Memo::compare(State& s, const Portrait& portrait, Entries& alike) {
    LiveConditions::Subject subject(conditions_, s, portrait.inputs);
    Advice advice = Advice::follow;
    const bool was_postponed = Record::of(s) != nullptr && Record::of(s)->like != nullptr;
    for (Entry& e : alike) {
        const bool may_wait = order_ == Order::nearest_first && !was_postponed && advice == Advice::follow;
        if (e.k < s.k || !(e.progress->finished || may_wait) || e.words != portrait.words) continue;
        if (!subject.implies(e.path)) continue;
        if (e.progress->finished) return Advice::drop;
        advice = Advice::postpone;
        Record::set(s, [&](Record& r) { r.like = e.progress; });
    }
    return advice;
}

void Memo::remember(const State& s, Portrait portrait, const std::shared_ptr<const Subtree::Progress>& progress) {
    Entries& alike = entries_[hash_of(portrait.words)];
    if (alike.size() == most_alike) {
        words_ -= alike.front().words.size();
        alike.erase(alike.begin());
    }
    words_ += portrait.words.size();
    alike.push_back({s.k, progress, std::move(portrait.words), {s.path, std::move(portrait.inputs)}});
}

// ── What is told ──

// Another state like one above this may come further.
void Memo::path_dropped(const State& s, Dropped why) {
    const Record* record = Record::of(s);
    if (record != nullptr && record->subtree != nullptr && leaves_open(why)) record->subtree->leave_open();
}

bool Memo::must_be_explored(const State& s) const { return Record::of(s)->like->open; }

bool Memo::is_doubted(const State& s) const { return Record::of(s) != nullptr && Record::of(s)->is_doubted; }

void Memo::doubt(State& s) const {
    Record::set(s, [](Record& r) { r.is_doubted = true; });
}

void Memo::each(const std::function<void(const State&)>& visit) const {
    for (const auto& [fingerprint, kept] : met_)
        if (kept != nullptr) visit(kept->state);
}

void Memo::forget() {
    met_.clear();
    entries_.clear();
    words_ = 0;
}

} // namespace espalier::sym
