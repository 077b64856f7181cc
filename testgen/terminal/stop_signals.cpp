#include "testgen/terminal/stop_signals.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <utility>
#include <vector>

namespace espalier {

namespace {

volatile std::sig_atomic_t stopped_by = 0;
volatile std::sig_atomic_t is_asked_again = 0;
timespec last_at{};

// Signals of mistakes in this program. Other programs can send them too.
constexpr std::array faults{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
// Signals that the kernel sends over and over: a second one is no second request.
constexpr std::array repeated{SIGXCPU, SIGXFSZ, SIGPIPE};

// What cannot be caught, stops a program, or lets it go on.
constexpr std::array no_end{SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH};

template <typename Signals>
bool is_among(const Signals& signals, int signal) {
    return std::find(signals.begin(), signals.end(), signal) != signals.end();
}

std::vector<int> all_that_end() {
    std::vector<int> all;
    for (int signal = 1; signal <= SIGRTMAX; ++signal)
        if (!is_among(no_end, signal)) all.push_back(signal);
    return all;
}

// A request that is repeated after a while wants the end at once. Signals that come together are one request, sent to
// the program and to its group.
bool is_later() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - last_at.tv_sec >= 2;
}

void on_signal(int signal, siginfo_t* info, void*) {
    const bool sent = info->si_code <= 0 && info->si_pid != getpid();
    if (is_among(faults, signal) && !sent) { // it comes again when the handler is gone, and ends the program
        std::signal(signal, SIG_DFL);
        if (info->si_code <= 0) raise(signal);
        return;
    }
    if (stopped_by == 0) {
        clock_gettime(CLOCK_MONOTONIC, &last_at);
        stopped_by = signal;
    } else if (!is_among(repeated, signal) && is_later()) {
        if (is_asked_again != 0) _exit(128 + signal);
        clock_gettime(CLOCK_MONOTONIC, &last_at);
        is_asked_again = 1;
    }
}

// A limit on processor time (`ulimit -t`) kills where it warns, unless the warning comes a little earlier: so that
// there is time to write what was found.
class EarlierWarning {
public:
    EarlierWarning() {
        if (getrlimit(RLIMIT_CPU, &before_) != 0 || before_.rlim_max == RLIM_INFINITY) return;
        const rlim_t reserve = std::clamp<rlim_t>(before_.rlim_max / 10, 1, 10);
        if (before_.rlim_max <= reserve || before_.rlim_cur <= before_.rlim_max - reserve) return;
        rlimit earlier = before_;
        earlier.rlim_cur = before_.rlim_max - reserve;
        changed_ = setrlimit(RLIMIT_CPU, &earlier) == 0;
    }
    EarlierWarning(const EarlierWarning&) = delete;
    EarlierWarning& operator=(const EarlierWarning&) = delete;
    ~EarlierWarning() {
        if (changed_) setrlimit(RLIMIT_CPU, &before_);
    }

private:
    rlimit before_{};
    bool changed_ = false;
};

} // namespace

class StopSignals::Before {
public:
    Before() {
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        action.sa_flags = SA_SIGINFO;
        for (const int signal : all_that_end()) {
            struct sigaction before {};
            if (sigaction(signal, nullptr, &before) != 0) continue;
            const bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
            if (!is_default && signal != SIGINT && signal != SIGTERM) continue;
            if (sigaction(signal, &action, nullptr) == 0) before_.emplace_back(signal, before);
        }
    }
    Before(const Before&) = delete;
    Before& operator=(const Before&) = delete;
    ~Before() {
        for (const auto& [signal, action] : before_) sigaction(signal, &action, nullptr);
    }

private:
    std::vector<std::pair<int, struct sigaction>> before_;
    EarlierWarning warning_;
};

StopSignals::StopSignals() {
    stopped_by = 0;
    is_asked_again = 0;
    before_ = std::make_unique<Before>();
}

StopSignals::~StopSignals() = default;

int StopSignals::received() const { return stopped_by; }
bool StopSignals::is_impatient() const { return is_asked_again != 0; }

} // namespace espalier
