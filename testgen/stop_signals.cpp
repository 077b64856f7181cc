#include "testgen/stop_signals.hpp"

#include <unistd.h>

#include <ctime>

namespace espalier {

namespace {

volatile std::sig_atomic_t stopped_by = 0;
timespec first_at{};

// Who asks again after a while wants the end at once; signals that come together are one wish, sent to the program and
// to its group.
bool is_later() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - first_at.tv_sec >= 2;
}

} // namespace

StopSignals::StopSignals() {
    stopped_by = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) {
        if (stopped_by == 0) {
            clock_gettime(CLOCK_MONOTONIC, &first_at);
            stopped_by = signal;
        } else if (is_later()) {
            _exit(128 + signal);
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

} // namespace espalier
