#include "symexec/learn/interpolation.hpp"

#include <algorithm>
#include <chrono>

namespace espalier::sym {

// The states that come of a knot hold it, and so do the knots that come of it. When none is left, the knot is finished.
struct Interpolation::Token {
    Token(Interpolation& owner, uint32_t number) : all(owner), knot(number) {}
    ~Token() {
        if (!all.is_over_) all.finished_.push_back(knot);
    }
    Token(const Token&) = delete;
    Token& operator=(const Token&) = delete;
    Interpolation& all;
    const uint32_t knot;
};

struct Interpolation::Record : SideRecord {
    std::shared_ptr<Token> token; // null: of what it comes from nothing will be known
    bool is_doubted = false;

    static const Record* of(const State& s) { return s.records.get<Record>(RecordOf::learning); }
    static void set(State& s, std::shared_ptr<Token> token, bool is_doubted = false) {
        auto record = std::make_shared<Record>();
        record->token = std::move(token);
        record->is_doubted = is_doubted;
        s.records.set(RecordOf::learning, std::move(record));
    }
};

namespace {

// How many VM steps take about as long as to write an outline down and look for interpolants, and as to learn one.
uint64_t steps_of_look(const Outline& outline) { return 20 + outline.words.size() / 8; }
uint64_t steps_of_learning(const Outline& outline) { return 200 + outline.words.size(); }

class Measured {
public:
    explicit Measured(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~Measured() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;

private:
    double& seconds_;
    const std::chrono::steady_clock::time_point start_;
};

} // namespace

Interpolation::Interpolation(const Retracer::Parts& parts, Observer& observer, const How& how,
                             std::function<uint64_t()> effort)
    : artist_(parts.program, parts.machine.code(), parts.terms), retracer_(parts, artist_),
      interpolants_(parts.terms, parts.solver, how.has_bound), observer_(observer), how_(how),
      effort_(std::move(effort)) {}

Advice Interpolation::ask(State& s, Moment moment) {
    if ((!is_at_stable_state(moment) && moment != Moment::forked) || is_doubted(s)) return Advice::follow;
    const Measured measured(counts_.seconds);
    settle();
    ++stretches_;
    switch (moment) {
    case Moment::forked: {
        const bool is_plain =
            s.verified && s.decisions.empty() && s.to_ask.empty() && s.interrupted.empty() && s.running != UINT32_MAX;
        return is_plain && pays(places_[place_of(s)]) ? meet(s, moment) : Advice::follow;
    }
    case Moment::stable: return meet(s, moment);
    case Moment::taken: return meet_again(s);
    case Moment::offered:
    case Moment::first_way:
    case Moment::other_way:
    case Moment::same_way: break;
    }
    return Advice::follow;
}

// A stable state that has waited: by now more may be known.
Advice Interpolation::meet_again(State& s) {
    Knot* own = knot_of(s);
    if (own == nullptr || own->events != s.events.size()) return Advice::follow;
    ++counts_.asked;
    own->reason = interpolants_.find(s, *own->outline).reason;
    if (own->reason == nullptr) return Advice::follow;
    ++counts_.subsumed;
    if (!how_.follows) return Advice::drop;
    doubt(s);
    return Advice::follow;
}

Advice Interpolation::meet(State& s, Moment moment) {
    Knot* above = knot_of(s);
    const std::shared_ptr<Token> token = above == nullptr ? nullptr : Record::of(s)->token;
    Ways ways = above == nullptr ? Ways{} : ways_since(*above, s);
    auto outline = std::make_shared<const Outline>(artist_.outline(s));
    const uint64_t place = place_of(s), before = effort_();
    worth_ += steps_of_look(*outline);
    if (outline->has_others || knots_.size() >= most_knots || (moment != Moment::forked && !is_at_rest(s))) {
        note(place, {1, effort_() - before, 0});
        if (moment == Moment::forked) return Advice::follow; // it is in the middle of a stretch
        if (above != nullptr) above->is_open = true;
        Record::set(s, nullptr);
        return Advice::follow;
    }
    ++counts_.asked;
    const auto [reason, size] = interpolants_.find(s, *outline);
    note(place, {1, effort_() - before, size});
    if (reason != nullptr) {
        ++counts_.subsumed;
        if (above != nullptr) {
            above->fates[std::move(ways)] = {Fate::Kind::reasons, reason, std::move(outline)};
            above->size += size;
        }
        Record::set(s, nullptr, how_.follows);
        return how_.follows ? Advice::follow : Advice::drop;
    }
    begin(s, std::move(outline), token, std::move(ways));
    return Advice::follow;
}

void Interpolation::begin(State& s, std::shared_ptr<const Outline> outline, std::shared_ptr<Token> above, Ways ways) {
    const uint32_t number = next_++;
    auto knot = std::make_unique<Knot>();
    knot->state = s;
    knot->state.records.set(RecordOf::learning, nullptr);
    knot->state.records.set(RecordOf::memo, nullptr);
    knot->state.records.set(RecordOf::cutting, nullptr);
    knot->outline = std::move(outline);
    knot->events = s.events.size();
    knot->place = place_of(s);
    knot->above = std::move(above);
    knot->ways = std::move(ways);
    knots_.emplace(number, std::move(knot));
    Record::set(s, std::make_shared<Token>(*this, number));
}

Interpolation::Knot* Interpolation::knot_of(const State& s) {
    const Record* record = Record::of(s);
    if (record == nullptr || record->token == nullptr) return nullptr;
    const auto found = knots_.find(record->token->knot);
    return found == knots_.end() ? nullptr : found->second.get();
}

Ways Interpolation::ways_since(const Knot& knot, const State& s) {
    Ways ways;
    for (const auto* e = s.events.last(); e != nullptr && e->size > knot.events; e = e->before)
        ways.push_back(e->item.choice.taken);
    std::reverse(ways.begin(), ways.end());
    return ways;
}

// ── What is told ──

void Interpolation::path_dropped(const State& s, Dropped why) {
    Knot* knot = knot_of(s);
    if (knot == nullptr || is_doubted(s)) return;
    switch (why) {
    case Dropped::finished:
    case Dropped::assumption:
    case Dropped::error:
    case Dropped::refuted:
    case Dropped::bound:
    case Dropped::cut: {
        Ways ways = ways_since(*knot, s);
        if (ways.empty())
            knot->is_open = true;
        else
            knot->fates[std::move(ways)] = {Fate::Kind::over};
        ++knot->size;
        ++stretches_;
        break;
    }
    case Dropped::moment: break; // the path goes on
    case Dropped::subsumed: break;
    case Dropped::alike:
    case Dropped::undecided:
    case Dropped::unsupported:
    case Dropped::steps:
    case Dropped::delay:
    case Dropped::done:
    case Dropped::limit: knot->is_open = true; break;
    }
}

void Interpolation::way_dropped(const State& s, Dropped why, std::optional<uint32_t> way) {
    Knot* knot = knot_of(s);
    if (knot == nullptr || is_doubted(s)) return;
    if (why != Dropped::refuted && why != Dropped::cut) return path_dropped(s, why);
    Ways ways = ways_since(*knot, s);
    if (way) ways.push_back(*way);
    knot->fates[std::move(ways)] = {why == Dropped::cut ? Fate::Kind::left : Fate::Kind::closed};
}

bool Interpolation::is_doubted(const State& s) const { return Record::of(s) != nullptr && Record::of(s)->is_doubted; }

void Interpolation::doubt(State& s) const {
    const Record* record = Record::of(s);
    Record::set(s, record == nullptr ? nullptr : record->token, true);
}

// ── What is learnt ──

void Interpolation::settle() {
    while (!finished_.empty()) {
        const uint32_t number = finished_.front();
        finished_.pop_front();
        const auto found = knots_.find(number);
        if (found == knots_.end()) continue;
        finish(*found->second);
        const std::unique_ptr<Knot> done = std::move(found->second);
        knots_.erase(number); // lets go of the one above
    }
}

void Interpolation::finish(Knot& knot) {
    std::shared_ptr<const Reason> reason = knot.reason;
    if (reason == nullptr && !knot.is_open) {
        const uint64_t before = effort_();
        worth_ += steps_of_learning(*knot.outline);
        const auto learnt = retracer_.reason(knot.state, *knot.outline, knot.fates, observer_);
        note(knot.place, {0, effort_() - before, 0});
        if (learnt) {
            reason = std::make_shared<const Reason>(*learnt);
            interpolants_.add(knot.outline, knot.state.k, reason, knot.size);
            counts_.bytes = std::max(counts_.bytes, interpolants_.bytes());
        }
    }
    ++(reason != nullptr ? counts_.full : counts_.half);
    if (knot.above == nullptr) return;
    const auto above = knots_.find(knot.above->knot);
    if (above == knots_.end()) return;
    above->second->size += knot.size;
    if (reason != nullptr)
        above->second->fates[knot.ways] = {Fate::Kind::reasons, reason, knot.outline};
    else
        above->second->is_open = true;
}

// Learning at a fork goes on where it pays: where the states that were skipped would have taken more steps than
// learning took. Where it does not, the fork is a part of the knot above it.
bool Interpolation::pays(const Place& place) const {
    constexpr uint64_t enough = 48;
    const uint64_t searched = effort_() - all_.taken;
    return place.looks < enough || place.skipped * searched / stretches_ >= place.taken;
}

void Interpolation::note(uint64_t place, const Place& more) {
    for (Place* p : {&all_, &places_[place]}) {
        p->looks += more.looks;
        p->taken += more.taken;
        p->skipped += more.skipped;
    }
}

// Where the running thread stands, with the calls below it; of a stable state, where all threads wait.
uint64_t Interpolation::place_of(const State& s) const {
    uint64_t h = 0;
    const auto mix = [&](uint64_t with) {
        h = (h ^ with) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
    };
    if (s.running == UINT32_MAX) {
        for (const Thread& t : s.threads) mix(index(t.select));
    } else {
        const Thread& t = s.threads[s.running];
        mix(t.pc);
        for (const Frame* f = t.frame.get(); f->caller != nullptr; f = f->caller) mix(f->back);
    }
    return h;
}

void Interpolation::each(const std::function<void(const State&)>& visit) const {
    for (const auto& [number, knot] : knots_) visit(knot->state);
    retracer_.each(visit);
}

void Interpolation::forget() {
    is_over_ = true;
    counts_.half += knots_.size();
    knots_.clear();
    finished_.clear();
    interpolants_.clear();
}

} // namespace espalier::sym
