// The bounded search (Lahola 2010, definition 3.3), with the counter charged on the edge that leaves a stable state:
// with k = 1 the path ends there, otherwise each successor has k − 1. An uncovered checkpoint that is reached sets k
// back.
//
// A state is suspended and its signature extended at every choice and at every branch on a condition that is not
// constant, whatever becomes of the siblings, and successors come in source order: so the order of the search does not
// depend on which states are dropped.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "symexec/search/explorer.hpp"

namespace espalier {

size_t resident_bytes() {
    // Without taking memory: it is asked for when there may be none left.
    const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (statm < 0) return 0;
    char text[128] = {};
    const ssize_t length = read(statm, static_cast<char*>(text), sizeof text - 1);
    close(statm);
    unsigned long all = 0, resident = 0;
    if (length <= 0 || std::sscanf(static_cast<const char*>(text), "%lu %lu", &all, &resident) != 2) return 0;
    return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace espalier

namespace espalier::sym {

namespace {

uint64_t extend(uint64_t signature, const Choice& choice) {
    uint64_t h = (signature ^ index(choice.label)) * 0x9E3779B97F4A7C15U;
    h = (h ^ (h >> 32) ^ (choice.taken + 1)) * 0xC2B2AE3D27D4EB4FU;
    return h ^ (h >> 29);
}

std::vector<Label> errors_to_find(const ExploreOptions& options) {
    std::vector<Label> errors;
    if (options.sure_errors && options.flow != nullptr)
        for (const Flow::Failing& f : options.flow->failing()) errors.push_back(f.label);
    return errors;
}

} // namespace

Explorer::Explorer(const Program& program, const ExploreOptions& options)
    : program_(program), options_(options), machine_(program, terms_, *this,
                                                     {options.schedules, options.step_limit, options.quiet_step_limit,
                                                      options.interrupt, options.trace ? options.flow : nullptr}),
      solver_(make_chain(options.chain, terms_, options.solver_resources, found_.statistics, options.stop)),
      frontier_(make_frontier(options.search, options.seed, [this](const State& s) { return guide_->distance(s); })),
      coverage_(program.targets.size(), options.all_targets, options.targets, errors_to_find(options)),
      ledger_(program, found_.story) {
    found_.heap = std::make_unique<Heap>(); // never collected: it only holds results
    const auto make = [&](pda::OracleKind kind, const CutterOptions& how) {
        if (!configurations_) configurations_.emplace(program, *options.flow, options.stop);
        return std::make_shared<Cutters>(
            *configurations_, coverage_.asked(), coverage_.errors_left(), how.target_info,
            [=, this](const Flow& flow, const std::vector<bool>& wanted, std::span<const Label> errors) {
                return std::make_unique<Cutter>(program_, machine_.code(), flow, kind, options_.depth, wanted, errors,
                                                how, stacks_);
            });
    };
    const CutterOptions usual{.places = options.places};
    const CutterOptions how{options.cut_parts != CutParts::track, options.target_info, options.bound_info,
                            options.places};
    switch (options.cut) {
    case Cut::off: break;
    case Cut::v1: cutter_ = make(pda::OracleKind::v1, how); break;
    case Cut::v2: cutter_ = make(pda::OracleKind::v2, how); break;
    case Cut::v3: cutter_ = make(pda::OracleKind::v3, how); break;
    }
    if (options.memo)
        memo_ = std::make_unique<Memo>(program, machine_.code(), terms_, *solver_,
                                       options.search == Search::bfs        ? Memo::Order::breadth_first
                                       : options.search == Search::distance ? Memo::Order::nearest_first
                                                                            : Memo::Order::other);
    // Distances are always those of v3 that is told everything, so that the order does not depend on who cuts.
    const bool same = options.cut == Cut::v3 && how == usual;
    if (options.search == Search::distance) guide_ = same ? cutter_ : make(pda::OracleKind::v3, usual);
    if (options.flow != nullptr) {
        const CutterOptions without_oracle{.asks = false, .places = options.places};
        places_ = cutter_ != nullptr ? cutter_ : guide_ != nullptr ? guide_ : make(pda::OracleKind::v3, without_oracle);
        ledger_.look_ahead(*configurations_, *places_);
    }
    if (cutter_ != nullptr) {
        coverage_.tell(*cutter_);
        cutting_ = std::make_unique<Cutting>(cutter_, coverage_, options.cut_parts, options.target_info);
        pruners_.push_back(cutting_.get());
    }
    if (guide_ != nullptr && guide_ != cutter_) coverage_.tell(*guide_);
    coverage_.tell(*this);
    if (memo_ != nullptr) pruners_.push_back(memo_.get());
    for (Pruner* p : pruners_) ledger_.tell(*p);
}

Exploration Explorer::run() {
    const auto start = std::chrono::steady_clock::now();
    guarded([&] { search(); });
    if (found_.complete && found_.statistics.sat_interrupted > 0) end_by(EndedBy::stopped); // some path has no answer
    found_.given_up = found_.complete ? 0 : frontier_->size();
    guarded([&] { tell_dropped(); });
    found_.covered = coverage_.covered();
    if (!found_.complete) guarded([&] { forget_waiting(); });
    choose_values();
    tell_statistics();
    found_.statistics.total_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(found_);
}

void Explorer::search() {
    std::vector<Successor> first;
    first.push_back({machine_.initial()});
    first.back().state.k = options_.depth;
    frontier_->add(std::move(first));
    bool is_followed = false;
    while (frontier_->size() > 0 && !coverage_.is_done() && !limits_hit()) {
        if (!is_followed && is_explored()) {
            if (!options_.follow_put_off) {
                frontier_->each([&](const State& s) { return ledger_.drop(s, Dropped::alike); });
                found_.statistics.paths += frontier_->size();
                break;
            }
            is_followed = true; // from now on there is only what comes of these
        }
        State s = frontier_->take();
        if (is_followed)
            for (const Pruner* p : pruners_) p->doubt(s);
        active_.push_back(&s);
        Fate fate = advance(s);
        active_.pop_back();
        if (auto* waiting = std::get_if<Waiting>(&fate); waiting != nullptr && waiting->is_postponed)
            frontier_->postpone(std::move(waiting->states[0].state));
        else if (waiting != nullptr)
            frontier_->add(std::move(waiting->states));
        found_.statistics.peak_waiting = std::max(found_.statistics.peak_waiting, frontier_->size());
    }
}

// Are there only postponed states, none of which must be explored (memo.hpp)?
bool Explorer::is_explored() const {
    if (!frontier_->has_only_postponed()) return false;
    bool must_go_on = false;
    frontier_->each([&](const State& s) {
        for (const Pruner* p : pruners_) must_go_on = must_go_on || (p == memo_.get() && p->must_be_explored(s));
    });
    return !must_go_on;
}

void Explorer::set_in_tail(bool in_tail) {
    in_tail_ = in_tail;
    ledger_.set_in_tail(in_tail);
}

void Explorer::target_covered(TargetId target) {
    frontier_->target_covered();
    if (options_.covered) options_.covered(target, machine_.steps());
}

void Explorer::error_found(Label) { frontier_->target_covered(); }

void Explorer::tell_statistics() {
    Statistics& statistics = found_.statistics;
    statistics.vm_steps = machine_.steps();
    found_.concurrent = machine_.concurrent();
    for (uint32_t b = 0; b < program_.blocks.size(); ++b)
        found_.story.entered.push_back(machine_.has_entered(BlockId{b}));
    found_.story.traces = machine_.take_traces();
    statistics.folded = terms_.folded();
    const Story& story = found_.story;
    statistics.ended_by_bound = story.count(Dropped::bound);
    statistics.ended_by_steps = story.count(Dropped::steps);
    statistics.infeasible = story.count(Dropped::refuted);
    statistics.assume_failed = story.count(Dropped::assumption);
    statistics.finished = story.count(Dropped::finished);
    statistics.memo_hits = story.count(Dropped::alike);
    statistics.delays_left_out = story.count(Dropped::delay);
    if (cutting_ != nullptr) {
        statistics.sp_queries = cutting_->questions();
        statistics.cuts = cutting_->cuts();
    }
    if (configurations_) statistics.flow_seconds = configurations_->seconds();
    for (const Cutters* c : {cutter_.get(), guide_ == cutter_ ? nullptr : guide_.get()}) {
        if (c == nullptr) continue;
        statistics.tracking_seconds += c->tracking_seconds();
        statistics.oracle_seconds += c->oracle_seconds();
    }
}

bool Explorer::limits_hit() {
    if (found_.complete && options_.step_limit != 0 && machine_.steps() >= options_.step_limit)
        end_by(EndedBy::step_limit);
    // Each time: a single question can keep the solver for a second.
    if (found_.complete && options_.stop && options_.stop()) end_by(EndedBy::stopped);
    if (++taken_ % 64 == 0) should_stop();
    return !found_.complete;
}

// Between states, and within one that runs for long.
bool Explorer::should_stop() {
    const size_t own = machine_.heap().live_bytes() + Store::nodes_alive() * Store::node_bytes +
                       FramePool::of_thread().bytes() + (memo_ == nullptr ? 0 : memo_->bytes());
    found_.statistics.peak_memory_bytes = std::max(found_.statistics.peak_memory_bytes, own);
    if (!found_.complete) return true;
    if (options_.memory_limit != 0 && std::max(own, resident_bytes()) > options_.memory_limit)
        end_by(EndedBy::memory_limit);
    if (options_.progress) {
        const Statistics& s = found_.statistics;
        const bool is_asked = cutting_ != nullptr && cutting_->questions() > 0;
        const double cut =
            !is_asked ? 0 : 100.0 * static_cast<double>(cutting_->cuts()) / static_cast<double>(cutting_->questions());
        options_.progress(
            {coverage_.covered_count(), frontier_->size(), machine_.steps(), s.paths, s.sat_queries, cut});
    }
    if (found_.complete && options_.stop && options_.stop()) end_by(EndedBy::stopped);
    return !found_.complete;
}

// What was given up is not needed any more; its memory may be, to replay what was found.
void Explorer::forget_waiting() {
    frontier_ = make_frontier(Search::dfs, 0, {});
    pruners_.clear();
    memo_.reset();
    collect();
}

void Explorer::end_by(EndedBy why) {
    found_.complete = false;
    found_.ended_by = why;
}

void Explorer::end_by_bug(const char* what) {
    end_by(EndedBy::internal_error);
    if (!found_.internal_error) found_.internal_error = what; // the first one may have brought about the others
}

Explorer::Fate Explorer::advance(State& s) {
    s.next = no_block;
    const Outcome outcome = run_to_end(s);
    if (configurations_) configurations_->configure(s);
    const auto end = [&](Gone gone) -> Fate {
        for (const HeldMark& m : s.held)
            if (wants(m.target)) ++found_.story.marks[m.target].unaccepted;
        ++found_.statistics.paths;
        return gone;
    };
    switch (outcome) {
    case Outcome::fork: return Waiting{successors(s, Fork(machine_.fork()))};
    case Outcome::stable: {
        Fate fate = go_on_from_stable(s);
        if (const Gone* gone = std::get_if<Gone>(&fate)) return end(*gone);
        return fate;
    }
    case Outcome::finished: return end(ledger_.drop(s, Dropped::finished));
    case Outcome::infeasible: return end(ledger_.drop(s, Dropped::refuted));
    case Outcome::assume_failed: return end(ledger_.drop(s, Dropped::assumption, machine_.author_label(s)));
    case Outcome::model_error: {
        const Gone gone = ledger_.drop(s, Dropped::error, machine_.error().label);
        report(s, FoundError{machine_.error(), {}, {}});
        return end(gone);
    }
    case Outcome::unsupported: return end(give_up(s, machine_.reason()));
    case Outcome::out_of_steps: return end(ledger_.drop(s, Dropped::steps, machine_.author_label(s)));
    case Outcome::arrived: // that is gone on with
    case Outcome::stopped: break;
    }
    // No path has ended: this one waits with the others that are given up.
    if (found_.complete) end_by(EndedBy::step_limit);
    Waiting unfinished;
    unfinished.states.push_back({std::move(s)});
    return unfinished;
}

Explorer::Fate Explorer::go_on_from_stable(State& s) {
    if (s.k == 1) return ledger_.drop_at_wait(s, Dropped::bound);
    const Opinion opinion = ask_pruners(s, Moment::stable);
    switch (opinion.advice) {
    case Advice::follow: return Waiting{tester_successors(s)};
    case Advice::drop:
        return opinion.reason == Dropped::cut ? ledger_.drop_at_wait(s, opinion.reason)
                                              : ledger_.drop(s, opinion.reason);
    case Advice::postpone: break;
    }
    Waiting later;
    later.is_postponed = true;
    later.states.push_back({std::move(s)});
    return later;
}

// The first that does not say "follow" is heeded. A tail is followed in any case.
Explorer::Opinion Explorer::ask_pruners(State& s, Moment moment) {
    if (!in_tail_)
        for (Pruner* p : pruners_)
            if (const Advice advice = p->ask(s, moment); advice != Advice::follow) return {advice, p->reason()};
    return {Advice::follow, Dropped::finished};
}

// The path cannot be followed, though it may be one of the model's.
Gone Explorer::give_up(const State& s, const std::string& why) {
    if (!in_tail_) ++found_.unsupported[why];
    return ledger_.drop_unsupported(s, machine_.author_label(s), why);
}

void Explorer::doubt_unsupported(const State& s, const std::string& why) {
    if (!in_tail_) ++found_.unsupported[why];
    ledger_.doubt_unsupported(s, machine_.author_label(s), why);
}

// ── Successors ──

struct Explorer::Ways {
    const Fork& fork;
    const bool is_of_branch;                         // of a condition and its negation
    bool others_infeasible;                          // so far
    const std::shared_ptr<const SideRecord> doubted; // the record of cutting before any way was asked about
};

std::vector<Successor> Explorer::successors(State& s, const Fork& fork) {
    std::vector<Successor> children;
    children.reserve(std::min<size_t>(fork.conditions.size(), 2));
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    Ways ways{fork, count == 2 && fork.conditions[0].is_term(), s.verified && fork.kind == Event::Kind::branch,
              s.records.share(RecordOf::cutting)};
    for (uint32_t i = 0; i < count; ++i) {
        if (i % 64 == 63 && options_.stop && options_.stop()) { // there may be thousands of ways
            if (found_.complete) end_by(EndedBy::stopped);
            break;
        }
        ++found_.statistics.states_forked;
        WayOn way = take_way(s, ways, i);
        if (auto* child = std::get_if<Successor>(&way)) children.push_back(std::move(*child));
    }
    return children;
}

// The pruners are asked before a state is made, which costs more than most questions; and the last of the states is the
// given one itself.
Explorer::WayOn Explorer::take_way(State& s, Ways& ways, uint32_t i) {
    const Fork& fork = ways.fork;
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    const Choice choice{fork.label, i, count};
    s.next = decided_block(s, fork, i);
    s.records.set(RecordOf::cutting, ways.doubted);
    const Way way{fork.label, i, ways.is_of_branch, s.next};
    // The ways on from a fork inside an operation all begin at the same place: one question answers for them.
    const Moment moment = i == 0 ? Moment::first_way : s.next == no_block ? Moment::same_way : Moment::other_way;
    if (const Opinion opinion = ask_pruners(s, moment); opinion.advice == Advice::drop) {
        ways.others_infeasible = false;
        return ledger_.drop_way(s, opinion.reason, way);
    }
    Successor next{i + 1 == count ? std::exchange(s, {}) : s, is_known_near()};
    State& child = next.state;
    child.decisions.add(fork.decision(i));
    child.events.push({.kind = fork.kind, .choice = choice});
    child.signature = extend(child.signature, choice);
    const Value condition = fork.conditions[i];
    // What is left when all others cannot be is what the path says already.
    const bool implied = i + 1 == count && count > 1 && ways.others_infeasible && condition.is_term();
    const Admission admitted = implied ? Admission::yes : admit(child, condition);
    if (admitted == Admission::no) return ledger_.drop_way(child, Dropped::refuted, way);
    ways.others_infeasible = false;
    if (admitted == Admission::beyond) {
        ++found_.statistics.paths;
        return give_up(child, beyond_);
    }
    if (implied) child.implied.push(condition);
    return next;
}

// Has the oracle that measures distances just said that the state is at distance 0?
bool Explorer::is_known_near() const {
    return !in_tail_ && cutting_ != nullptr && guide_ == cutter_ && cutting_->is_near();
}

// Where a fork decides a branch or a choice, the block that this way leads to.
BlockId Explorer::decided_block(const State& s, const Fork& fork, uint32_t way) const {
    const bool asked_for = cutter_ != nullptr || guide_ != nullptr;
    if (!asked_for || s.running == UINT32_MAX || !s.decisions.empty()) return no_block;
    const Thread& t = s.threads[s.running];
    const Instruction& i = machine_.code().at(t.pc);
    if (i.op != Opcode::branch && i.op != Opcode::terminator) return no_block;
    const TerminatorKind& kind = program_.blocks[i.e].terminator.kind;
    if (const auto* c = std::get_if<terminator::Choose>(&kind)) return program_.choices[c->first + way];
    const auto* b = std::get_if<terminator::Branch>(&kind);
    const bool decides =
        b != nullptr && fork.conditions.size() == 2 && fork.conditions[0] == machine_.variable(t, b->condition);
    return !decides ? no_block : way == 0 ? b->then_block : b->else_block;
}

std::vector<Successor> Explorer::tester_successors(const State& s) {
    std::vector<Successor> children;
    const std::vector<Offer> offers = machine_.offers(s);
    for (uint32_t i = 0; i < offers.size(); ++i) {
        State child = s;
        --child.k;
        ++child.left;
        const auto of = static_cast<uint32_t>(offers.size());
        machine_.take(child, offers[i], i, of);
        child.signature = extend(s.signature, {offers[i].label, i, of});
        ++found_.statistics.states_forked;
        WayOn way = [&]() -> WayOn {
            const Opinion opinion = ask_pruners(child, Moment::offered);
            if (opinion.advice == Advice::drop) return ledger_.drop_at_wait(child, opinion.reason);
            return Successor{std::move(child), is_known_near()};
        }();
        if (auto* next = std::get_if<Successor>(&way)) children.push_back(std::move(*next));
    }
    return children;
}

// Takes the condition into the child's path, unless it cannot be. `unknown` is kept, and counted by the solver.
Explorer::Admission Explorer::admit(State& child, Value condition) {
    if (!condition.is_term()) return condition.is_true() ? Admission::yes : Admission::no;
    Answer answer = solver_->ask({conditions(child), condition, child.verified ? child.model.get() : nullptr});
    if (answer.verdict == Verdict::unsat) return Admission::no;
    if (answer.beyond != nullptr) {
        beyond_ = answer.beyond;
        return Admission::beyond;
    }
    child.path.push(condition);
    child.verified = answer.verdict == Verdict::sat;
    if (!child.verified) {
        child.undecided = machine_.author_label(child);
        ledger_.doubt(child, Dropped::undecided, child.undecided);
    }
    if (child.verified && !answer.is_known) {
        // A cousin's solution may know more variables than this path has yet.
        if (answer.model.size() > child.variables) answer.model.resize(child.variables);
        child.model = std::make_shared<const Assignment>(std::move(answer.model));
    }
    return Admission::yes;
}

// Is the path known to be satisfiable, or shown to be now?
Explorer::Verified Explorer::verify(State& s) {
    if (s.verified) return Verified::yes;
    Answer answer = solver_->ask({conditions(s), Value::boolean(true), nullptr});
    if (answer.verdict == Verdict::unsat) return Verified::no;
    if (answer.verdict == Verdict::unknown) {
        if (answer.beyond != nullptr) doubt_unsupported(s, answer.beyond);
        return Verified::unknown;
    }
    s.verified = true;
    s.model = std::make_shared<const Assignment>(std::move(answer.model));
    return Verified::yes;
}

bool Explorer::assume(State& s, Value condition) {
    const Admission admitted = admit(s, condition);
    if (admitted == Admission::beyond) throw Unsupported(beyond_); // the machine ends the path
    return admitted == Admission::yes;
}

bool Explorer::may_hold(State& s, Value condition) {
    if (!condition.is_term()) return condition.is_true();
    return solver_->ask({conditions(s), condition, s.verified ? s.model.get() : nullptr}).verdict != Verdict::unsat;
}

std::pair<std::optional<Value>, std::optional<Value>> Explorer::positive_range(State& s, Value integer) {
    const PositiveRange range =
        sym::positive_range(*solver_, terms_, conditions(s), s.verified ? s.model.get() : nullptr, integer);
    if (range.undecided != nullptr) doubt_unsupported(s, range.undecided);
    const auto width = [&] { return number::sub(terms_.heap(), *range.greatest, *range.least); };
    if (range.least && (!range.greatest || number::compare(width(), Value::fixnum(1), ">") > 0)) {
        ledger_.doubt(s, Dropped::delay, machine_.author_label(s));
    }
    return {range.least, range.greatest};
}

void Explorer::moments_left_out(const State& s, Label at) { ledger_.doubt(s, Dropped::moment, at); }

std::span<const Value> Explorer::conditions(const State& s) {
    const size_t known = asked_nodes_.size();
    asked_nodes_.resize(s.path.size());
    asked_values_.resize(s.path.size());
    for (const auto* n = s.path.last(); n != nullptr && (n->size > known || asked_nodes_[n->size - 1] != n);
         n = n->before) {
        asked_nodes_[n->size - 1] = n;
        asked_values_[n->size - 1] = n->item;
    }
    asked_ = s.path; // keeps the nodes
    return asked_values_;
}

// What may have been missed, as far as the automaton tells.
void Explorer::tell_dropped() {
    const Dropped why = coverage_.is_done() ? Dropped::done : Dropped::limit;
    if (coverage_.is_done() || !found_.complete) frontier_->each([&](const State& s) { return ledger_.drop(s, why); });
    ledger_.close();
    for (const Dropped each : {Dropped::cut, Dropped::done}) {
        const std::vector<Label> more = ledger_.fallible(each);
        found_.untried.insert(found_.untried.end(), more.begin(), more.end());
    }
    std::sort(found_.untried.begin(), found_.untried.end());
    found_.untried.erase(std::unique(found_.untried.begin(), found_.untried.end()), found_.untried.end());
}

// ── Memory ──

void Explorer::collect() { machine_.heap().collect(*this); }

void Explorer::mark_roots(Marker& marker) {
    ++round_;
    FramePool::of_thread().clear_free();
    for (const State* s : active_) machine_.mark(*s, marker, round_);
    for (const State& s : tail_) machine_.mark(s, marker, round_);
    for (const State& s : ends_) machine_.mark(s, marker, round_);
    frontier_->each([&](const State& s) { machine_.mark(s, marker, round_); });
    for (const Pruner* p : pruners_) p->each([&](const State& s) { machine_.mark(s, marker, round_); });
}

} // namespace espalier::sym
