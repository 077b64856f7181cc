#include "symexec/cutter.hpp"

#include <algorithm>

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;

namespace {

std::vector<pda::TargetId> targets_of(const Flow& flow, const std::vector<bool>& wanted) {
    std::vector<pda::TargetId> targets;
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

} // namespace

Cutter::Cutter(const Program& program, const Code& code, const Flow& flow, pda::OracleKind kind, uint32_t depth,
               const std::vector<bool>& wanted, const CutterOptions& options)
    : program_(program), code_(code), flow_(flow), options_(options), kind_(kind),
      furthest_(options.bound_info ? depth : 0), blocks_(code.size()) {
    if (options.asks) {
        const Nanoseconds start = Stopwatch::processor();
        // Where nothing is charged, what can be reached at all is at distance 0.
        if (!options.bound_info) uncharged_ = flow.graph().uncharged();
        oracle_ = pda::make_oracle(kind, graph(), furthest_, targets_of(flow, wanted));
        oracle_time_ += Stopwatch::processor() - start;
    }
    for (uint32_t b = 0; b < program.blocks.size(); ++b) blocks_[code.start(BlockId{b})] = BlockId{b};
    for (const Lambda& l : program.lambdas) // blocks of a λ are decoded one after the other
        for (uint32_t b = l.first_block; b < l.first_block + l.block_count; ++b) {
            const uint32_t from = code.start(BlockId{b});
            for (uint32_t pc = from + 1; pc < code.size() && blocks_[pc] == BlockId{0}; ++pc) blocks_[pc] = BlockId{b};
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
const pda::Frame* Cutter::stack_of(Frame* frame) {
    for (Frame* f = frame; f->caller != nullptr && f->pending.call == pda::no_node; f = f->caller)
        untracked_.push_back(f);
    for (; !untracked_.empty(); untracked_.pop_back()) {
        Frame& f = *untracked_.back();
        const VariantId v = variant(*f.caller);
        const pda::NodeId call = v == no_variant ? pda::no_node : flow_.terminator(v, blocks_[f.back]);
        f.pending = pda::Frame{call, f.caller->caller == nullptr ? nullptr : &f.caller->pending};
        if (call == pda::no_node) { // no run comes here
            untracked_.clear();
            return nullptr;
        }
    }
    return frame->caller == nullptr ? nullptr : &frame->pending;
}

std::optional<Cutter::Point> Cutter::running_point(const Thread& t, BlockId next) {
    Frame& f = *t.frame.get();
    pda::NodeId node = pda::no_node;
    if (next != no_block && f.is_placed != 0) {
        node = flow_.node_at(f.block_base, next);
    } else {
        const VariantId v = variant(f);
        if (v == no_variant) return std::nullopt;
        f.block_base = flow_[v].block_base;
        f.is_placed = 1;
        const Instruction& i = code_.at(t.pc);
        const BlockId block = blocks_[t.pc];
        node = next != no_block      ? flow_.node(v, next)
               : is_terminator(i.op) ? flow_.terminator(v, block)
                                     : flow_.node(v, block, i.e - program_[block].first_op);
    }
    if (node == pda::no_node) return std::nullopt;
    const pda::Frame* stack = stack_of(&f);
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
        WaitKnowledge& known = t.waits.knowledge();
        if (known.cutter != this) known = {.cutter = this};
        if (known.is_placed || !known.now.empty() || !known.targets.each.empty()) continue;
        known.is_placed = true;
        const VariantId v = variant(*t.frame.get());
        if (v == no_variant) continue;
        stack_of(t.frame.get());
        for (const Wait& w : t.waits) flow_.node(v, w.clause->test);
    }
}

// ── Threads ──

pda::Distance Cutter::ask(const Question& q, pda::NodeId node, const pda::Frame* stack, pda::Distance limit) {
    if (q.exact) return q.oracle.distance(node, stack, limit);
    return q.oracle.reachable_within(node, stack, limit) ? 0 : pda::unreachable;
}

// Some questions are timed for all; one that is out of the ordinary is timed for itself.
bool Cutter::may_reach(const State& s, uint32_t limit, bool stable) {
    limit = std::min(limit, furthest_);
    const auto reaches = [&] {
        if (limit == 0 && !stable && options_.bound_info) return reaches_now(s);
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
    if (places_.is_due()) track_timed(s);
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
        track_timed(s);
    else
        find_points(s);
}

void Cutter::track_timed(const State& s) {
    const Nanoseconds start = Stopwatch::wall();
    find_points(s);
    tracking_time_ += places_.all_like(start, Stopwatch::wall());
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

void Cutter::cover(TargetId target) {
    if (oracle_ == nullptr || !options_.target_info) return;
    const Nanoseconds start = Stopwatch::processor();
    oracle_->cover(flow_.target(target));
    ++covered_;
    oracle_time_ += Stopwatch::processor() - start;
    unusual_ = true; // v2 makes its table anew when next asked
}

// The least of the threads'; each is asked only whether it is nearer than those before it. The one that runs comes
// first: it is asked about at one place, others at each of their clauses.
pda::Distance Cutter::of_state(Question& q, const State& s, pda::Distance limit) {
    const auto count = static_cast<uint32_t>(s.threads.size());
    pda::Distance least = pda::unreachable;
    if (s.running < count) {
        q.running = running_point(s.threads[s.running], s.next);
        least = of_thread(q, s, s.running, limit);
    }
    // One that was near a moment ago mostly still is.
    if (least != 0 && !q.exact && nearest_ < count && nearest_ != s.running) least = of_thread(q, s, nearest_, limit);
    for (uint32_t i = 0; i < count && least != 0; ++i) {
        if (i == s.running) continue;
        least = std::min(least, of_thread(q, s, i, least == pda::unreachable ? limit : least - 1));
        if (least == 0) nearest_ = i;
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
    const ClauseDistances& rests = clause_distances(q, t, limit);
    const bool something_comes = (s.delivering && i >= s.offered_to) || t.may_take_timer || !options_.bound_info;
    const pda::Distance outside = // at least
        rests.outside + (something_comes || rests.outside == pda::unreachable ? 0 : 1);
    if (std::min(rests.inside, outside) > limit) return pda::unreachable;
    if (q.sends && rests.inside <= outside) return rests.inside;
    pda::Distance least = pda::unreachable;
    for (uint32_t c = 0; c < t.waits.size(); ++c) {
        if (rests.each[c] > limit) continue;
        const pda::Distance left = limit - rests.each[c]; // for what comes before
        const Wait& w = t.waits[c];
        uint32_t cost = 0;
        if (is_from_outside(w)) {
            cost = cost_from_outside(q, s, i, w);
            if (cost > left) continue;
        } else if (!takes_any(w) && !q.sends) { // who sends costs more to find
            const auto send = cost_of_send(q, s, i, w.source, left);
            if (!send) continue;
            cost = *send;
        }
        least = rests.each[c] + cost;
        if (!q.exact || least == 0) return 0;
        limit = least - 1;
    }
    return least;
}

// The older oracles search anew for each question, and less where only a yes or a no is wanted.
pda::Distance Cutter::of_waiting_by_asking(const Question& q, const State& s, uint32_t i, pda::Distance limit) {
    const Thread& t = s.threads[i];
    const VariantId v = variant(*t.frame.get());
    if (v == no_variant) return pda::unreachable;
    const pda::Frame* stack = stack_of(t.frame.get());
    if (stack == nullptr && t.frame->caller != nullptr) return pda::unreachable;
    pda::Distance least = pda::unreachable;
    for (const Wait& w : t.waits) {
        const pda::NodeId test = flow_.node(v, w.clause->test);
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
const ClauseDistances& Cutter::clause_distances(const Question& q, const Thread& t, pda::Distance limit) {
    WaitKnowledge& known = t.waits.knowledge();
    if (known.cutter != this) known = {.cutter = this};
    if (q.sends) {
        if (*q.sends >= known.sends.size()) known.sends.resize(*q.sends + 1);
        ClauseDistances& sends = known.sends[*q.sends];
        if (sends.each.empty()) measure(q, t, sends);
        return sends;
    }
    const bool is_known = !known.targets.each.empty();
    const bool far = is_known && std::min(known.targets.inside, known.targets.outside) > limit;
    if (!far && (!is_known || known.covered != covered_)) {
        measure(q, t, known.targets);
        known.covered = covered_;
    }
    return known.targets;
}

void Cutter::measure(const Question& q, const Thread& t, ClauseDistances& distances) {
    distances.each.assign(t.waits.size(), pda::unreachable);
    distances.inside = distances.outside = pda::unreachable;
    const VariantId v = variant(*t.frame.get());
    if (v == no_variant) return;
    const pda::Frame* stack = stack_of(t.frame.get());
    if (stack == nullptr && t.frame->caller != nullptr) return;
    for (uint32_t c = 0; c < t.waits.size(); ++c) {
        const Wait& w = t.waits[c];
        const pda::NodeId test = flow_.node(v, w.clause->test);
        if (test == pda::no_node) continue;
        distances.each[c] = q.oracle.distance(test, stack, furthest_);
        pda::Distance& least = is_from_outside(w) ? distances.outside : distances.inside;
        least = std::min(least, distances.each[c]);
    }
}

// ── What is outside of a thread ──

// A stable state must be left first, unless it was left just now, for this; and before a timer is due, the earlier
// ones. (A timer that does not run must be started first.)
uint32_t Cutter::cost_from_outside(const Question& q, const State& s, uint32_t i, const Wait& w) const {
    if (!options_.bound_info) return 0;
    const Thread& t = s.threads[i];
    if (w.source.is_port()) return s.delivering && w.source.as_port() == s.port && i >= s.offered_to ? 0 : 1;
    if (t.may_take_timer && is_fired(s, w)) return 0;
    return q.stable && deadline(s, w) != q.next_time ? 2 : 1;
}

// The least number of stable states to be left before something can stand in the channel; nothing: more than `limit`.
std::optional<uint32_t> Cutter::cost_of_send(const Question& q, const State& s, uint32_t receiver, Value channel,
                                             uint32_t limit) {
    const uint32_t a = channel.payload();
    if (!s.store.get(a + 1).is_null() || !s.store.get(a + 2).is_null()) return 0;
    const uint32_t made_at = number_of(s.store.get(a));
    const Sends& sends = sends_to(Label{made_at});
    const Question how_far{*sends.oracle, true, q.stable, q.next_time, q.running, sends.number};
    pda::Distance least = pda::unreachable;
    for (uint32_t i = 0; i < s.threads.size() && least != 0; ++i) {
        if (i == receiver) continue;
        least = std::min(least, of_thread(how_far, s, i, least == pda::unreachable ? limit : least - 1));
    }
    return least == pda::unreachable ? std::nullopt : std::optional<uint32_t>(least);
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
