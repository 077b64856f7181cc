#include "symexec/prune/cutter.hpp"

#include <algorithm>
#include <utility>

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;

namespace {

// Threads up to which each is asked anew what another one asks too: the first that is near enough mostly ends that.
constexpr size_t few_threads = 32;

std::vector<pda::TargetId> targets_of(const Flow& flow, const std::vector<bool>& wanted,
                                      std::span<const Label> errors) {
    std::vector<pda::TargetId> targets;
    for (const Flow::Failing& f : flow.failing())
        if (std::find(errors.begin(), errors.end(), f.label) != errors.end()) targets.push_back(f.target);
    for (uint32_t i = 0; i < wanted.size(); ++i)
        if (wanted[i]) targets.push_back(flow.target(TargetId{i}));
    return targets;
}

bool is_terminator(Opcode op) {
    switch (op) {
    case Opcode::move: // of a jump's arguments
    case Opcode::jump:
    case Opcode::branch:
    case Opcode::call:
    case Opcode::tail_call:
    case Opcode::return_:
    case Opcode::terminator: return true;
    default: return false; // the many instructions for operations
    }
}

// What is sent to any of the clauses' channels.
bool takes_any(const Wait& w) { return w.clause->kind == ClauseKind::other; }

bool is_from_outside(const Wait& w) {
    return !takes_any(w) && (w.clause->kind != ClauseKind::message || w.source.is_port());
}

template <typename F>
pda::Distance nearest_of(ClauseQueue& queue, const F& distance_of) {
    while (!queue.empty()) {
        const ClauseDistance nearest = queue.top();
        const pda::Distance distance = distance_of(nearest.clause);
        if (distance == nearest.distance) return distance;
        queue.pop();
        if (distance != pda::unreachable) queue.push({distance, nearest.clause});
    }
    return pda::unreachable;
}

} // namespace

Cutter::Cutter(const Program& program, const Code& code, const Flow& flow, pda::OracleKind kind, uint32_t depth,
               const std::vector<bool>& wanted, std::span<const Label> errors, const CutterOptions& options,
               StackNumbers& stacks)
    : flow_(flow), furthest_(options.bound_info ? depth : 0), options_(options), kind_(kind),
      is_exact_(kind == pda::OracleKind::v3 && program.ports.size() <= 64), program_(program), code_(code),
      spots_(code.size()), stacks_(stacks) {
    if (options.asks) {
        const Nanoseconds start = Stopwatch::processor();
        // Where nothing is charged, what can be reached at all is at distance 0.
        if (!options.bound_info) uncharged_ = flow.graph().uncharged();
        oracle_ = pda::make_oracle(kind, graph(), furthest_, targets_of(flow, wanted, errors));
        oracle_time_ += Stopwatch::processor() - start;
    }
    std::vector<bool> begins(code.size(), false);
    for (uint32_t b = 0; b < program.blocks.size(); ++b) begins[code.start(BlockId{b})] = true;
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const uint32_t from = code.start(BlockId{b});
        for (uint32_t pc = from; pc < code.size() && (pc == from || !begins[pc]); ++pc) {
            const Instruction& i = code.at(pc);
            const bool ends = is_terminator(i.op);
            spots_[pc] = {BlockId{b},
                          ends ? UINT32_MAX : flow.nodes_before(BlockId{b}, i.e - program.blocks[b].first_op)};
        }
    }
}

// ── Tracking points ──

// A search is in few places for most of its time.
VariantId Cutter::variant(const Frame& f) {
    KnownVariant& known = known_variants_[(index(f.lambda) * 37 + index(f.site)) % known_variants_.size()];
    if (known.lambda != f.lambda || known.site != f.site) known = {f.lambda, f.site, flow_.variant(f.lambda, f.site)};
    return known.variant;
}

// What a frame's caller waits with; outer frames first.
const pda::PendingCall* Cutter::stack_of(Frame* frame) {
    for (Frame* f = frame; f->caller != nullptr && f->pending.call == pda::no_node; f = f->caller)
        untracked_.push_back(f);
    for (; !untracked_.empty(); untracked_.pop_back()) {
        Frame& f = *untracked_.back();
        const VariantId v = variant(*f.caller);
        const pda::NodeId call = v == no_variant ? pda::no_node : flow_.terminator(v, spots_[f.back].block);
        f.pending = pda::PendingCall{call, f.caller->caller == nullptr ? nullptr : &f.caller->pending};
        if (call == pda::no_node) { // no run comes here
            untracked_.clear();
            return nullptr;
        }
    }
    return frame->caller == nullptr ? nullptr : &frame->pending;
}

std::optional<Cutter::Point> Cutter::running_point(const Thread& t, BlockId next) {
    Frame& f = *t.frame.get();
    if (f.block_base == Frame::no_base) {
        const VariantId v = variant(f);
        if (v == no_variant) return std::nullopt;
        f.block_base = flow_[v].block_base;
    }
    const Spot& spot = spots_[t.pc];
    const pda::NodeId node =
        next != no_block ? flow_.node_at(f.block_base, next) : flow_.node_at(f.block_base, spot.block, spot.before);
    if (node == pda::no_node) return std::nullopt;
    const pda::PendingCall* stack = stack_of(&f);
    if (stack == nullptr && f.caller != nullptr) return std::nullopt;
    return Point{node, stack};
}

void Cutter::find_points(const State& s) {
    for (uint32_t i = 0; i < s.threads.size(); ++i) {
        const Thread& t = s.threads[i];
        if (!t.waiting || i == s.running) {
            running_point(t, i == s.running ? s.next : no_block);
            continue;
        }
        if (!options_.asks) knowledge(s, t); // else that is found when first asked for
    }
}

// A thread without a point is where no run comes: nothing lies ahead of it.
void Cutter::reach_from(const State& s, pda::ReachableSet& set) {
    for (uint32_t i = 0; i < s.threads.size(); ++i) {
        const Thread& t = s.threads[i];
        if (!t.waiting || i == s.running) {
            if (const auto point = running_point(t, i == s.running ? s.next : no_block))
                set.add(point->node, point->stack);
            continue;
        }
        const pda::PendingCall* stack = stack_of(t.frame.get());
        WaitKnowledge& known = knowledge(s, t);
        std::vector<uint64_t>& sets = known.reached_in;
        if (std::find(sets.begin(), sets.end(), set.number()) == sets.end()) {
            sets.push_back(set.number());
            for (const pda::NodeId test : known.tests)
                if (test != pda::no_node) set.add(test, stack);
        }
        // It may wait there for ever.
        if (const VariantId v = variant(*t.frame.get()); v != no_variant) set.add(flow_.terminator(v, t.select), stack);
    }
}

// A place is what is known of a wait before anything is asked: where it is in the automaton, and where its messages may
// come from.
WaitKnowledge& Cutter::find_place(const State& s, const Thread& t) {
    VariantId v = variant(*t.frame.get());
    const pda::PendingCall* stack = v == no_variant ? nullptr : stack_of(t.frame.get());
    if (stack == nullptr && t.frame->caller != nullptr) v = no_variant; // no run comes here
    const auto keep = [&](WaitKnowledge& known, std::unique_ptr<WaitKnowledge> own) -> WaitKnowledge& {
        known.cutter = this;
        for (uint32_t c = 0; c < t.waits.index().clause_count(); ++c)
            known.tests.push_back(v == no_variant ? pda::no_node : flow_.node(v, t.waits.clause(c).test));
        t.waits.remember(&known, std::move(own));
        return known;
    };
    if (std::max(places_known_.size(), stacks_.size()) >= options_.places) {
        auto own = std::make_unique<WaitKnowledge>();
        WaitKnowledge& known = *own;
        return keep(known, std::move(own));
    }
    place_.assign({index(v), index(t.select), v == no_variant ? Frame::no_stack : stacks_.of(*t.frame.get())});
    for (const Wait& w : t.waits) {
        if (w.clause->kind != ClauseKind::message) continue;
        place_.push_back(w.source.is_port() ? index(w.source.as_port()) << 1 | 1
                                            : number_of(s.store.get(w.source.payload())) << 1); // where it was made
    }
    uint64_t hash = 0;
    for (const uint32_t part : place_) {
        hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    const auto [begin, end] = places_known_.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
        if (known->second.place != place_) continue;
        t.waits.remember(&known->second, nullptr);
        return known->second;
    }
    WaitKnowledge& known = places_known_.emplace(hash, WaitKnowledge{})->second;
    known.place = place_;
    return keep(known, nullptr);
}

// ── Threads ──

pda::Distance Cutter::ask(const Question& q, pda::NodeId node, const pda::PendingCall* stack, pda::Distance limit) {
    if (q.exact) return q.oracle.distance(node, stack, limit);
    return q.oracle.reachable_within(node, stack, limit) ? 0 : pda::unreachable;
}

// Some questions are timed for all; one that is out of the ordinary is timed for itself.
bool Cutter::may_reach(const State& s, uint32_t limit, Moment moment) {
    limit = std::min(limit, furthest_);
    const bool stable = is_at_stable_state(moment);
    const auto reaches = [&] {
        if (limit == 0 && !stable && options_.bound_info) return reaches_now(s, moment == Moment::other_way);
        Question question{*oracle_, false, stable, stable ? earliest_deadline(s) : std::nullopt};
        return of_state(question, s, limit) != pda::unreachable;
    };
    if (unusual_) {
        const Nanoseconds start = Stopwatch::processor();
        const bool answer = reaches();
        oracle_time_ += Stopwatch::processor() - start;
        unusual_ = false;
        return answer;
    }
    if (questions_.is_halfway()) track_timed(s, questions_);
    if (!questions_.is_due()) return reaches();
    spoilt_ = false;
    const Nanoseconds start = Stopwatch::wall();
    const bool answer = reaches();
    const Nanoseconds answered = Stopwatch::wall();
    if (!spoilt_) oracle_time_ += questions_.all_like(start, answered);
    return answer;
}

void Cutter::track(const State& s) {
    if (places_.is_due())
        track_timed(s, places_);
    else
        find_points(s);
}

void Cutter::track_timed(const State& s, Stopwatch& stopwatch) {
    const Nanoseconds start = Stopwatch::wall();
    find_points(s);
    tracking_time_ += stopwatch.all_like(start, Stopwatch::wall());
}

pda::Distance Cutter::distance(const State& s) {
    Question how_far{*oracle_, true};
    if (!distances_.is_due()) return of_state(how_far, s, furthest_);
    spoilt_ = false;
    const Nanoseconds start = Stopwatch::wall();
    const pda::Distance answer = of_state(how_far, s, furthest_);
    const Nanoseconds answered = Stopwatch::wall();
    if (!spoilt_) oracle_time_ += distances_.all_like(start, answered);
    return answer;
}

void Cutter::cover(TargetId target) { cover(flow_.target(target)); }

void Cutter::find_error(Label at) {
    for (const Flow::Failing& f : flow_.failing())
        if (f.label == at) cover(f.target);
}

void Cutter::cover(pda::TargetId target) {
    if (oracle_ == nullptr || !options_.target_info) return;
    const Nanoseconds start = Stopwatch::processor();
    oracle_->cover(target);
    ++covered_;
    oracle_time_ += Stopwatch::processor() - start;
    unusual_ = true; // v2 makes its table anew when next asked
}

// The least of the threads'; each is asked only whether it is nearer than those before it. The one that runs comes
// first: it is asked about at one place, others at each of their clauses.
pda::Distance Cutter::of_state(Question& q, const State& s, pda::Distance limit) {
    const auto count = static_cast<uint32_t>(s.threads.size());
    ++state_questions_;
    pda::Distance least = pda::unreachable;
    if (s.running < count) {
        q.running = running_point(s.threads[s.running], s.next);
        least = of_thread(q, s, s.running, limit);
    }
    // One that was near a moment ago mostly still is.
    uint32_t& nearest = nearest_[s.running % nearest_.size()];
    if (least != 0 && !q.exact && nearest < count && nearest != s.running) least = of_thread(q, s, nearest, limit);
    for (uint32_t i = 0; i < count && least != 0; ++i) {
        if (i == s.running) continue;
        least = std::min(least, of_thread(q, s, i, least == pda::unreachable ? limit : least - 1));
        if (least == 0) nearest = i;
    }
    return least;
}

pda::Distance Cutter::of_thread(const Question& q, const State& s, uint32_t i, pda::Distance limit) {
    const Thread& t = s.threads[i];
    if (t.waiting && i != s.running) return of_waiting(q, s, i, limit);
    const auto point = i == s.running ? q.running : running_point(t, no_block);
    return point ? ask(q, point->node, point->stack, limit) : pda::unreachable;
}

pda::Distance Cutter::of_waiting(const Question& q, const State& s, uint32_t i, pda::Distance limit) {
    if (kind_ != pda::OracleKind::v3 && !q.sends) return of_waiting_by_asking(q, s, i, limit);
    const Thread& t = s.threads[i];
    const SourceDistances& rests = distances_from(q, t, knowledge(s, t), limit);
    const bool something_comes = may_be_offered(s, i) || t.may_take_timer || !options_.bound_info;
    const pda::Distance outside = // at least
        rests.outside + (something_comes || rests.outside == pda::unreachable ? 0 : 1);
    if (std::min(rests.inside, outside) > limit) return pda::unreachable;
    if (q.sends && rests.inside <= outside) return rests.inside;
    pda::Distance least = pda::unreachable;
    for (uint32_t source = 0; source < t.waits.size(); ++source) {
        if (rests.each[source] > limit) continue;
        const pda::Distance left = limit - rests.each[source]; // for what comes before
        const Wait& w = t.waits[source];
        uint32_t cost = 0;
        if (is_from_outside(w)) {
            cost = cost_from_outside(q, s, i, w);
            if (cost > left) continue;
        } else if (!takes_any(w) && !q.sends) { // the sender costs more to find
            const auto send = cost_of_send(q, s, i, w.source, left);
            if (!send) continue;
            cost = *send;
        }
        least = rests.each[source] + cost;
        if (!q.exact || least == 0) return 0;
        limit = least - 1;
    }
    return least;
}

// The older oracles search anew for each question, and less where only a yes or a no is wanted.
pda::Distance Cutter::of_waiting_by_asking(const Question& q, const State& s, uint32_t i, pda::Distance limit) {
    const Thread& t = s.threads[i];
    const WaitKnowledge& known = knowledge(s, t);
    const pda::PendingCall* stack = stack_of(t.frame.get());
    pda::Distance least = pda::unreachable;
    for (uint32_t c = 0; c < known.tests.size(); ++c) {
        const Wait& w = t.waits.source_of(c);
        const pda::NodeId test = known.tests[c];
        uint32_t cost = is_from_outside(w) ? cost_from_outside(q, s, i, w) : 0;
        if (test == pda::no_node || cost > limit) continue;
        const pda::Distance rest = ask(q, test, stack, limit - cost);
        if (rest == pda::unreachable) continue;
        if (!is_from_outside(w) && !takes_any(w)) {
            const auto send = cost_of_send(q, s, i, w.source, limit - rest);
            if (!send) continue;
            cost = *send;
            if (!q.exact && cost > 0 && ask(q, test, stack, limit - cost) == pda::unreachable) continue;
        }
        least = rest + cost;
        if (!q.exact || least == 0) return 0;
        limit = least - 1;
    }
    return least;
}

// What is remembered of targets may be from a time when there were more: good enough, where it says that they are far.
const SourceDistances& Cutter::distances_from(const Question& q, const Thread& t, WaitKnowledge& known,
                                              pda::Distance limit) {
    if (q.sends) {
        if (*q.sends >= known.sends.size()) known.sends.resize(*q.sends + 1);
        SourceDistances& sends = known.sends[*q.sends];
        if (sends.each.empty()) measure(q, t, known, sends);
        return sends;
    }
    const bool is_known = !known.targets.each.empty();
    const bool far = is_known && std::min(known.targets.inside, known.targets.outside) > limit;
    if (!far && (!is_known || known.covered != covered_)) {
        measure(q, t, known, known.targets);
        known.covered = covered_;
    }
    return known.targets;
}

// Each clause is asked about once. Since targets only become fewer, no clause comes nearer to one: so from then on the
// nearest of a source is asked anew until it is as near as it was, and the others are not.
void Cutter::measure(const Question& q, const Thread& t, WaitKnowledge& known, SourceDistances& distances) {
    const bool is_first = distances.each.empty();
    const pda::PendingCall* stack = stack_of(t.frame.get());
    const auto distance_of = [&](uint32_t clause) {
        ++clauses_measured_;
        const pda::NodeId test = known.tests[clause];
        return test == pda::no_node ? pda::unreachable : q.oracle.distance(test, stack, furthest_);
    };
    distances.each.assign(t.waits.size(), pda::unreachable);
    distances.inside = distances.outside = pda::unreachable;
    if (!q.sends) known.nearest.resize(t.waits.size());
    for (uint32_t source = 0; source < t.waits.size(); ++source) {
        pda::Distance& own = distances.each[source];
        if (q.sends) { // they stay as far as they are
            for (const uint32_t c : t.waits.index().clauses_of(source)) own = std::min(own, distance_of(c));
        } else {
            if (is_first)
                for (const uint32_t c : t.waits.index().clauses_of(source)) known.nearest[source].push({0, c});
            own = nearest_of(known.nearest[source], distance_of);
        }
        pda::Distance& least = is_from_outside(t.waits[source]) ? distances.outside : distances.inside;
        least = std::min(least, own);
    }
}

// ── What is outside of a thread ──

// A stable state must be left first, unless it was left just now, for this; and before a timer is due, the earlier
// ones. (A timer that does not run must be started first.)
uint32_t Cutter::cost_from_outside(const Question& q, const State& s, uint32_t i, const Wait& w) const {
    if (!options_.bound_info) return 0;
    const Thread& t = s.threads[i];
    if (w.source.is_port()) return may_be_offered(s, i) && w.source.as_port() == s.port ? 0 : 1;
    if (t.may_take_timer && is_fired(s, w)) return 0;
    if (!q.stable) return 1;
    const auto due = deadline(s, w);
    return due && q.next_time && number::equal(*due, *q.next_time) ? 1 : 2;
}

// The least number of stable states to be left before something can stand in the channel; nothing: more than `limit`.
std::optional<uint32_t> Cutter::cost_of_send(const Question& q, const State& s, uint32_t receiver, Value channel,
                                             uint32_t limit) {
    if (holds_message(s, channel)) return 0;
    const uint32_t made_at = number_of(s.store.get(channel.payload()));
    const Sends& sends = sends_to(Label{made_at});
    const Question how_far{*sends.oracle, true, q.stable, q.next_time, q.running, sends.number};
    if (s.threads.size() > few_threads) {
        const SendCost& cost = send_cost(how_far, s);
        const pda::Distance nearest = cost.nearest == receiver ? cost.next : cost.least;
        return nearest > limit ? std::nullopt : std::optional<uint32_t>(nearest);
    }
    pda::Distance least = pda::unreachable;
    for (uint32_t i = 0; i < s.threads.size() && least != 0; ++i) {
        if (i == receiver) continue;
        least = std::min(least, of_thread(how_far, s, i, least == pda::unreachable ? limit : least - 1));
    }
    return least == pda::unreachable ? std::nullopt : std::optional<uint32_t>(least);
}

// Each of very many threads may wait for a channel, and ask for the nearest of all the others.
const Cutter::SendCost& Cutter::send_cost(const Question& how_far, const State& s) {
    if (*how_far.sends >= send_costs_.size()) send_costs_.resize(*how_far.sends + 1);
    SendCost& cost = send_costs_[*how_far.sends];
    if (cost.question == state_questions_) return cost;
    cost = {state_questions_, UINT32_MAX, pda::unreachable, pda::unreachable};
    for (uint32_t i = 0; i < s.threads.size(); ++i) {
        const pda::Distance distance = of_thread(how_far, s, i, furthest_);
        if (distance >= cost.next) continue;
        cost.next = distance;
        if (distance >= cost.least) continue;
        std::swap(cost.least, cost.next);
        cost.nearest = i;
    }
    return cost;
}

Cutter::Sends& Cutter::sends_to(Label channel) {
    if (index(channel) >= sends_.size()) sends_.resize(index(channel) + 1);
    Sends& sends = sends_[index(channel)];
    if (sends.oracle == nullptr) {
        const Nanoseconds start = Stopwatch::processor();
        sends = {pda::make_oracle(pda::OracleKind::v3, graph(), furthest_, flow_.send_targets(channel)),
                 channels_asked_about_++};
        if (!unusual_) oracle_time_ += Stopwatch::processor() - start;
        spoilt_ = true; // a sample, if this is one
    }
    return sends;
}

} // namespace espalier::sym
