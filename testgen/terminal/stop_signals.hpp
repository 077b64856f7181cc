// Ctrl-C, SIGTERM and every other signal that would end the program during long work: they end the work, not the
// program, so that what was found is still written.
#pragma once

#include <memory>

namespace espalier {

class StopSignals {
public:
    // A signal that is ignored stays so, as nohup wants it; but Ctrl-C and SIGTERM are always heard. One that has a
    // handler keeps it.
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    int received() const; // the signal, or 0
    // A second one, two seconds later, wants the end at once: what was found is still written. A third, again two
    // seconds later, ends the program.
    bool is_impatient() const;

private:
    class Before;
    std::unique_ptr<Before> before_; // how signals were handled
};

} // namespace espalier
