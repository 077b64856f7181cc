// The lowering's own state: one λ's block graph while it grows, and the program that the finished ones go
// into.
#pragma once

#include <cassert>
#include <deque>
#include <unordered_map>

#include "lang/ir/free_variables.hpp"
#include "lang/lower/lower.hpp"

namespace espalier {

class Lowering {
public:
    explicit Lowering(CoreProgram core) : c_(std::move(core)), free_(c_) {}
    Program run();

private:
    struct BasicBlock {
        std::vector<VarId> params;
        std::vector<Operation> ops;
        std::optional<Terminator> end;
    };
    struct Target {
        BlockId join = no_block; // no_block: return
        bool want = true;        // the join takes the value
    };
    struct Pending {
        CoreId lambda;
        uint32_t which;
        LambdaId id;
    };

    // ── one lambda at a time
    LambdaId lambda_id(CoreId lambda);
    LambdaId fitting_case(CoreId lambda, size_t args);
    void lower_lambda(const Pending& todo);
    void lower_top();
    void begin_lambda(uint32_t params, uint32_t captures);
    void flush(LambdaId id);
    std::vector<BlockId> topological_order() const;
    std::vector<BlockId> successors(const Terminator& t) const;

    // ── expressions
    VarId value(CoreId id);
    void effect(CoreId id);
    void towards(CoreId id, Target target);
    void branch_on(CoreId condition, BlockId yes, BlockId no, BranchOrigin origin, uint32_t decision);
    class Leaf;
    VarId leaf_value(CoreId id);
    void bind_let(const core::Let& n);
    void bind_fix(const core::Fix& n, Span span);
    void bind_letrec(const core::Letrec& n);
    VarId make_closures(std::span<const LocalId> locals, std::span<const CoreId> lambdas, Span span);
    void lower_select(const core::Select& n, Target target, Span span);
    VarId call_value(const core::Call& n, Span span);
    void tail_call(const core::Call& n, Span span);
    VarList values(CoreList l);
    void finish(VarId v, Target target, Span span);
    LambdaId known_callee(const core::Call& n);
    bool is_hoisted(GlobalId g) const;

    // ── building
    VarId fresh(Symbol name = Symbol{UINT32_MAX});
    BlockId new_block(std::initializer_list<VarId> params = {});
    void go_to(BlockId b) { current_ = b; }
    BasicBlock& block() { return blocks_[index(current_)]; }
    void emit(OpKind op, Span span, uint32_t site = 0) { block().ops.push_back({std::move(op), no_label, span, site}); }
    void end(TerminatorKind t, Span span) {
        assert(!block().end);
        block().end = Terminator{std::move(t), no_label, span};
    }
    VarList list(std::span<const VarId> vars);
    VarId var_of(LocalId local) const { return env_.at(index(local)); }
    void bind(LocalId local, VarId var, Span span); // boxes it where it is assigned
    uint32_t decision(BranchOrigin origin, uint32_t number, BlockId yes, BlockId no, Span span);

    CoreProgram c_;
    FreeVariables free_;
    Program out_;
    std::deque<Pending> pending_;
    std::unordered_map<uint32_t, LambdaId> ids_; // first case of each core lambda

    std::vector<BasicBlock> blocks_;
    BlockId current_{};
    std::vector<Symbol> names_;
    std::unordered_map<uint32_t, VarId> env_;
    std::vector<uint32_t> own_decisions_; // of the λ being lowered, their blocks still local
};

} // namespace espalier
