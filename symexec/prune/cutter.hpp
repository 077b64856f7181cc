// Cutting (Lahola 2010, section 4.2): can a state still come to an uncovered target within its bound? The analysis
// knows a lower bound on the stable states on the way; where that is too many, the state need not be followed.
//
// A thread's tracking point, a node of the automaton and a stack of call nodes, is read off its frames: each frame
// keeps the call that waits for it as a frame of the oracle, made when first asked for, and shared as the frames are.
// So a question costs the same however deep the stack is.
//
// A state's distance is the least of its threads'. That of a waiting thread is the least over its clauses: what the
// clause costs now, and the rest from its test on. A port or timer costs the stable state that must be left first,
// unless it has just been left, and in a stable state a timer costs two where another is due earlier: time passes to
// the earliest, and what would stop that one needs a stable state of its own. An empty channel costs what any other
// thread needs to come to a send to it. The stable states before the send and after the receive are different ones, so
// the sum is still a lower bound.
//
// Most questions are asked when no stable state is left, and most threads wait. They are answered from the
// threads that can act before the next stable state: the running thread, threads that are sent something, and threads
// to which those send something (cutter_now.cpp). What such a thread can do depends only on where it waits, and is
// remembered for each such place.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "pda/pda.hpp"
#include "symexec/prune/moment.hpp"
#include "symexec/prune/stack_numbers.hpp"
#include "symexec/prune/stopwatch.hpp"
#include "symexec/state/code.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

struct CutterOptions {
    bool asks = true;                // false: only places are found, and there is no oracle
    bool target_info = true;         // false: all that were wanted stay targets
    bool bound_info = true;          // false: every question is whether a target can be reached at all
    size_t places = size_t{1} << 18; // of waits, or stacks, that are remembered; then each wait is one of its own
    friend bool operator==(const CutterOptions&, const CutterOptions&) = default;
};

class Cutter {
public:
    Cutter(const Program& program, const Code& code, const Flow& flow, pda::OracleKind kind, uint32_t depth,
           const std::vector<bool>& wanted, std::span<const Label> errors, const CutterOptions& options,
           StackNumbers& stacks);

    void cover(TargetId target);
    void find_error(Label at); // one of those that were looked for was found
    // Is a target at most so many stable states away?
    bool may_reach(const State& state, uint32_t limit, Moment moment);
    // Only finds the places that may_reach() would ask about.
    void track(const State& state);
    // Adds all that may lie ahead of the state, at any distance.
    void reach_from(const State& state, pda::ReachableSet& set);
    // How many are at least to be left on the way to the nearest target; pda::unreachable where that is more than the
    // depth.
    pda::Distance distance(const State& state);

    // So far: everything, which is finding places, making oracles, asking them, and telling them of covered targets;
    // and of that, finding places.
    double oracle_seconds() const { return seconds(oracle_time_); }
    double tracking_seconds() const { return seconds(tracking_time_); }
    uint64_t clauses_measured() const { return clauses_measured_; } // how often a clause was asked about, so far

private:
    struct Point {
        pda::NodeId node;
        const pda::PendingCall* stack;
    };
    // What is asked of every thread.
    struct Question {
        pda::Oracle& oracle;
        bool exact;                       // how far is it? Else 0 stands for any distance within the limit
        bool stable = false;              // the state is a stable one, and has not been left
        std::optional<Value> next_time{}; // then, where timers run: when the earliest is due
        std::optional<Point> running{};   // where the running thread is, where it may come from there to a target
        // Of a question about sends to a channel, its number: then what waits for a message may have it at once.
        std::optional<uint32_t> sends{};
    };
    struct Sends {
        std::unique_ptr<pda::Oracle> oracle; // where one was asked for
        uint32_t number = 0;                 // of those that were
    };
    static double seconds(Nanoseconds time) { return static_cast<double>(std::max(time, Nanoseconds{0})) / 1e9; }
    const pda::Graph& graph() const { return uncharged_ ? *uncharged_ : flow_.graph(); }
    void cover(pda::TargetId target);
    void find_points(const State& state);
    void track_timed(const State& state, Stopwatch& stopwatch);
    static pda::Distance ask(const Question& question, pda::NodeId node, const pda::PendingCall* stack,
                             pda::Distance limit);
    VariantId variant(const Frame& frame);
    const pda::PendingCall* stack_of(Frame* frame);
    std::optional<Point> running_point(const Thread& thread, BlockId next);
    pda::Distance of_state(Question& question, const State& state, pda::Distance limit);
    pda::Distance of_thread(const Question& question, const State& state, uint32_t thread, pda::Distance limit);
    pda::Distance of_waiting(const Question& question, const State& state, uint32_t thread, pda::Distance limit);
    WaitKnowledge& knowledge(const State& state, const Thread& thread) {
        WaitKnowledge* known = thread.waits.known_to(this);
        return known != nullptr ? *known : find_place(state, thread);
    }
    WaitKnowledge& find_place(const State& state, const Thread& thread);
    const SourceDistances& distances_from(const Question& question, const Thread& thread, WaitKnowledge& known,
                                          pda::Distance limit);
    void measure(const Question& question, const Thread& thread, WaitKnowledge& known, SourceDistances& distances);
    pda::Distance of_waiting_by_asking(const Question& question, const State& state, uint32_t thread,
                                       pda::Distance limit);
    uint32_t cost_from_outside(const Question& question, const State& state, uint32_t thread, const Wait& wait) const;
    std::optional<uint32_t> cost_of_send(const Question& question, const State& state, uint32_t receiver, Value channel,
                                         uint32_t limit);
    // How far a send to a channel is, of the thread that is nearest to one, and of the next nearest. They are the same
    // for all that wait for it, but for the nearest itself.
    struct SendCost {
        uint64_t question = 0; // that it belongs to
        uint32_t nearest = 0;  // index of the thread
        pda::Distance least = 0, next = 0;
    };
    const SendCost& send_cost(const Question& how_far, const State& state);
    Sends& sends_to(Label channel);
    // cutter_now.cpp
    bool reaches_now(const State& state, bool another_way);
    bool do_others_reach(const State& state, uint64_t sent);
    static bool may_others_act(const State& state);
    bool may_others_reach(const State& state);
    bool wakes(const State& state, uint32_t thread, uint64_t& sent);
    bool wakes_by_sources(const State& state, uint32_t thread, uint64_t& sent);
    bool reaches_now(const Thread& thread, WaitKnowledge& known, uint32_t source);
    // What is remembered of targets may be from a time when there were more: good enough, where it says that they are
    // far.
    WaitKnowledge& known_now(const State& state, const Thread& thread) {
        WaitKnowledge& known = knowledge(state, thread);
        const bool is_far = (known.takes_to_target | known.ports_to_target) == 0 && !known.timer_to_target;
        if (known.covered_now != covered_ && (!is_far || known.covered_now == WaitKnowledge::not_yet)) [[unlikely]]
            find_out(state, thread, known);
        return known;
    }
    void find_out(const State& state, const Thread& thread, WaitKnowledge& known);
    void find_sources(const State& state, const Thread& thread, WaitKnowledge& known);
    void find_targets(const Thread& thread, WaitKnowledge& known);
    pda::NearSets& near();

    struct Answer {
        uint64_t sent; // to channels, by the running thread
        bool reach;
    };
    struct KnownVariant {
        LambdaId lambda{UINT32_MAX};
        Label site{};
        VariantId variant{};
    };
    // What most questions look at comes first, in few lines of the cache.
    alignas(64) const Flow& flow_;
    std::unique_ptr<pda::Oracle> oracle_; // unless only places are found
    uint32_t furthest_;                   // that a question may ask about
    CutterOptions options_;
    pda::OracleKind kind_;
    bool is_exact_; // a wait's masks tell which clauses come to a target: distances are measured, and each port has its
                    // bit
    bool unusual_ = true; // the question that is being asked, or the next one: it may make a table, and is timed itself
    bool spoilt_ = false; // the question that is being asked stands for no other: it has made an oracle
    uint32_t covered_ = 0;
    Stopwatch questions_;
    std::optional<Answer> last_others_; // of the last question: whether threads but the running one reach a target now
    // Index of the thread by which a question was last answered with yes, by that of the running one.
    std::array<uint32_t, 8> nearest_{};
    std::optional<pda::NearSets> near_;  // once asked for: which channels are sent to, by
    std::vector<uint64_t> channel_bits_; // by the label of the channel's making

    const Program& program_;
    const Code& code_;
    struct Spot {
        BlockId block;
        uint32_t before; // operations of it that have a node; all where it is at its end
    };
    std::vector<Spot> spots_; // by instruction
    std::vector<Frame*> untracked_;
    std::array<KnownVariant, 256> known_variants_; // what was looked up last, by a hash of the two
    std::optional<pda::Graph> uncharged_;          // without bound_info
    std::vector<Sends> sends_;                     // by the label of the channel's making
    uint32_t channels_asked_about_ = 0;
    std::vector<SendCost> send_costs_; // by the number of the channel
    uint64_t state_questions_ = 0;     // so far
    uint64_t clauses_measured_ = 0;
    StackNumbers& stacks_;
    std::unordered_multimap<uint64_t, WaitKnowledge> places_known_; // by a hash of the place
    std::vector<uint32_t> place_;                                   // that is being looked up
    Stopwatch distances_, places_;
    Nanoseconds tracking_time_ = 0, oracle_time_ = 0;
};

} // namespace espalier::sym
