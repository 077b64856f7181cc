#include "symexec/search/explorer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "symexec/prune/visited.hpp"

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

std::vector<Label> errors_to_find(const ExploreOptions& options) {
    std::vector<Label> errors;
    if (options.sure_errors && options.flow != nullptr)
        for (const Flow::Failing& f : options.flow->failing()) errors.push_back(f.label);
    return errors;
}

// What a question to Z3 takes, one that it gives up, and a state that is made at a fork or asked for, in VM steps.
constexpr uint64_t steps_of_question = 2000;
constexpr uint64_t steps_of_unknown = 2'000'000;
constexpr uint64_t steps_of_state = 8;

MachineLimits machine_limits(const ExploreOptions& options) {
    return {options.schedules, options.step_limit, options.quiet_step_limit, options.interrupt,
            options.trace ? options.flow : nullptr};
}

// The cheapest first. The oracle is given back, for its counts; null where nothing is cut.
const Cutting* add_cutting(Pruners& pruners, const Oracles& oracles, const Coverage& coverage,
                           const ExploreOptions& options) {
    if (oracles.cutter() == nullptr) return nullptr;
    auto cutting = std::make_unique<Cutting>(oracles.cutter(), coverage, options.cut_parts, options.target_info);
    const Cutting* all = cutting.get();
    pruners.add(std::move(cutting));
    return all;
}

Memo::Order memo_order(Search search) {
    switch (search) {
    case Search::bfs: return Memo::Order::breadth_first;
    case Search::distance: return Memo::Order::nearest_first;
    case Search::dfs:
    case Search::random:
    case Search::mixed: break;
    }
    return Memo::Order::other;
}

} // namespace

Explorer::Explorer(const Program& program, const ExploreOptions& options, const Trials& trials)
    : program_(program), options_(options), trials_(trials), machine_(program, terms_, *this, machine_limits(options)),
      coverage_(program.targets.size(), options.all_targets, options.targets, errors_to_find(options), options.had),
      ledger_(program, found_.story, found_.unsupported),
      paths_(make_chain(options.chain, terms_, options.solver_resources, found_.statistics, options.stop), terms_,
             machine_, ledger_),
      oracles_(program, machine_.code(), options, trials, coverage_), pruners_(ledger_),
      cutting_(add_cutting(pruners_, oracles_, coverage_, options)),
      frontier_(make_frontier(options.search, options.seed, view())),
      brancher_(program, machine_, paths_, ledger_, pruners_, oracles_, cutting_, found_.statistics),
      findings_(options, machine_, brancher_, paths_, ledger_, pruners_, coverage_, found_),
      pack_at_(options.memory_limit == 0 ? trials.state_bytes : options.memory_limit / 2) {
    found_.heap = std::make_unique<Heap>(); // never collected: it only holds results
    if (oracles_.places() != nullptr) ledger_.look_ahead(*oracles_.configurations(), *oracles_.places());
    oracles_.listen(coverage_);
    coverage_.tell(*this);
    if (options.interpolants) add_learning(options);
    if (options.memo) add_memory(options);
}

SearchView Explorer::view() {
    SearchView view;
    view.steps = [this] { return effort_spent(); };
    if (!oracles_.is_guided()) return view;
    view.distance = [this](const State& s) { return oracles_.distance(s); };
    return view;
}

// Learning asks the oracle as cutting does, but what it asks is not counted as a question of the search.
void Explorer::add_learning(const ExploreOptions& options) {
    const bool cuts = cutting_ != nullptr && options.cut_parts == CutParts::all && options.target_info;
    const auto oracle = [&] { return Cutting(oracles_.cutter(), coverage_, CutParts::all, true); };
    if (cuts) learning_oracle_.emplace(oracle());
    const bool has_bound = options.depth < no_bound;
    const size_t most = options.memory_limit == 0 ? trials_.interpolant_bytes : options.memory_limit / 8;
    interpolants_.emplace(terms_, paths_.solver(), has_bound, most);
    const auto learning = [&](const Interpolation::How& how) {
        return std::make_unique<Interpolation>(Retracer::Parts{program_, machine_, terms_, paths_.solver(), coverage_,
                                                               learning_oracle_ ? &*learning_oracle_ : nullptr},
                                               *interpolants_, *this, how, [this] { return effort_spent(); });
    };
    auto all = learning({has_bound, trials_.follow_subsumed, frontier_->takes_stable_states()});
    interpolation_ = all.get();
    // Depth first, subtrees are finished one after the other without it.
    if (options.confirm && options.search != Search::dfs) {
        confirmation_ = std::make_unique<Confirmation>(
            Confirmation::Parts{program_, machine_, paths_, oracles_, ledger_},
            cuts ? std::make_unique<Cutting>(oracle()) : nullptr, learning({.has_bound = has_bound, .all = true}));
        all->confirm_with(*confirmation_);
    }
    if (options.trace) all->tell([this](const State& s, const std::string& why) { note_subsumed(s, why); });
    pruners_.add(std::move(all));
}

// For explanations a few reasons of each place are enough.
void Explorer::note_subsumed(const State& s, const std::string& why) {
    constexpr size_t most = 3;
    const bool is_stable = s.running == UINT32_MAX && !s.threads.empty();
    const Label at = is_stable ? program_[s.threads[0].select].terminator.label : machine_.author_label(s);
    auto& reasons = found_.story.subsumed[at];
    if (reasons.size() < most || reasons.count(why) > 0) ++reasons[why];
}

// Of stable states. Without a bound, counters do not matter.
void Explorer::add_memory(const ExploreOptions& options) {
    if (options.depth < no_bound) {
        pruners_.add(
            std::make_unique<Memo>(program_, machine_.code(), terms_, paths_.solver(), memo_order(options.search)));
        return;
    }
    const auto when = frontier_->takes_stable_states() ? Visited::Exploring::later : Visited::Exploring::at_once;
    const size_t most = options.memory_limit == 0 ? trials_.portrait_bytes : options.memory_limit / 4;
    pruners_.add(std::make_unique<Visited>(program_, machine_.code(), terms_, paths_.solver(), when, most));
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

void Explorer::guarded(const std::function<void()>& act) {
    try {
        return act();
    } catch (const std::bad_alloc&) {
        if (found_.complete) end_by(EndedBy::memory_limit);
    } catch (const std::exception& e) {
        end_by_bug(e.what());
    }
    running_ = nullptr;
    findings_.abandon_tail();
}

void Explorer::end_by(EndedBy why) {
    found_.complete = false;
    found_.ended_by = why;
}

void Explorer::end_by_bug(const char* what) {
    end_by(EndedBy::internal_error);
    if (!found_.internal_error) found_.internal_error = what; // the first one may have brought about the others
}

// ── The search ──

void Explorer::search() {
    std::vector<Successor> first;
    first.push_back({machine_.initial()});
    first.back().state.k = options_.depth;
    frontier_->add(std::move(first));
    bool is_explored_already = false;
    while (frontier_->size() > 0 && !coverage_.is_done() && !limits_hit()) {
        if (!is_explored_already && is_explored()) {
            if (!trials_.follow_postponed) {
                frontier_->each([&](const State& s) { return ledger_.drop(s, Dropped::alike); });
                found_.statistics.paths += frontier_->size();
                break;
            }
            is_explored_already = true; // from now on there is only what comes of these
        }
        Successor next = frontier_->take();
        if (is_explored_already) pruners_.doubt(next.state);
        follow(std::move(next));
        found_.statistics.peak_waiting = std::max(found_.statistics.peak_waiting, frontier_->size());
    }
}

// Are there only postponed states, none of which must be explored (memo.hpp)?
bool Explorer::is_explored() const {
    if (!frontier_->has_only_postponed()) return false;
    bool must_go_on = false;
    frontier_->each([&](const State& s) { must_go_on = must_go_on || pruners_.must_be_explored(s); });
    return !must_go_on;
}

void Explorer::follow(Successor next) {
    State& s = next.state;
    running_ = &s;
    if (is_packed(s)) unpack(next);
    Fate fate = next.is_stable ? leave_stable(s, Moment::taken) : advance(s);
    running_ = nullptr;
    if (brancher_.was_stopped() && found_.complete) end_by(EndedBy::stopped);
    if (auto* waiting = std::get_if<Waiting>(&fate); waiting != nullptr && waiting->is_postponed)
        frontier_->postpone(std::move(waiting->states[0].state));
    else if (waiting != nullptr)
        frontier_->add(std::move(waiting->states));
}

Explorer::Fate Explorer::advance(State& s) {
    s.next = no_block;
    const Outcome outcome = run_to_end(s);
    oracles_.configure(s);
    if (outcome == Outcome::fork) return divide(s, Fork(machine_.fork()));
    if (outcome == Outcome::stopped) { // no path has ended: this one waits with the others that are given up
        limits_hit();
        return alone(std::move(s));
    }
    Fate fate = end_of(s, outcome);
    if (std::holds_alternative<Waiting>(fate)) return fate;
    for (const HeldMark& m : s.held)
        if (wants(m.target)) ++found_.story.marks[m.target].unaccepted;
    ++found_.statistics.paths;
    return fate;
}

Explorer::Fate Explorer::divide(State& s, const Fork& fork) {
    if (const Pruners::Opinion opinion = pruners_.ask(s, Moment::forked); opinion.advice == Advice::drop) {
        ++found_.statistics.paths;
        return ledger_.drop(s, opinion.reason);
    }
    return Waiting{brancher_.of_fork(s, fork, [this] { return is_stopped(); })};
}

Explorer::Fate Explorer::end_of(State& s, Outcome outcome) {
    switch (outcome) {
    case Outcome::stable: return go_on_from_stable(s);
    case Outcome::finished: return ledger_.drop(s, Dropped::finished);
    case Outcome::infeasible: return ledger_.drop(s, Dropped::refuted);
    case Outcome::assume_failed: return ledger_.drop(s, Dropped::assumption, machine_.author_label(s));
    case Outcome::model_error: {
        const Gone gone = ledger_.drop(s, Dropped::error, machine_.error().label);
        findings_.report(s, FoundError{machine_.error(), {}, {}});
        return gone;
    }
    case Outcome::unsupported: return ledger_.drop_unsupported(s, machine_.author_label(s), machine_.reason());
    case Outcome::out_of_steps: return ledger_.drop(s, Dropped::steps, machine_.author_label(s));
    case Outcome::fork:
    case Outcome::arrived:
    case Outcome::stopped: break;
    }
    throw std::logic_error("an outcome that is no end");
}

// Runs the state as far as the machine comes without the search. Targets are looked at when the machine has returned,
// and it goes on from there.
Outcome Explorer::run_to_end(State& s) {
    Outcome outcome = machine_.run(s);
    while (outcome == Outcome::arrived) {
        const Arrival arrival = machine_.take_arrival();
        if (!findings_.arrive(s, arrival)) return Outcome::infeasible;
        outcome = machine_.go_on(s, arrival);
    }
    return outcome;
}

Explorer::Fate Explorer::go_on_from_stable(State& s) {
    if (s.k == 1) return ledger_.drop_at_wait(s, Dropped::bound);
    return leave_stable(s, Moment::stable);
}

// At once, or when its turn comes.
Explorer::Fate Explorer::leave_stable(State& s, Moment moment) {
    const Pruners::Opinion opinion = pruners_.ask(s, moment);
    switch (opinion.advice) {
    case Advice::follow:
        if (moment == Moment::stable && frontier_->takes_stable_states()) return alone(std::move(s), true);
        ++found_.statistics.stable_states;
        return Waiting{brancher_.of_stable(s)};
    case Advice::drop:
        if (moment == Moment::taken) ++found_.statistics.paths;
        return opinion.reason == Dropped::cut ? ledger_.drop_at_wait(s, opinion.reason)
                                              : ledger_.drop(s, opinion.reason);
    case Advice::postpone: break;
    }
    Waiting later = alone(std::move(s));
    later.is_postponed = true;
    return later;
}

Explorer::Waiting Explorer::alone(State&& s, bool is_stable) {
    Waiting one;
    one.states.push_back({std::move(s), false, is_stable});
    return one;
}

bool Explorer::assume(State& s, Value condition) {
    const Admission admission = paths_.admit(s, condition);
    if (admission.kind == Admission::Kind::beyond) throw Unsupported(admission.beyond); // the machine ends the path
    return admission.is_yes();
}

// ── Limits ──

bool Explorer::limits_hit() {
    const auto is_used_up = [](uint64_t spent, uint64_t limit) { return limit != 0 && spent >= limit; };
    if (found_.complete && is_used_up(machine_.steps(), options_.step_limit)) end_by(EndedBy::step_limit);
    if (found_.complete && is_used_up(effort_spent(), options_.effort)) end_by(EndedBy::effort);
    // Each time: a single question can keep the solver for a second.
    if (found_.complete && is_stopped()) end_by(EndedBy::stopped);
    if (++taken_ % 64 == 0) should_stop();
    return !found_.complete;
}

uint64_t Explorer::effort_spent() const {
    return machine_.steps() + found_.statistics.z3_queries * steps_of_question +
           found_.statistics.sat_unknown * steps_of_unknown + found_.statistics.states_forked * steps_of_state +
           paths_.steps_worth() + pruners_.steps_worth();
}

// Between states, and within one that runs for long.
bool Explorer::should_stop() {
    const size_t own = own_bytes();
    found_.statistics.peak_memory_bytes = std::max(found_.statistics.peak_memory_bytes, own);
    pack_waiting(own);
    if (!found_.complete) return true;
    if (options_.memory_limit != 0 && std::max(own, resident_bytes()) > options_.memory_limit)
        end_by(EndedBy::memory_limit);
    if (options_.progress) tell_progress();
    if (found_.complete && is_stopped()) end_by(EndedBy::stopped);
    return !found_.complete;
}

size_t Explorer::own_bytes() {
    return machine_.heap().live_bytes() + Store::nodes_alive() * Store::node_bytes + FramePool::of_thread().bytes() +
           pruners_.bytes() + frontier_->bytes();
}

void Explorer::tell_progress() {
    const bool is_asked = cutting_ != nullptr && cutting_->questions() > 0;
    const double cut =
        !is_asked ? 0 : 100.0 * static_cast<double>(cutting_->cuts()) / static_cast<double>(cutting_->questions());
    options_.progress({coverage_.covered_count(), frontier_->size(), machine_.steps(), found_.statistics.paths,
                       found_.statistics.sat_queries, cut});
}

// ── What is told ──

void Explorer::target_covered(TargetId target) {
    frontier_->target_covered();
    if (options_.covered) options_.covered(target, machine_.steps());
}

void Explorer::error_found(Label) { frontier_->target_covered(); }

// What may have been missed, as far as the automaton tells.
void Explorer::tell_dropped() {
    const Dropped why = coverage_.is_done() ? Dropped::done : Dropped::limit;
    if (coverage_.is_done() || !found_.complete) frontier_->each([&](const State& s) { drop_waiting(s, why); });
    if (!found_.complete && oracles_.is_guided()) measure_nearest();
    ledger_.close();
    for (const Dropped each : {Dropped::cut, Dropped::subsumed, Dropped::done}) {
        const std::vector<Label> more = ledger_.fallible(each);
        found_.untried.insert(found_.untried.end(), more.begin(), more.end());
    }
    std::sort(found_.untried.begin(), found_.untried.end());
    found_.untried.erase(std::unique(found_.untried.begin(), found_.untried.end()), found_.untried.end());
}

// Some thousand states tell enough, and take no time.
void Explorer::measure_nearest() {
    constexpr size_t most = 10'000;
    size_t looked_at = 0;
    frontier_->each([&](const State& s) {
        if (looked_at++ >= most || is_packed(s)) return;
        const uint32_t distance = oracles_.distance(s);
        if (distance != pda::unreachable && distance < found_.nearest.value_or(UINT32_MAX)) found_.nearest = distance;
    });
}

// What lies ahead of a packed state is not looked up where the entry does not say it anyway.
void Explorer::drop_waiting(const State& s, Dropped why) {
    if (!is_packed(s) || why == Dropped::limit) return void(ledger_.drop(s, why));
    Successor again{s}; // from its last choice on: no less than what lies ahead
    unpack(again);
    static_cast<void>(ledger_.drop(again.state, why));
}

void Explorer::tell_statistics() {
    Statistics& statistics = found_.statistics;
    statistics.vm_steps = machine_.steps();
    statistics.effort = effort_spent();
    found_.concurrent = machine_.concurrent();
    for (uint32_t b = 0; b < program_.blocks.size(); ++b)
        found_.story.entered.push_back(machine_.has_entered(BlockId{b}));
    found_.story.traces = machine_.take_traces();
    statistics.folded = terms_.folded();
    statistics.wait_looks = machine_.source_looks();
    const Story& story = found_.story;
    statistics.ended_by_bound = story.count(Dropped::bound);
    statistics.ended_by_steps = story.count(Dropped::steps);
    statistics.infeasible = story.count(Dropped::refuted);
    statistics.assume_failed = story.count(Dropped::assumption);
    statistics.finished = story.count(Dropped::finished);
    statistics.memo_hits = story.count(Dropped::alike);
    statistics.delays_left_out = story.count(Dropped::delay);
    if (interpolation_ != nullptr) {
        const Interpolation::Counts& counts = interpolation_->counts();
        statistics.interpolants_full = counts.full;
        statistics.interpolants_half = counts.half;
        statistics.subsumed = counts.subsumed;
        statistics.subsumption_questions = counts.asked;
        statistics.confirmations = counts.confirmations;
        statistics.confirmations_failed = counts.confirmations_failed;
        statistics.interpolation_seconds = counts.seconds;
        statistics.interpolant_bytes = counts.bytes;
    }
    if (cutting_ != nullptr) {
        statistics.sp_queries = cutting_->questions();
        statistics.cuts = cutting_->cuts();
    }
    oracles_.tell(statistics);
}

void Explorer::choose_values() {
    std::vector<bool> needed(found_.tests.size(), true);
    guarded([&] {
        if (options_.needed) needed = options_.needed(found_);
    });
    findings_.keep_needed(needed, [this](const std::function<void()>& act) { guarded(act); });
}

// ── Memory ──

// A half of what the search may take is for states; what waits gives its memory back when they take more.
void Explorer::pack_waiting(size_t bytes) {
    if (bytes <= pack_at_ || is_packed_) return;
    frontier_->pack();
    is_packed_ = true; // what that gave back is known after the next collection
}

void Explorer::unpack(Successor& packed) {
    ++found_.statistics.unpacked;
    sym::unpack(packed.state, machine_, terms_, packed.is_stable ? StandsAt::rest : StandsAt::last_choice,
                [&](const State& followed) {
                    followed_ = &followed;
                    collect();
                    followed_ = nullptr;
                });
}

// What was given up is not needed any more; its memory may be, to replay what was found.
void Explorer::forget_waiting() {
    frontier_ = make_frontier(Search::dfs, 0, {});
    pruners_.forget();
    collect();
}

void Explorer::collect() {
    machine_.heap().collect(*this);
    if (!std::exchange(is_packed_, false)) return;
    // Where packing gave little back, it is not tried again at once.
    pack_at_ = std::max(pack_at_, own_bytes() + own_bytes() / 4);
}

void Explorer::mark_roots(Marker& marker) {
    ++round_;
    FramePool::of_thread().clear_free();
    const auto mark = [&](const State& s) { Machine::mark(s, marker, round_); };
    if (running_ != nullptr) mark(*running_);
    if (followed_ != nullptr) mark(*followed_);
    findings_.each(mark);
    frontier_->each(mark);
    pruners_.each(mark);
}

} // namespace espalier::sym
