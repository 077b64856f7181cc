#include "symexec/prune/visited.hpp"

#include <algorithm>

namespace espalier::sym {

// Of a state, and of all that comes of it before the next stable states: its visit.
struct Visited::Record : SideRecord {
    explicit Record(uint32_t number) : visit(number) {}
    uint32_t visit;

    static uint32_t of(const State& s) {
        const auto* record = s.records.get<Record>(RecordOf::memo);
        return record == nullptr ? none : record->visit;
    }
};

Advice Visited::ask(State& s, Moment moment) {
    switch (moment) {
    case Moment::stable:
        s.records.set(RecordOf::memo, nullptr);
        return when_ == Exploring::at_once ? visit(s) : Advice::follow;
    case Moment::taken: return visit(s);
    case Moment::offered:
    case Moment::forked:
    case Moment::first_way:
    case Moment::other_way:
    case Moment::same_way: break;
    }
    return Advice::follow;
}

Advice Visited::visit(State& s) {
    if (!is_at_rest(s)) return Advice::follow;
    if (bytes() > forget_at_ || portraits_.is_full()) forget_half();
    Portrait portrait = artist_.portray(s);
    portrayed_ += portrait.words.size() + conditions_beyond_usual(s) / conditions_of_word;
    if (portrait.inputs.size() > usual_inputs) portrayed_ += (portrait.inputs.size() - usual_inputs) * words_of_input;
    const uint32_t number = portraits_.add(portrait.words);
    if (number == newest_.size()) newest_.push_back(none);
    const uint32_t found = like(s, portrait, number);
    if (found == none) {
        remember(s, std::move(portrait), number);
        return Advice::follow;
    }
    if (visits_[found].hits < UINT16_MAX) ++visits_[found].hits;
    return Advice::drop;
}

uint32_t Visited::like(const State& s, const Portrait& portrait, uint32_t number) {
    LiveConditions::Subject subject(conditions_, s, portrait.inputs);
    for (uint32_t v = newest_[number]; v != none; v = visits_[v].next) {
        Visit& visit = visits_[v];
        if (!visit.is_open && (visit.path == nullptr || subject.implies(*visit.path))) return v;
    }
    return none;
}

void Visited::remember(State& s, Portrait&& portrait, uint32_t number) {
    const auto visit = static_cast<uint32_t>(visits_.size());
    Visit& made = visits_.emplace_back();
    made.portrait = number;
    made.next = newest_[number];
    if (!portrait.inputs.empty()) {
        path_bytes_ += sizeof(RememberedPath) + portrait.inputs.size() * 4 + s.path.size() * sizeof(Value);
        made.path = std::make_unique<RememberedPath>(RememberedPath{s.path, std::move(portrait.inputs)});
    }
    newest_[number] = visit;
    s.records.set(RecordOf::memo, std::make_shared<Record>(visit));
    // Of very many with one portrait, the oldest is compared no longer.
    uint32_t* link = &visits_[visit].next;
    for (size_t n = 1; *link != none; ++n, link = &visits_[*link].next)
        if (n == most_alike) {
            *link = none;
            break;
        }
}

// Another state like this may come further.
void Visited::path_dropped(const State& s, Dropped why) {
    const uint32_t number = Record::of(s);
    if (number < visits_.size() && leaves_open(why)) visits_[number].is_open = true;
}

size_t Visited::bytes() const {
    return portraits_.bytes() + newest_.capacity() * sizeof(uint32_t) + visits_.capacity() * sizeof(Visit) +
           path_bytes_;
}

void Visited::forget_half() {
    std::vector<uint32_t> kept;
    for (uint32_t v = 0; v < visits_.size(); ++v)
        if (visits_[v].portrait != none) kept.push_back(v);
    const auto is_more_useful = [&](uint32_t a, uint32_t b) {
        return std::pair(visits_[a].hits > 0, a) > std::pair(visits_[b].hits > 0, b);
    };
    const size_t half = kept.size() / 2;
    std::nth_element(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(half), kept.end(), is_more_useful);
    for (size_t i = half; i < kept.size(); ++i) {
        visits_[kept[i]].portrait = none;
        visits_[kept[i]].path.reset();
    }
    kept.resize(half);
    std::sort(kept.begin(), kept.end()); // the oldest first, as they were met
    const PortraitSet before = std::exchange(portraits_, {});
    newest_.clear();
    path_bytes_ = 0;
    for (uint32_t v : kept) {
        Visit& visit = visits_[v];
        visit.portrait = portraits_.add(before[visit.portrait]);
        if (visit.portrait == newest_.size()) newest_.push_back(none);
        visit.next = std::exchange(newest_[visit.portrait], v);
        visit.hits = 0;
        if (visit.path != nullptr)
            path_bytes_ += sizeof(RememberedPath) + visit.path->inputs.size() * 4 + visit.path->path.size() * 8;
    }
    // Where little could be forgotten, it is not tried again at once.
    forget_at_ = std::max(most_bytes_, bytes() + bytes() / 2);
}

void Visited::forget() {
    portraits_ = {};
    newest_.clear();
    visits_.clear();
    path_bytes_ = 0;
}

} // namespace espalier::sym
