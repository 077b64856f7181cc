#include "symexec/learn/interpolation.hpp"

#include <algorithm>
#include <chrono>

#include "symexec/learn/place.hpp"
#include "symexec/learn/words.hpp"
#include "symexec/prune/configurations.hpp"

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

// At a fork, a smaller subtree is a part of the one above it: to skip it would save less than it takes to learn when
// to.
constexpr uint64_t worth_learning = 8;

// How many VM steps take about as long as to learn an interpolant, beyond those that the machine runs again.
uint64_t steps_of_learning(const Outline& outline) { return 100 + outline.words.size() / 4; }

constexpr uint64_t terms_of_step = 8;

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

Interpolation::Interpolation(const Retracer::Parts& parts, Interpolants& interpolants, Observer& observer,
                             const How& how, std::function<uint64_t()> effort)
    : artist_(parts.program, parts.machine.code(), parts.terms), retracer_(parts, artist_), interpolants_(interpolants),
      terms_(parts.terms), observer_(observer), how_(how), effort_(std::move(effort)) {}

Advice Interpolation::ask(State& s, Moment moment) {
    if ((!is_at_stable_state(moment) && moment != Moment::forked) || is_doubted(s)) return Advice::follow;
    // Learning runs the machine, which then does not know any more where the scheduler divided the path.
    if (!finished_.empty() && (moment != Moment::forked || s.running != UINT32_MAX)) settle();
    // Whether it may learn changes slowly, and states come fast.
    if (stretches_++ % 16 == 0) {
        const bool could_learn = std::exchange(may_learn_, how_.all || is_worth_it());
        if (could_learn && !may_learn_) leave_all_open(); // what they are told until it may again would be in vain
    }
    if (moment == Moment::taken) return meet_again(s);
    if (moment == Moment::forked) {
        const bool is_plain =
            s.verified && s.decisions.empty() && s.to_ask.empty() && s.interrupted.empty() && s.running != UINT32_MAX;
        return is_plain && may_learn_ && !rests(places_[place_of(s)]) ? meet(s, moment) : Advice::follow;
    }
    if (may_learn_) return meet(s, moment);
    leave_open(s);
    return Advice::follow;
}

// A stable state that has waited: by now more may be known.
Advice Interpolation::meet_again(State& s) {
    Knot* own = knot_of(s);
    if (own == nullptr || own->events != s.events.size()) return Advice::follow;
    const Measured measured(counts_.seconds);
    const std::shared_ptr<const Outline> outline = own->outline;
    const Interpolants::Found found = look_up(s, *outline, own->place, may_learn_);
    if (found.reason == nullptr) return Advice::follow;
    own->reason = found.reason;
    if (!how_.follows) return Advice::drop;
    doubt(s);
    return Advice::follow;
}

// `tries`: where none is known yet, what comes of the state may be explored aside.
Interpolants::Found Interpolation::look_up(const State& s, const Outline& outline, uint64_t place, bool tries) {
    ++counts_.asked;
    const uint64_t before = effort_(), built = terms_.work();
    Interpolants::Found found = interpolants_.find(s, outline);
    worth_ += (terms_.work() - built) / terms_of_step;
    if (found.reason == nullptr && tries && confirms(s, place)) found = interpolants_.find(s, outline);
    note(place, {1, effort_() - before, found.size});
    if (found.reason == nullptr) return found;
    ++counts_.subsumed;
    if (told_) told_(s, in_words(terms_, found.reason->conditions, artist_.names_of_data(s)));
    return found;
}

// Places where that failed rest for a while, and each time for longer.
bool Interpolation::confirms(const State& s, uint64_t number) {
    constexpr uint32_t longest = 10;
    if (confirmer_ == nullptr) return false;
    Place& place = places_[number];
    if (place.unconfirmed > 0) {
        --place.unconfirmed;
        return false;
    }
    ++counts_.confirmations;
    const bool is_confirmed = confirmer_->confirm(s);
    if (!is_confirmed) ++counts_.confirmations_failed;
    place.denials = is_confirmed ? 0 : std::min(place.denials + 1, longest);
    place.unconfirmed = is_confirmed ? 0 : 1U << place.denials;
    return is_confirmed;
}

Advice Interpolation::meet(State& s, Moment moment) {
    const Measured measured(counts_.seconds);
    Knot* above = knot_of(s);
    const std::shared_ptr<Token> token = above == nullptr ? nullptr : Record::of(s)->token;
    Ways ways = above == nullptr ? Ways{} : ways_since(*above, s);
    auto outline = std::make_shared<const Outline>(artist_.outline(s));
    const uint64_t place = place_of(s);
    worth_ += steps_of_look(*outline);
    note(place, {0, steps_of_look(*outline), 0});
    if (outline->has_others || knots_.size() >= most_knots || (moment != Moment::forked && !is_at_rest(s))) {
        if (moment != Moment::forked) leave_open(s); // a fork is in the middle of a stretch
        return Advice::follow;
    }
    // A stable state that will wait is confirmed when its turn comes.
    const Interpolants::Found found = look_up(s, *outline, place, moment == Moment::forked || !how_.stables_wait);
    if (found.reason == nullptr) {
        begin(s, std::move(outline), token, std::move(ways));
        return Advice::follow;
    }
    if (above != nullptr) {
        Fate fate{Fate::Kind::reasons};
        fate.reason = found.reason;
        fate.outline = std::move(outline);
        above->fates[std::move(ways)] = std::move(fate);
        ++above->size;
    }
    Record::set(s, nullptr, how_.follows);
    return how_.follows ? Advice::follow : Advice::drop;
}

// Nothing will be known of what comes of the state.
void Interpolation::leave_open(State& s) {
    if (Knot* above = knot_of(s); above != nullptr) above->is_open = true;
    if (Record::of(s) != nullptr) Record::set(s, nullptr);
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
    knot_bytes_ += bytes_of(*knot);
    knots_.emplace(number, std::move(knot));
    Record::set(s, std::make_shared<Token>(*this, number));
}

Interpolation::Knot* Interpolation::known(uint32_t number) {
    const auto found = knots_.find(number);
    return found == knots_.end() ? nullptr : found->second.get();
}

Interpolation::Knot* Interpolation::knot_of(const State& s) {
    const Record* record = Record::of(s);
    return record == nullptr || record->token == nullptr ? nullptr : known(record->token->knot);
}

Ways Interpolation::ways_since(const Knot& knot, const State& s) {
    Ways ways;
    for (const auto* e = s.events.last(); e != nullptr && e->size > knot.events; e = e->before)
        ways.push_back(e->item.turn());
    std::reverse(ways.begin(), ways.end());
    return ways;
}

// ── What is told ──

void Interpolation::path_dropped(const State& s, Dropped why) {
    Knot* knot = knot_of(s);
    if (knot == nullptr || knot->is_open || is_doubted(s)) return;
    switch (why) {
    case Dropped::finished:
    case Dropped::assumption:
    case Dropped::error:
    case Dropped::refuted:
    case Dropped::bound:
    case Dropped::cut: {
        Ways ways = ways_since(*knot, s);
        if (ways.empty() || !is_told(*knot, s, why)) {
            knot->is_open = true;
        } else {
            Fate fate{Fate::Kind::over};
            fate.why = why;
            knot->fates[std::move(ways)] = std::move(fate);
        }
        ++knot->size;
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

void Interpolation::way_dropped(const State& s, Dropped why, const std::optional<Turn>& way) {
    Knot* knot = knot_of(s);
    if (knot == nullptr || knot->is_open || is_doubted(s)) return;
    if (why != Dropped::refuted && why != Dropped::cut) return path_dropped(s, why);
    if (!is_told(*knot, s, why)) {
        knot->is_open = true;
        return;
    }
    Ways ways = ways_since(*knot, s);
    if (way) ways.push_back(*way);
    knot->fates[std::move(ways)] = Fate{why == Dropped::cut ? Fate::Kind::left : Fate::Kind::closed};
}

// Which oracle was asked may depend on data: only what that of the knot says holds for all states of its outline.
bool Interpolation::is_told(const Knot& knot, const State& s, Dropped why) {
    return why != Dropped::cut || configuration_of(s) == configuration_of(knot.state);
}

void Interpolation::leave_all_open() {
    for (auto& [number, knot] : knots_) knot->is_open = true;
}

bool Interpolation::is_doubted(const State& s) const { return Record::of(s) != nullptr && Record::of(s)->is_doubted; }

void Interpolation::doubt(State& s) const {
    const Record* record = Record::of(s);
    Record::set(s, record == nullptr ? nullptr : record->token, true);
}

// ── What is learnt ──

void Interpolation::settle() {
    const Measured measured(counts_.seconds);
    while (!finished_.empty()) {
        const uint32_t number = finished_.front();
        finished_.pop_front();
        const auto found = knots_.find(number);
        if (found == knots_.end()) continue;
        finish(*found->second);
        const std::unique_ptr<Knot> done = std::move(found->second);
        knot_bytes_ -= bytes_of(*done);
        knots_.erase(number); // lets go of the one above
    }
}

void Interpolation::finish(Knot& knot) {
    Knot* above = knot.above == nullptr ? nullptr : known(knot.above->knot);
    if (above != nullptr) above->size += knot.size;
    if (above != nullptr && is_part_of(knot, *above)) {
        for (auto& [ways, fate] : knot.fates) {
            Ways all = knot.ways;
            all.insert(all.end(), ways.begin(), ways.end());
            above->fates[std::move(all)] = std::move(fate);
        }
        return;
    }
    std::shared_ptr<const Reason> reason = knot.reason != nullptr ? knot.reason : learnt(knot);
    ++(reason != nullptr ? counts_.full : counts_.half);
    if (above == nullptr) return;
    if (reason == nullptr) {
        above->is_open = true;
        return;
    }
    Fate fate{Fate::Kind::reasons};
    fate.reason = reason;
    fate.outline = knot.outline;
    above->fates[knot.ways] = std::move(fate);
}

bool Interpolation::is_part_of(const Knot& knot, const Knot& above) const {
    const bool is_fork = knot.state.running != UINT32_MAX;
    return is_fork && !knot.is_open && knot.reason == nullptr && knot.size < worth_learning && !how_.all &&
           configuration_of(knot.state) == configuration_of(above.state);
}

std::shared_ptr<const Reason> Interpolation::learnt(const Knot& knot) {
    if (knot.is_open || !(may_learn_ || how_.all)) return nullptr;
    const uint64_t before = effort_(), built = terms_.work();
    worth_ += steps_of_learning(*knot.outline);
    const auto all = retracer_.reason(knot.state, *knot.outline, knot.fates, observer_);
    worth_ += (terms_.work() - built) / terms_of_step;
    note(knot.place, {0, effort_() - before, 0});
    if (!all) return nullptr;
    auto reason = std::make_shared<const Reason>(*all);
    interpolants_.add(knot.outline, knot.state.k, reason, knot.size);
    counts_.bytes = std::max(counts_.bytes, interpolants_.bytes());
    return reason;
}

// What learning takes at all times, beyond what it saved, is a small part of what the search takes.
bool Interpolation::is_worth_it() const {
    constexpr uint64_t least = 500'000, part = 50;
    const uint64_t searched = effort_() - all_.taken;
    return all_.taken <= saved(all_) + least + searched / part;
}

// Where the subtrees of states that were skipped have the size of those that the interpolants were learnt from.
uint64_t Interpolation::saved(const Costs& costs) const {
    return costs.skipped * (effort_() - all_.taken) / stretches_;
}

// At a fork learning stops for a while where it did not pay lately, and each time for longer. Then the fork is a part
// of the knot above it.
bool Interpolation::rests(Place& place) const {
    if (how_.all) return false;
    constexpr uint32_t window = 128, longest = 10;
    if (place.rest > 0) {
        --place.rest;
        return true;
    }
    if (place.lately.looks < window) return false;
    const bool pays = saved(place.lately) >= place.lately.taken;
    place.failures = pays ? 0 : std::min(place.failures + 1, longest);
    place.rest = pays ? 0 : window << place.failures;
    place.lately = {};
    return place.rest > 0;
}

void Interpolation::note(uint64_t place, const Costs& more) {
    for (Costs* costs : {&all_, &places_[place].lately}) {
        costs->looks += more.looks;
        costs->taken += more.taken;
        costs->skipped += more.skipped;
    }
}

void Interpolation::each(const std::function<void(const State&)>& visit) const {
    for (const auto& [number, knot] : knots_) visit(knot->state);
    retracer_.each(visit);
    if (confirmer_ != nullptr) confirmer_->each(visit);
}

void Interpolation::forget() {
    is_over_ = true;
    counts_.half += knots_.size();
    knots_.clear();
    knot_bytes_ = 0;
    finished_.clear();
    interpolants_.clear();
}

} // namespace espalier::sym
