// Which threads wait for what, so that what happens finds the threads that it concerns: a message in a channel, one
// from outside, time that passes. So it costs in proportion to what happens, and not to the threads that there are.
#pragma once

#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/values/channel.hpp"
#include "lang/values/number.hpp"
#include "lang/vm/thread.hpp"
#include "lang/vm/thread_set.hpp"

namespace espalier::vm {

class WaitIndex {
public:
    explicit WaitIndex(size_t ports) : ports_(ports) {}

    // A thread is here from when it finds nothing to take until it takes something.
    void add(const Thread& thread);
    void remove(const Thread& thread);
    // An `after` of a thread that is here has fired, and was refused.
    void spend(const Thread& thread, Wait& wait);
    // All that changes a timer comes by here.
    void set(Timer& timer, Timer::State state, Value deadline);
    void stop(Timer& timer) { set(timer, Timer::State::idle, timer.deadline); }

    const ThreadSet& at(PortId port) const { return ports_[index(port)]; }
    const ThreadSet& at(Value channel_or_timer) const;
    const ThreadSet& outside() const { return outside_; } // at a port, a timer or an `after`
    bool is_any_at_port() const { return at_ports_ != 0; }
    std::optional<Value> earliest_deadline() const; // of a timer that runs, or of an `after`
    std::vector<uint32_t> due(Value now) const;     // threads whose time has come

private:
    struct Moment { // an integer of any size, which its timer or its wait keeps alive
        Value time;
        friend bool operator<(Moment a, Moment b) { return number::compare(a.time, b.time, "<") < 0; }
    };
    struct Alarm { // an `after`
        Moment deadline;
        uint32_t thread, clause;
        friend bool operator<(const Alarm& a, const Alarm& b) {
            return std::tie(a.deadline, a.thread, a.clause) < std::tie(b.deadline, b.thread, b.clause);
        }
    };
    static Alarm alarm_of(const Thread& thread, const Wait& wait) {
        return {{wait.deadline}, thread.number, static_cast<uint32_t>(&wait - thread.waits.data())};
    }
    void remove_from(Value source, uint32_t thread);

    std::vector<ThreadSet> ports_;
    size_t at_ports_ = 0;
    ThreadSet outside_;
    std::unordered_map<const Object*, ThreadSet> sources_; // channels and timers
    std::set<std::pair<Moment, Timer*>> timers_;           // that run, and that some thread waits for
    std::set<Alarm> alarms_;
};

} // namespace espalier::vm
