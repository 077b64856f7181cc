#include "testgen/stop_signals.hpp"

#include <unistd.h>

namespace espalier {

namespace {

volatile std::sig_atomic_t stopped_by = 0;

} // namespace

StopSignals::StopSignals() {
    stopped_by = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) {
        if (stopped_by != 0) _exit(128 + signal);
        stopped_by = signal;
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
