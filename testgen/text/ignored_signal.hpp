// A signal that would end this program, ignored for as long as this lives: what caused it fails instead, and says so.
#pragma once

#include <csignal>

namespace espalier {

class IgnoredSignal {
public:
    explicit IgnoredSignal(int signal) : signal_(signal) {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        sigaction(signal_, &ignore, &before_);
    }
    ~IgnoredSignal() { sigaction(signal_, &before_, nullptr); }
    IgnoredSignal(const IgnoredSignal&) = delete;
    IgnoredSignal& operator=(const IgnoredSignal&) = delete;

private:
    const int signal_;
    struct sigaction before_ {};
};

} // namespace espalier
