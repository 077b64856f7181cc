#include "symexec/solver/interrupter.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>

namespace espalier::sym {

namespace {

constexpr std::chrono::milliseconds between_looks{50};

// Signals are for the thread that works.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

} // namespace

Interrupter::~Interrupter() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

Interrupter::Watch::Watch(Interrupter& by, std::function<void()> interrupt) : by_(by) {
    if (!by.stop_) return;
    const std::lock_guard lock(by.mutex_);
    by.interrupt_ = std::move(interrupt);
    if (by.thread_.joinable()) return;
    const SignalsBlocked blocked; // the new thread inherits it
    by.thread_ = std::thread([&by] { by.watch(); });
}

Interrupter::Watch::~Watch() {
    const std::lock_guard lock(by_.mutex_);
    by_.interrupt_ = nullptr;
}

bool Interrupter::has_stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
}

void Interrupter::watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [this] { return over_; })) {
        if (!interrupt_) continue;
        stopped_ = stopped_ || stop_();
        if (stopped_) interrupt_();
    }
}

} // namespace espalier::sym
