// Ctrl-C and SIGTERM during long work: they end the work, not the program, so that what was found is still written.
#pragma once

#include <csignal>

namespace espalier {

class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    int received() const; // the signal, or 0
    // A second one, two seconds later, wants the end at once: what was found is still written. A third, again two
    // seconds later, ends the program.
    bool is_impatient() const;

private:
    struct sigaction interrupt_ {
    }, terminate_{};
};

} // namespace espalier
