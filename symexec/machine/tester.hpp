// The tester: what it can do at a stable state, and what comes of it.
#pragma once

#include <vector>

#include "symexec/machine/clocks.hpp"

namespace espalier::sym {

// One thing that the tester may do at a stable state.
struct Offer {
    enum class Kind : uint8_t { message, bare, time, half_time } kind = Kind::message;
    PortId port{};
    MessageId message{};
    TypeId type{};
    Label label = no_label;
    friend bool operator==(const Offer& a, const Offer& b) {
        return a.kind == b.kind && a.port == b.port && a.message == b.message && a.type == b.type;
    }
};

class Tester {
public:
    Tester(Context& context, Inputs& inputs)
        : context_(context), program_(context.program), heap_(context.heap), inputs_(inputs) {}
    // In the order of threads and of their clauses; a port's messages in the port's order.
    std::vector<Offer> offers(const State& s) const;
    void take(State& s, const Offer& offer, uint32_t choice, uint32_t of);

private:
    bool may_wait_half(const State& s, const Wait& w) const;
    void pass_time(State& s, bool half, Event& event);

    Context& context_;
    const Program& program_;
    Heap& heap_;
    Inputs& inputs_;
};

} // namespace espalier::sym
