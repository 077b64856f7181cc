// How long a command may take and how much memory it may hold. A thread of its own looks at the clock, the memory and
// signals, so that the limits hold in every phase of the work: long work looks at a flag.
//
//   Limits limits(&signals, 5, 300 << 20);
//   CompileOptions compile{.stop = &limits.over()};       // reading, analysing …
//   limits.keep_back({.replays = 0.2, .values = 0.5});    // a search ends so much before: limits.search_over()
//   while (!limits.is_all_over()) replay(limits.begin_replay());   // what was found is still replayed and written
//
// When memory runs out for good, a reserve is given back, and the work ends as if it had come to a limit.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

#include "symexec/symexec.hpp"
#include "testgen/terminal/stop_signals.hpp"

namespace espalier {

class Limits {
public:
    Limits(const StopSignals* signals, double seconds, size_t bytes); // null, 0: none. Only one Limits at a time
    ~Limits();
    Limits(const Limits&) = delete;
    Limits& operator=(const Limits&) = delete;
    void heed(const StopSignals& signals) { signals_ = &signals; } // from now on; they outlive the limits

    double elapsed() const; // seconds
    const std::atomic<bool>& over() const { return over_; }
    // The same while a model is read: then the memory limit is larger, since only a model that is made for it needs
    // much.
    const std::atomic<bool>& reading_over() const { return reading_over_; }
    bool is_over() const { return over_; }

    // What making a suite would take, in seconds, of what a search has found so far.
    struct Work {
        double replays = 0; // and writing what they give: without that, tests are lost
        double values = 0;  // without these, tests have other values than one would choose
    };
    // A search ends so much before the time limit; good values have at most a quarter of the time, and all of it half.
    // What was found so far depends on the time alone, so with a later limit a search never ends sooner.
    void keep_back(Work work);
    double search_end() const; // seconds; infinite where there is no time limit
    const std::atomic<bool>& search_over() const { return search_over_; }
    bool is_search_over() const { return search_over_; }
    // What ended the work, or the first replay: nothing, the time limit, the memory limit or a signal.
    EndedBy reason() const { return reason_; }
    int signal() const { // or 0
        const StopSignals* signals = signals_;
        return signals == nullptr ? 0 : signals->received();
    }

    // After `over`, a tenth of the time and half a second are left to replay what was found, and a quarter of the
    // memory; two seconds after a signal, and nothing after a second one. A replay gets a quarter of what is left of
    // the time, so that one that takes long leaves time for the others.
    const std::atomic<bool>& begin_replay();
    // Where the search has ended late, since it was busy, the time for replays counts from now.
    void begin_suite();
    bool is_all_over() const { return all_over_; }

private:
    void watch();
    void look();
    void end(EndedBy reason);
    void end_search(EndedBy reason);
    void end_replay(EndedBy reason);
    void note(EndedBy reason); // the first one stays
    double last() const;       // when there is no time left for anything
    void make_reserve();
    static void give_back_reserve();

    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<const StopSignals*> signals_;
    const double seconds_;
    const size_t bytes_, bytes_to_read_;
    std::atomic<double> kept_back_ = 0, suite_begun_ = 0; // seconds
    std::atomic<bool> over_ = false, search_over_ = false, reading_over_ = false, replay_over_ = false,
                      all_over_ = false;
    std::atomic<EndedBy> reason_ = EndedBy::nothing;
    std::atomic<char*> reserve_ = nullptr;
    std::mutex mutex_; // of what follows
    std::condition_variable ended_;
    bool is_ended_ = false;
    double signalled_at_, replay_until_;
    size_t bytes_to_replay_ = 0;      // 0: nothing was replayed yet
    bool is_replay_measured_ = false; // that stays so
    std::thread thread_;
};

} // namespace espalier
