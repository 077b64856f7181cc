// Work that knows no limits of its own is interrupted when the end is wanted. A question can keep Z3 busy for many
// seconds within its resources, and the search cannot ask meanwhile. So another thread asks.
//
//   Interrupter interrupter(stop);
//   const Interrupter::Watch watch(interrupter, [&] { context.interrupt(); });
//   …                                       // `interrupt` is called from the other thread, perhaps repeatedly
//
// `stop` is asked by one thread at a time: by the other one only while a watch is there, and the
// working thread does not ask meanwhile. The thread is started by the first watch.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace espalier::sym {

class Interrupter {
public:
    explicit Interrupter(std::function<bool()> stop) : stop_(std::move(stop)) {} // an empty one never stops anything
    ~Interrupter();
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;

    class Watch {
    public:
        Watch(Interrupter& by, std::function<void()> interrupt);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        Interrupter& by_;
    };

    bool has_stopped(); // did a watch meet the wish to stop?

private:
    void watch();

    std::function<bool()> stop_;
    std::mutex mutex_; // of all that follows
    std::condition_variable ended_;
    std::function<void()> interrupt_; // while there is a watch
    bool stopped_ = false;
    bool over_ = false;
    std::thread thread_;
};

} // namespace espalier::sym
