#include "symexec/prune/memo.hpp"

#include <algorithm>
#include <unordered_set>

#include "symexec/terms/projection.hpp"

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

// In the middle of something that a portrait does not show.
bool is_at_rest(const State& s) {
    return s.verified && s.to_ask.empty() && s.interrupted.empty() && s.held.empty() && !s.delivering;
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
        met->second->state.records.set(RecordOf::memo, nullptr);
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
    std::optional<std::vector<Value>> conditions;
    Assignment known; // some solution of the state's, renamed
    Advice advice = Advice::follow;
    const bool was_postponed = Record::of(s) != nullptr && Record::of(s)->like != nullptr;
    for (Entry& e : alike) {
        const bool may_wait = order_ == Order::nearest_first && !was_postponed && advice == Advice::follow;
        if (e.k < s.k || !(e.progress->finished || may_wait) || e.portrait.words != portrait.words) continue;
        if (!conditions) {
            conditions = relevant(s.path, portrait);
            for (uint32_t n : portrait.inputs)
                known.push_back(s.model != nullptr && n < s.model->size() ? (*s.model)[n] : Value::unbound());
        }
        if (!implies(*conditions, known, e)) continue;
        if (e.progress->finished) return Advice::drop;
        advice = Advice::postpone;
        Record::set(s, [&](Record& r) { r.like = e.progress; });
    }
    return advice;
}

void Memo::remember(const State& s, Portrait portrait, const std::shared_ptr<const Subtree::Progress>& progress) {
    Entries& alike = entries_[hash_of(portrait.words)];
    if (alike.size() == most_alike) {
        words_ -= alike.front().portrait.words.size();
        alike.erase(alike.begin());
    }
    words_ += portrait.words.size();
    alike.push_back({s.k, progress, std::move(portrait), s.path, {}});
}

// ── Path conditions ──

// The conditions that say something about live inputs, directly or by way of others, in the portrait's numbers.
std::vector<Value> Memo::relevant(const Chain<Value>& path, const Portrait& portrait) {
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < portrait.inputs.size(); ++i) numbers.emplace(portrait.inputs[i], i);
    std::unordered_set<uint32_t> concerned(portrait.inputs.begin(), portrait.inputs.end());
    const std::vector<Value> all = path.to_vector();
    std::vector<bool> chosen(all.size(), false);
    for (bool more = true; std::exchange(more, false);)
        for (size_t i = 0; i < all.size(); ++i) {
            const auto ordinals = terms_.variables(all[i]);
            const auto is_concerned = [&](uint32_t n) { return concerned.count(n) != 0; };
            if (chosen[i] || std::none_of(ordinals.begin(), ordinals.end(), is_concerned)) continue;
            chosen[i] = more = true;
            concerned.insert(ordinals.begin(), ordinals.end());
        }
    std::vector<Value> conditions;
    for (size_t i = 0; i < all.size(); ++i)
        if (chosen[i]) conditions.push_back(artist_.renamed(all[i], numbers));
    return project(terms_, std::move(conditions), static_cast<uint32_t>(portrait.inputs.size()));
}

// Does what is so under the conditions of one state satisfy those of another? Mostly not, and the solution at hand
// shows it; the solver is asked about what that one satisfies.
bool Memo::implies(const std::vector<Value>& conditions, const Assignment& known, Entry& e) {
    if (!e.conditions) e.conditions = relevant(e.path, e.portrait);
    const auto live = static_cast<uint32_t>(e.portrait.inputs.size());
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

// ── What is told ──

// Another state like one above this may come further.
void Memo::path_dropped(const State& s, Dropped why) {
    const Record* record = Record::of(s);
    if (record == nullptr || record->subtree == nullptr) return;
    switch (why) {
    case Dropped::undecided:
    case Dropped::unsupported:
    case Dropped::steps:
    case Dropped::delay: return record->subtree->leave_open();
    case Dropped::finished:
    case Dropped::assumption:
    case Dropped::error:
    case Dropped::refuted:
    case Dropped::alike:
    case Dropped::bound:
    case Dropped::cut:
    case Dropped::moment:
    case Dropped::done:
    case Dropped::limit: return;
    }
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
