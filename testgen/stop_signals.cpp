#include "testgen/stop_signals.hpp"

#include <unistd.h>

#include <ctime>

namespace espalier {

namespace {

volatile std::sig_atomic_t stopped_by = 0;
volatile std::sig_atomic_t is_asked_again = 0;
timespec last_at{};

// Who asks again after a while wants the end at once; signals that come together are one wish, sent to the program and
// to its group.
bool is_later() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - last_at.tv_sec >= 2;
}

} // namespace

StopSignals::StopSignals() {
    stopped_by = 0;
    is_asked_again = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) {
        if (stopped_by == 0) {
            clock_gettime(CLOCK_MONOTONIC, &last_at);
            stopped_by = signal;
        } else if (is_later()) {
            if (is_asked_again != 0) _exit(128 + signal);
            clock_gettime(CLOCK_MONOTONIC, &last_at);
            is_asked_again = 1;
        }
    };
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
}

StopSignals::~StopSignals() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
}

int StopSignals::received() const { return stopped_by; }
bool StopSignals::is_impatient() const { return is_asked_again != 0; }

} // namespace espalier
