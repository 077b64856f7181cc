// Writes a program anew, λ by λ and block by block, and asks passes at each place where a mark may stand.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"

namespace espalier {

using Passes = std::vector<std::unique_ptr<Pass>>;

class Writer {
public:
    Writer(const Program& from, const Declarations& declared, const Passes& passes);
    Program write() &&;

    // What a pass may do at its place: operations, in front of what is written next.
    TargetId target(TargetKind kind, const std::string& name) const { return declared_.id(kind, name); }
    void mark(TargetKind kind, const std::string& name, Span span) { emit(op::Mark{target(kind, name)}, span); }
    void emit(OpKind kind, Span span);
    VarId fresh(); // a variable of the λ at hand
    VarList list(std::initializer_list<VarId> vars);

    // Blocks: the one at hand ends, and another begins. `following(n)` is the n-th block after the one at hand.
    void split(TerminatorKind kind, Span span);
    BlockId following(size_t n) const;

    // A parameter of the block at hand, and an argument of the jump that ends it.
    VarId add_parameter();
    void add_argument(VarId argument);

private:
    void write_lambda(LambdaId lambda);
    void write_block(BlockId block);
    void copy_operation(const Operation& op);
    void end_block(BlockId old);
    void branch(BlockId old, const terminator::Branch& t);
    void edge(const Edge& edge);
    void begin(VarList params);
    void finish(TerminatorKind kind, Label label, Span span);
    VarList appended(VarList old, VarId extra);
    Label next_label() { return Label{out_.label_count++}; }
    void renumber();

    const Program& from_;
    const Declarations& declared_;
    const Passes& passes_;
    Program out_;
    std::vector<BlockId> moved_; // by old block

    // Being written
    Block block_;
    std::vector<VarId> arguments_; // that passes add to the jump
    LambdaId lambda_{};
    std::vector<Symbol> names_; // of the variables of the λ at hand
};

} // namespace espalier
