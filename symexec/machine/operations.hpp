// Straight-line operations: a function for each.
//
// What an operation decides, it decides before it acts (state.hpp). A path that ends in the middle of one has an
// outcome.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "symexec/machine/scheduler.hpp"
#include "symexec/machine/steps.hpp"
#include "symexec/values/primitives.hpp"

namespace espalier::sym {

class Operations {
public:
    Operations(Context& context, SymbolicValues& values, Primitives& primitives, Clocks& clocks, Scheduler& scheduler,
               Steps& steps)
        : context_(context), program_(context.program), code_(context.code), heap_(context.heap), values_(values),
          primitives_(primitives), clocks_(clocks), scheduler_(scheduler), steps_(steps) {}
    // Nothing: the path goes on.
    std::optional<Outcome> execute(State& s, Thread& t, const Operation& operation);

private:
    struct At; // the state, the thread and its variables
    using End = std::optional<Outcome>;
    End run(const At& at, const op::Constant& o);
    End run(const At& at, const op::GlobalRef& o);
    End run(const At& at, const op::GlobalSet& o);
    End run(const At& at, const op::Primitive& o);
    End run(const At& at, const op::MakeClosures& o);
    End run(const At& at, const op::MakeBox& o);
    End run(const At& at, const op::BoxRef& o);
    End run(const At& at, const op::BoxSet& o);
    End run(const At& at, const op::MakeRecord& o);
    End run(const At& at, const op::RecordRef& o);
    End run(const At& at, const op::RecordSet& o);
    End run(const At& at, const op::RecordIs& o);
    End run(const At& at, const op::MakeMessage& o);
    End run(const At& at, const op::MessageRef& o);
    End run(const At& at, const op::MessageIs& o);
    End run(const At& at, const op::Mark& o);
    End run(const At& at, const op::Write& o);
    End run(const At& at, const op::Assume& o);
    End run(const At& at, const op::Assert& o);
    End run(const At& at, const op::Spawn& o);
    End run(const At& at, const op::Send& o);
    End run(const At& at, const op::StartTimer& o);
    End run(const At& at, const op::StopTimer& o);
    End run(const At& at, const op::MakeFresh& o);
    End run(const At& at, const op::MarkBoundary& o);
    End run(const At& at, const op::MarkDetermined& o);
    void mark(State& s, TargetId target, Value condition);
    Value constant_list(State& s, Value list);
    uint32_t record_field(const State& s, RecordId id, uint32_t field, Value object, const char* verb) const;

    Context& context_;
    const Program& program_;
    const Code& code_;
    Heap& heap_;
    SymbolicValues& values_;
    Primitives& primitives_;
    Clocks& clocks_;
    Scheduler& scheduler_;
    Steps& steps_;
    std::vector<Value> scratch_;
};

} // namespace espalier::sym
