// Which blocks were entered: of each procedure, and, where the search is traced, of each variant.
#pragma once

#include <vector>

#include "symexec/values/context.hpp"

namespace espalier::sym {

class Tracer {
public:
    explicit Tracer(const Context& context);
    bool is_on() const { return context_.limits.traced != nullptr; }
    void begin_run() { frame_ = nullptr; }
    // The block that begins now, in its variant; and the way there, where the block before it in the same frame
    // branches.
    void note(const State& s);
    std::vector<Trace> take() { return std::move(traces_); }

private:
    const Context& context_;
    std::vector<Trace> traces_;    // by variant
    const Frame* frame_ = nullptr; // whose block was noted last
    BlockId block_ = no_block;
};

} // namespace espalier::sym
