// Values that the system under test chooses, met by inputs.
//
// A fresh value is opaque, and equal to itself only. An input field compared with one forks: the tester sends that very
// value (which it must have received before), or one that differs. An input that is a fresh value is as opaque as the
// value itself, so a field that the path has already computed with cannot be one.
#pragma once

#include "symexec/values/context.hpp"

namespace espalier::sym {

class FreshValues {
public:
    explicit FreshValues(Context& context) : program_(context.program), terms_(context.terms), heap_(context.heap) {}
    Value make(State& s, TypeId type, bool distinct_from_all, Value others);
    // The fresh value that the path found an input to be; else v itself.
    Value resolved(const State& s, Value v) const;
    bool compare(State& s, Value variable, Value fresh);
    // From its first output on, the tester can send it.
    void note_written(State& s, Value v);

private:
    bool may_be(const State& s, Value variable, const Fresh& fresh) const;

    const Program& program_;
    Terms& terms_;
    Heap& heap_;
};

inline const Fresh& as_fresh(Value v) { return *static_cast<const Fresh*>(v.as_object()); }

} // namespace espalier::sym
