// Can a target be reached before the next stable state?
//
// Until then nothing comes from outside but what has just come. So the threads that can act are the one that runs,
// those that are ready, those that may take what has come, and those that find something in a channel: because it is
// there, or because one of them sends it. Which channels a thread may send to at once is a mask (pda::NearSets), and
// the threads that can act are found by going around until no further one is woken.
//
// Mostly the running thread answers with yes, or no other thread is before a target at all; and what the others wait
// for is summed up in a few masks.
#include "symexec/prune/cutter.hpp"

namespace espalier::sym {

using ClauseKind = SelectClause::Kind;

namespace {

// What a thread may be offered now, as a bit for each port. Where there are more ports than bits, several share one,
// and a thread is looked at more closely than it need be.
uint64_t bit_of(PortId port) { return uint64_t{1} << index(port) % 64; }
uint64_t offered(const State& s, uint32_t thread) { return may_be_offered(s, thread) ? bit_of(s.port) : 0; }

} // namespace

bool Cutter::reaches_now(const State& s, bool another_way) {
    if (!another_way) last_others_.reset();
    std::optional<Point> running;
    if (s.running < s.threads.size()) {
        running = running_point(s.threads[s.running], s.next);
        if (running && oracle_->reachable_within(running->node, running->stack, 0)) return true;
    }
    const uint64_t sent = running ? near().of(running->node, running->stack) : 0;
    // A thread that is sent more comes at least as far, and one that is sent less no further.
    if (last_others_ && (last_others_->reach ? last_others_->sent & ~sent : sent & ~last_others_->sent) == 0)
        return last_others_->reach;
    last_others_ = {sent, do_others_reach(s, sent)};
    return last_others_->reach;
}

bool Cutter::do_others_reach(const State& s, uint64_t sent) {
    const auto count = static_cast<uint32_t>(s.threads.size());
    const auto comes_to_target = [&](uint32_t i) {
        return i != s.running && s.threads[i].waiting && wakes(s, i, sent);
    };
    // One that was near a moment ago mostly still is.
    uint32_t& nearest = nearest_[s.running % nearest_.size()];
    if (nearest < count && comes_to_target(nearest)) return true;
    if ((sent == 0 && !may_others_act(s)) || !may_others_reach(s)) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == s.running || s.threads[i].waiting) continue;
        const auto point = running_point(s.threads[i], no_block);
        if (!point) continue;
        if (oracle_->reachable_within(point->node, point->stack, 0)) return true;
        sent |= near().of(point->node, point->stack);
    }
    for (bool is_more = true; is_more;) {
        const uint64_t before = sent;
        for (uint32_t i = 0; i < count; ++i) {
            if (!comes_to_target(i)) continue;
            nearest = i;
            return true;
        }
        is_more = sent != before;
    }
    return false;
}

// Can any other thread act, where the running one sends nothing?
bool Cutter::may_others_act(const State& s) {
    if (s.queued != 0) return true;
    for (uint32_t i = 0; i < s.threads.size(); ++i)
        if (i != s.running && (!s.threads[i].waiting || s.threads[i].may_take_timer || may_be_offered(s, i)))
            return true;
    return false;
}

// Is some other thread before a target, whether or not it can act?
bool Cutter::may_others_reach(const State& s) {
    for (uint32_t i = 0; i < s.threads.size(); ++i) {
        if (i == s.running) continue;
        const Thread& t = s.threads[i];
        if (!t.waiting) return true;
        const WaitKnowledge& known = known_now(s, t);
        if (known.takes_to_target != 0 || (known.ports_to_target & offered(s, i)) != 0) return true;
        if (known.timer_to_target && t.may_take_timer) return true;
    }
    return false;
}

// Does a waiting thread come to a target by what may be in channels now? Where not, adds what it may send itself.
bool Cutter::wakes(const State& s, uint32_t i, uint64_t& sent) {
    const Thread& t = s.threads[i];
    const bool look_closely = t.may_take_timer || s.queued != 0;
    const uint64_t port = offered(s, i);
    if (sent == 0 && port == 0 && !look_closely) return false;
    WaitKnowledge& known = known_now(s, t);
    if (is_exact_ && ((known.takes_to_target & sent) | (known.ports_to_target & port)) != 0) return true;
    if (look_closely || (known.ports & port) != 0) return wakes_by_sources(s, i, sent);
    if ((known.takes & sent) == 0) return false;
    // Where the same was sent before and led nowhere, it leads nowhere now.
    if (known.sent != sent) {
        const uint64_t before = sent;
        if (wakes_by_sources(s, i, sent)) return true;
        known.sent = before;
        known.sent_then = sent;
    }
    sent = known.sent_then;
    return false;
}

bool Cutter::wakes_by_sources(const State& s, uint32_t i, uint64_t& sent) {
    const Thread& t = s.threads[i];
    WaitKnowledge& known = known_now(s, t);
    const bool is_offered = may_be_offered(s, i);
    bool has_message = false; // in a channel: then `else` may take it
    const auto is_open = [&](const Wait& w, const SourceNow& now) {
        switch (w.clause->kind) {
        case ClauseKind::message:
            if (w.source.is_port()) return is_offered && w.source.as_port() == s.port;
            if ((now.takes & sent) == 0 && (s.queued == 0 || !holds_message(s, w.source))) return false;
            has_message = true;
            return true;
        case ClauseKind::timer:
        case ClauseKind::after: return t.may_take_timer && is_fired(s, w);
        case ClauseKind::other: return false;
        }
        return false;
    };
    for (uint32_t source = 0; source < t.waits.size(); ++source) {
        if (!is_open(t.waits[source], known.now[source])) continue;
        if (reaches_now(t, known, source)) return true;
        sent |= known.now[source].sends;
    }
    if (!has_message || t.waits.index().other() == ClauseIndex::none) return false;
    const uint32_t other = t.waits.index().source_of(t.waits.index().other());
    if (reaches_now(t, known, other)) return true;
    sent |= known.now[other].sends;
    return false;
}

bool Cutter::reaches_now(const Thread& t, WaitKnowledge& known, uint32_t source) {
    const Question to_targets{*oracle_, false};
    if (kind_ == pda::OracleKind::v3) return distances_from(to_targets, t, known, 0).each[source] == 0;
    const pda::PendingCall* stack = stack_of(t.frame.get());
    const auto clauses = t.waits.index().clauses_of(source);
    return std::any_of(clauses.begin(), clauses.end(), [&](uint32_t c) {
        return known.tests[c] != pda::no_node && oracle_->reachable_within(known.tests[c], stack, 0);
    });
}

void Cutter::find_out(const State& s, const Thread& t, WaitKnowledge& known) {
    if (known.covered_now == WaitKnowledge::not_yet) find_sources(s, t, known);
    find_targets(t, known);
}

void Cutter::find_sources(const State& s, const Thread& t, WaitKnowledge& known) {
    pda::NearSets& sends = near();
    const pda::PendingCall* stack = stack_of(t.frame.get());
    for (uint32_t source = 0; source < t.waits.size(); ++source) {
        const Wait& w = t.waits[source];
        SourceNow now{0, 0};
        if (w.clause->kind == ClauseKind::message && !w.source.is_port()) {
            const uint32_t made_at = number_of(s.store.get(w.source.payload()));
            now.takes = made_at < channel_bits_.size() ? channel_bits_[made_at] : 0;
        }
        for (const uint32_t c : t.waits.index().clauses_of(source))
            if (known.tests[c] != pda::no_node) now.sends |= sends.of(known.tests[c], stack);
        known.now.push_back(now);
        known.takes |= now.takes;
        if (w.source.is_port()) known.ports |= bit_of(w.source.as_port());
    }
}

// The older oracles search anew for each question: with them every clause may lead to a target until one is asked.
void Cutter::find_targets(const Thread& t, WaitKnowledge& known) {
    const bool is_measured = kind_ == pda::OracleKind::v3;
    known.takes_to_target = known.ports_to_target = 0;
    known.timer_to_target = false;
    for (uint32_t source = 0; source < t.waits.size(); ++source) {
        if (is_measured && !reaches_now(t, known, source)) continue;
        const Wait& w = t.waits[source];
        if (w.clause->kind == ClauseKind::other)
            known.takes_to_target |= known.takes;
        else if (w.clause->kind != ClauseKind::message)
            known.timer_to_target = true;
        else if (w.source.is_port())
            known.ports_to_target |= bit_of(w.source.as_port());
        else
            known.takes_to_target |= known.now[source].takes;
    }
    known.covered_now = covered_;
}

// Where there are more channels than bits, several share one, and each may be taken for the others.
pda::NearSets& Cutter::near() {
    if (near_) return *near_;
    const Nanoseconds start = Stopwatch::processor();
    std::vector<uint64_t> sets(graph().target_count(), 0);
    uint32_t number = 0;
    for (const Label channel : flow_.channels_sent_to()) {
        const uint64_t bit = uint64_t{1} << number++ % pda::NearSets::most;
        if (index(channel) >= channel_bits_.size()) channel_bits_.resize(index(channel) + 1, 0);
        channel_bits_[index(channel)] = bit;
        for (const pda::TargetId send : flow_.send_targets(channel)) sets[pda::raw(send)] |= bit;
    }
    near_.emplace(graph(), sets);
    if (!unusual_) oracle_time_ += Stopwatch::processor() - start;
    spoilt_ = true; // a sample, if this is one
    return *near_;
}

} // namespace espalier::sym
