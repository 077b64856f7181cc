// A pass for each criterion that asks for marks.
//
// A program is written anew once, block by block (writer.hpp). At each place where a mark may stand the writer asks the
// passes, in their order, and a pass writes what its criterion wants there. So passes need not know of each other, and
// of two that want a block on the same edge, both write into one.
//
// A new criterion is a file with a pass, `pass_….cpp`, and a line for it here and in instrument.cpp.
#pragma once

#include <memory>

#include "lang/ir/ir.hpp"

namespace espalier {

class Declarations;
class Writer;

// A way out of a branch of the author's.
struct Edge {
    BlockId from; // the block of the old program that ends in the branch
    terminator::Branch branch;
    bool way; // is the condition true there?
    Span span;
};

class Pass {
public:
    Pass() = default;
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    virtual ~Pass() = default;

    // Names every target that it will mark.
    virtual void declare(Declarations& declared) = 0;

    // The writer's places. Blocks and operations are those of the old program.
    virtual void at_start(Writer&, BlockId) {} // of a block, before its first operation
    virtual void before(Writer&, const Operation&) {}
    virtual void after(Writer&, const Operation&) {}
    virtual void before_jump(Writer&, BlockId /*from*/, BlockId /*to*/) {}
    virtual bool marks_edges() const { return false; } // is every edge of a decision to have a block of its own?
    virtual void on_edge(Writer&, const Edge&) {}      // in that block
};

// Each speaks of the program that it is made for, which is to outlive it.
std::unique_ptr<Pass> make_procedures_pass(const Program& program);
std::unique_ptr<Pass> make_branches_pass(const Program& program);
std::unique_ptr<Pass> make_conditions_pass(const Program& program);
std::unique_ptr<Pass> make_mcdc_pass(const Program& program);
std::unique_ptr<Pass> make_boundaries_pass(const Program& program);
std::unique_ptr<Pass> make_errors_pass(const Program& program);

} // namespace espalier
