// Ctrl-C, SIGTERM and every other signal that would end the program during long work: they end the work, not the
// program, so that what was found is still written.
#pragma once

#include <memory>

namespace espalier {

class StopSignals {
public:
    // A signal that is ignored stays ignored, as nohup wants it, except Ctrl-C and SIGTERM. A signal that has a handler
    // keeps it.
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    int received() const; // the signal, or 0
    // Has a second signal come, at least two seconds after the first? Then the end is wanted at once: what was found is
    // still written. A third signal, again two seconds later, ends the program.
    bool is_impatient() const;

private:
    class Before;
    std::unique_ptr<Before> before_; // how signals were handled
};

} // namespace espalier
