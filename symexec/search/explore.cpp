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

} // namespace

Explorer::Explorer(const Program& program, const ExploreOptions& options)
    : program_(program), options_(options), machine_(program, terms_, *this,
                                                     {options.schedules, options.step_limit, options.quiet_step_limit,
                                                      options.interrupt, options.trace ? options.flow : nullptr}),
      solver_(make_chain(options.chain, terms_, options.solver_resources, found_.statistics, options.stop)),
      frontier_(make_frontier(options.search, options.seed, [this](const State& s) { return guide_->distance(s); })),
      wanted_(program.targets.size(), options.all_targets) {
    found_.heap = std::make_unique<Heap>(); // never collected: it only holds results
    found_.covered.assign(program.targets.size(), false);
    for (TargetId t : options.targets) wanted_[index(t)] = true;
    left_ = static_cast<size_t>(std::count(wanted_.begin(), wanted_.end(), true));
    if (options.sure_errors && options.flow != nullptr)
        for (const Flow::Failing& f : options.flow->failing()) errors_left_.push_back(f.label);
    const auto make = [&](pda::OracleKind kind, const CutterOptions& how) {
        if (!configurations_) configurations_.emplace(program, *options.flow, options.stop);
        return std::make_shared<Cutters>(
            *configurations_, wanted_, errors_left_, how.target_info,
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
        dropped_ = std::make_unique<DroppedPaths>(program, *configurations_, *places_);
    }
}

Exploration Explorer::run() {
    const auto start = std::chrono::steady_clock::now();
    guarded([&] { search(); });
    if (found_.complete && found_.statistics.sat_interrupted > 0) end_by(EndedBy::stopped); // some path has no answer
    found_.given_up = found_.complete ? 0 : frontier_->size();
    guarded([&] { tell_dropped(); });
    if (!found_.complete) guarded([&] { forget_waiting(); });
    choose_values();
    tell_statistics();
    found_.statistics.total_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(found_);
}

void Explorer::search() {
    std::vector<State> first;
    first.push_back(machine_.initial());
    first.back().k = options_.depth;
    frontier_->add(std::move(first));
    bool is_followed = false;
    while (frontier_->size() > 0 && !is_done() && !limits_hit()) {
        if (!is_followed && frontier_->is_explored()) {
            if (!options_.follow_put_off) {
                found_.statistics.memo_hits += frontier_->size();
                found_.statistics.paths += frontier_->size();
                break;
            }
            is_followed = true; // from now on there is only what comes of these
        }
        State s = frontier_->take();
        s.is_given_up = s.is_given_up || is_followed;
        advance(s);
        found_.statistics.peak_waiting = std::max(found_.statistics.peak_waiting, frontier_->size());
    }
}

void Explorer::tell_statistics() {
    Statistics& statistics = found_.statistics;
    statistics.vm_steps = machine_.steps();
    found_.concurrent = machine_.concurrent();
    for (uint32_t b = 0; b < program_.blocks.size(); ++b)
        found_.story.entered.push_back(machine_.has_entered(BlockId{b}));
    found_.story.traces = machine_.take_traces();
    statistics.folded = terms_.folded();
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
        const auto all = static_cast<size_t>(std::count(wanted_.begin(), wanted_.end(), true));
        options_.progress(
            {all - left_, frontier_->size(), machine_.steps(), s.paths, s.sat_queries,
             s.sp_queries == 0 ? 0 : 100.0 * static_cast<double>(s.cuts) / static_cast<double>(s.sp_queries)});
    }
    if (found_.complete && options_.stop && options_.stop()) end_by(EndedBy::stopped);
    return !found_.complete;
}

// What was given up is not needed any more; its memory may be, to replay what was found.
void Explorer::forget_waiting() {
    frontier_ = make_frontier(Search::dfs, 0, {});
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

void Explorer::advance(State& s) {
    active_.push_back(&s);
    s.next = no_block;
    const Outcome outcome = machine_.run(s);
    if (configurations_) configurations_->configure(s);
    Statistics& statistics = found_.statistics;
    switch (outcome) {
    case Outcome::fork:
        frontier_->add(successors(s, Fork(machine_.fork())));
        active_.pop_back();
        return;
    case Outcome::stable:
        if (s.k > 1 && !is_cut(s, Asking::at_rest)) {
            const Memo::Advice advice = memo_ == nullptr ? Memo::Advice::explore : memo_->meet(s);
            if (advice == Memo::Advice::skip) {
                ++statistics.memo_hits;
                break;
            }
            if (advice == Memo::Advice::put_off) {
                s.is_put_off = true;
                std::vector<State> later;
                later.push_back(std::move(s));
                active_.pop_back();
                return frontier_->add(std::move(later));
            }
            s.is_put_off = false;
            s.like.reset();
            frontier_->add(tester_successors(s));
            active_.pop_back();
            return;
        }
        if (s.k == 1) ++statistics.ended_by_bound;
        drop(s.k == 1 ? Dropped::bound : Dropped::cut, s);
        for (const Thread& t : s.threads) ++found_.story.bounded[program_[t.select].terminator.label];
        break;
    case Outcome::finished: ++statistics.finished; break;
    case Outcome::infeasible: ++statistics.infeasible; break;
    case Outcome::assume_failed:
        ++statistics.assume_failed;
        ++found_.story.assumed[machine_.author_label(s)];
        break;
    case Outcome::model_error:
        ++found_.story.failed[machine_.error().label];
        report(s, FoundError{machine_.error(), {}, {}});
        break;
    case Outcome::unsupported: give_up(s, machine_.reason()); break;
    case Outcome::out_of_steps:
        ++statistics.ended_by_steps;
        ++found_.story.out_of_steps[machine_.author_label(s)];
        drop(Dropped::steps, s);
        leave_open(s);
        break;
    case Outcome::stopped: { // no path has ended: this one waits with the others that are given up
        if (found_.complete) end_by(EndedBy::step_limit);
        active_.pop_back();
        std::vector<State> unfinished;
        unfinished.push_back(std::move(s));
        frontier_->add(std::move(unfinished));
        return;
    }
    }
    for (const HeldMark& m : s.held)
        if (wants(m.target)) ++found_.story.marks[m.target].unaccepted;
    ++statistics.paths;
    active_.pop_back();
}

// Another state like this one's stable state may come further.
void Explorer::leave_open(const State& s) const {
    if (s.subtree != nullptr && !in_tail_) s.subtree->leave_open();
}

void Explorer::drop(Dropped why, const State& s) {
    if (dropped_ != nullptr && !in_tail_) dropped_->note(why, s); // of a tail: the search comes there too
}

// The path cannot be followed, though it may be one of the model's.
void Explorer::give_up(const State& s, const std::string& why) {
    leave_open(s);
    if (in_tail_) return;
    drop(Dropped::unsupported, s);
    ++found_.unsupported[why];
    ++found_.story.unsupported[{machine_.author_label(s), why}];
}

// ── Successors ──

// The oracle is asked before a state is made, which costs more than most questions; and the last of them is the state
// itself.
std::vector<State> Explorer::successors(State& s, const Fork& fork) {
    std::vector<State> children;
    children.reserve(std::min<size_t>(fork.conditions.size(), 2));
    const auto count = static_cast<uint32_t>(fork.conditions.size());
    bool others_infeasible = s.verified && fork.kind == Event::Kind::branch; // so far
    const bool two_sided = count == 2 && fork.conditions[0].is_term(), is_given_up = s.is_given_up;
    for (uint32_t i = 0; i < count; ++i) {
        const Choice choice{fork.label, i, count};
        if (i % 64 == 63 && options_.stop && options_.stop()) { // there may be thousands of ways
            if (found_.complete) end_by(EndedBy::stopped);
            break;
        }
        ++found_.statistics.states_forked;
        s.next = decided_block(s, fork, i);
        s.is_given_up = is_given_up;
        // The ways on from a fork inside an operation all begin at the same place: one question answers for them.
        if (is_cut(s, i == 0 ? Asking::on_the_way : Asking::another_way, i > 0 && s.next == no_block)) {
            drop(Dropped::cut, s);
            ++(two_sided ? found_.story.cut[{fork.label, i}] : found_.story.cut_elsewhere[fork.label]);
            if (s.next != no_block)
                ++found_.story.cut_into[s.next];
            else
                ++found_.story.cut_from[fork.label];
            others_infeasible = false;
            continue;
        }
        State child = i + 1 == count ? std::exchange(s, {}) : s;
        child.decisions.add(fork.decision(i));
        child.events.push({.kind = fork.kind, .choice = choice});
        child.signature = extend(child.signature, choice);
        const Value condition = fork.conditions[i];
        // What is left when all others cannot be is what the path says already.
        const bool implied = i + 1 == count && count > 1 && others_infeasible && condition.is_term();
        const Admission admitted = implied ? Admission::yes : admit(child, condition);
        if (admitted == Admission::no) {
            ++found_.statistics.infeasible;
            if (!in_tail_ && two_sided) ++found_.story.refuted[{fork.label, i}];
            continue;
        }
        others_infeasible = false;
        if (admitted == Admission::beyond) {
            give_up(child, beyond_);
            ++found_.statistics.paths;
            continue;
        }
        if (implied) child.implied.push(condition);
        children.push_back(std::move(child));
    }
    return children;
}

// A path with counter k can still leave k − 1 stable states. What is said of it with no stays so, for what comes of it
// and while targets become fewer. Where nobody heeds that, nobody asks again: the path is followed to its end, as if
// nothing had been said, and what it covers shows that the oracle is wrong.
bool Explorer::is_cut(State& s, Asking asking, bool as_before) {
    if (cutter_ == nullptr || in_tail_ || s.is_given_up) return false;
    if (options_.cut_parts == CutParts::track) {
        if (!as_before) cutter_->track(s);
        return false;
    }
    ++found_.statistics.sp_queries;
    if (!as_before) {
        // A mark that was passed and counts once a clause accepts is still ahead.
        const bool held = std::any_of(s.held.begin(), s.held.end(), [&](const HeldMark& m) {
            return options_.target_info ? wants(m.target) : wanted_[index(m.target)];
        });
        may_reach_ = held || cutter_->may_reach(s, s.k - 1, asking);
        s.is_near = !held && may_reach_ && s.k == 1 && guide_ == cutter_;
    }
    if (may_reach_) return false;
    if (options_.cut_parts == CutParts::ask) {
        s.is_given_up = true;
        return false;
    }
    ++found_.statistics.cuts;
    return true;
}

// Where a fork decides a branch or a choice, the block that this way leads to.
BlockId Explorer::decided_block(const State& s, const Fork& fork, uint32_t way) const {
    const bool asked_for = cutter_ != nullptr || guide_ != nullptr;
    if (!asked_for || s.running == UINT32_MAX || !s.decisions.empty()) return no_block;
    const Thread& t = s.threads[s.running];
    const Instruction& i = machine_.code().at(t.pc);
    if (i.op != Opcode::branch && i.op != Opcode::terminator) return no_block;
    const TerminatorKind& kind = program_.blocks[i.e].terminator.kind;
    if (const auto* c = std::get_if<term::Choose>(&kind)) return program_.choices[c->first + way];
    const auto* b = std::get_if<term::Branch>(&kind);
    const bool decides =
        b != nullptr && fork.conditions.size() == 2 && fork.conditions[0] == machine_.variable(t, b->condition);
    return !decides ? no_block : way == 0 ? b->then_block : b->else_block;
}

std::vector<State> Explorer::tester_successors(const State& s) {
    std::vector<State> children;
    const std::vector<Offer> offers = machine_.offers(s);
    for (uint32_t i = 0; i < offers.size(); ++i) {
        State child = s;
        --child.k;
        ++child.left;
        const auto of = static_cast<uint32_t>(offers.size());
        machine_.take(child, offers[i], i, of);
        child.signature = extend(s.signature, {offers[i].label, i, of});
        ++found_.statistics.states_forked;
        if (is_cut(child, Asking::on_the_way)) {
            drop(Dropped::cut, child);
            for (const Thread& t : s.threads) ++found_.story.bounded[program_[t.select].terminator.label];
            continue;
        }
        children.push_back(std::move(child));
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
        leave_open(child);
        drop(Dropped::undecided, child);
        child.undecided = machine_.author_label(child);
        if (!in_tail_) ++found_.story.undecided[child.undecided];
    }
    if (child.verified && !answer.is_known) {
        // A cousin's solution may know more variables than this path has yet.
        if (answer.model.size() > child.variables) answer.model.resize(child.variables);
        child.model = std::make_shared<const Assignment>(std::move(answer.model));
    }
    return Admission::yes;
}

// Is the path known to be satisfiable, or shown to be now?
bool Explorer::verify(State& s) {
    if (s.verified) return true;
    Answer answer = solver_->ask({conditions(s), Value::boolean(true), nullptr});
    if (answer.verdict == Verdict::unsat) throw Infeasible{};
    if (answer.verdict == Verdict::unknown) {
        if (answer.beyond != nullptr)
            give_up(s, answer.beyond);
        else
            leave_open(s);
        return false;
    }
    s.verified = true;
    s.model = std::make_shared<const Assignment>(std::move(answer.model));
    return true;
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
    if (range.undecided != nullptr) give_up(s, range.undecided);
    const auto width = [&] { return number::sub(terms_.heap(), *range.greatest, *range.least); };
    if (range.least && (!range.greatest || number::compare(width(), Value::fixnum(1), ">") > 0)) {
        drop(Dropped::delay, s);
        ++found_.statistics.delays_left_out;
        ++found_.story.delays[machine_.author_label(s)];
        leave_open(s);
    }
    return {range.least, range.greatest};
}

void Explorer::moments_left_out(const State& s, Label at) {
    if (in_tail_) return;
    drop(Dropped::moment, s);
    ++found_.story.moments[at];
}

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
    if (dropped_ == nullptr) return;
    if (is_done()) frontier_->each([&](const State& s) { dropped_->note(Dropped::done, s); });
    std::array<std::vector<bool>, dropped_reasons> hidden;
    for (size_t why = 0; why < dropped_reasons; ++why) hidden[why] = dropped_->targets(static_cast<Dropped>(why));
    found_.hidden = std::move(hidden);
    for (const Dropped why : {Dropped::cut, Dropped::done}) {
        const std::vector<Label> more = dropped_->fallible(why);
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
    if (memo_ != nullptr) memo_->each([&](const State& s) { machine_.mark(s, marker, round_); });
}

} // namespace espalier::sym
