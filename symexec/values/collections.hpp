// Vectors, bytevectors and hash tables in the store.
#pragma once

#include <span>
#include <string>

#include "symexec/values/symbolic_values.hpp"

namespace espalier::sym {

class Sequences {
public:
    Sequences(Context& context, SymbolicValues& values)
        : program_(context.program), terms_(context.terms), decider_(values.decider), few_(values.few) {}
    Value compute(State& s, Prim prim, std::span<const Value> args);
    // A symbolic index forks over the cells; out of range comes last.
    uint32_t index_into(State& s, Value index, uint32_t count, const char* operation, const char* what);

private:
    Value make(State& s, Prim prim, std::span<const Value> args);
    Value byte_of(State& s, const std::string& operation, Value v);

    const Program& program_;
    Terms& terms_;
    Decider& decider_;
    FewValues& few_;
};

// With the meaning of lang's: equal? keys, in order of insertion. Plain keys are found by hash. A symbolic key, or a
// table that holds one, is compared with one entry after the other: a symbolic key forks over the feasible cells.
class Tables {
public:
    Tables(Context& context, SymbolicValues& values)
        : program_(context.program), heap_(context.heap), decider_(values.decider), equality_(values.equality) {}
    Value compute(State& s, Prim prim, std::span<const Value> args);

private:
    Value of_whole(State& s, Prim prim, uint32_t table);
    uint32_t find(State& s, uint32_t table, uint32_t block, Value key, bool plain);

    const Program& program_;
    Heap& heap_;
    Decider& decider_;
    Equality& equality_;
};

} // namespace espalier::sym
