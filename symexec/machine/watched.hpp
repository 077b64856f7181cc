// The machine's observer is another one for as long as this lives.
#pragma once

#include "symexec/machine/machine.hpp"

namespace espalier::sym {

class Watched {
public:
    Watched(Machine& machine, Observer& observer) : machine_(machine), before_(machine.watch(observer)) {}
    ~Watched() { machine_.watch(before_); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    Machine& machine_;
    Observer& before_;
};

} // namespace espalier::sym
