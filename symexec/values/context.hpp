// What all parts of the machine work on, and what a run leaves behind.
#pragma once

#include <span>
#include <string>

#include "symexec/state/code.hpp"
#include "symexec/terms/term.hpp"
#include "symexec/values/limits.hpp"
#include "symexec/values/observer.hpp"
#include "symexec/values/outcome.hpp"
#include "symexec/values/position.hpp"

namespace espalier::sym {

struct Context {
    Context(const Program& p, Terms& t, Observer& o, const MachineLimits& l)
        : program(p), terms(t), observer(&o), limits(l), code(p), concrete{heap, p, nullptr}, position(p, code) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const Program& program;
    Terms& terms;
    Observer* observer; // of the run: never null
    const MachineLimits limits;
    const Code code;
    Heap heap; // of all states
    PrimContext concrete;
    Position position;
    // Of the last run, where its outcome speaks of it.
    Fork fork;
    Arrival arrival;
    ErrorAt error;

    // The interpreter's meaning of a primitive, for operands that are concrete.
    Value compute(Prim prim, std::span<const Value> args) {
        return espalier::concrete(prim)(concrete, args.data(), static_cast<uint32_t>(args.size()));
    }
};

// A value as messages name it.
std::string describe(const Program& program, const State& state, Value v);

} // namespace espalier::sym
