// Programs in λ-IR, written by hand: for tests of what runs or analyses it, without reader and expander.
//
//   ir::Builder program;
//   ir::Lambda& fib = program.lambda("fib", 1);
//   const auto small = fib.block(), large = fib.block();
//   fib.branch(fib.prim(Prim::lt, {fib.param(0), fib.number(2)}), small, large);
//   fib.at(small).ret(fib.param(0));
//   ...
//   Program p = program.finish(top.id);
//
// Each operation's span is the empty range at its label, in file 0.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/ir/ir.hpp"

namespace espalier::ir {

class Builder;

class Lambda {
public:
    const LambdaId id;
    espalier::Lambda info;

    VarId param(uint32_t i) const { return VarId{i}; }
    VarId capture(uint32_t i) const { return VarId{info.params() + i}; }
    VarId self() const { return info.self(); }

    // A new block, to be filled in after `at`; the first block is there from the start.
    BlockId block(uint32_t params = 0);
    VarId block_param(BlockId b, uint32_t i = 0) const { return blocks_[index(b)].params[i]; }
    Lambda& at(BlockId b) {
        current_ = index(b);
        return *this;
    }

    // Operations: each returns what it defines.
    VarId constant(Value v) {
        return with_result([&](VarId dst) { return op::Constant{dst, v}; });
    }
    VarId number(int64_t n) { return constant(Value::fixnum(n)); }
    VarId global(GlobalId g, bool checked = false) {
        return with_result([&](VarId dst) { return op::GlobalRef{dst, g, checked}; });
    }
    VarId prim(Prim p, const std::vector<VarId>& args) {
        return with_result([&](VarId dst) { return op::Primitive{dst, p, list(args)}; });
    }
    VarId box(VarId init) {
        return with_result([&](VarId dst) { return op::MakeBox{dst, init}; });
    }
    VarId box_ref(VarId box, bool checked = false) {
        return with_result([&](VarId dst) { return op::BoxRef{dst, box, checked}; });
    }
    VarId message(MessageId m, const std::vector<VarId>& fields) {
        return with_result([&](VarId dst) { return op::MakeMessage{dst, m, list(fields)}; });
    }
    VarId field(MessageId m, uint32_t i, VarId object) {
        return with_result([&](VarId dst) { return op::MessageRef{dst, m, i, object}; });
    }
    VarId fresh(TypeId type, VarId others = no_var) {
        return with_result([&](VarId dst) { return op::MakeFresh{dst, type, others}; });
    }
    VarId closure(LambdaId lambda, const std::vector<VarId>& captures = {});
    // Closures that capture each other: `captures` may name results by reserve().
    void closures(const std::vector<ClosureDef>& defs);
    VarId reserve() { return VarId{info.variables++}; }
    Label add(OpKind kind);

    // Ends of blocks.
    void end(TerminatorKind kind);
    void ret(VarId v) { end(terminator::Return{v}); }
    void jump(BlockId target, const std::vector<VarId>& args = {}) { end(terminator::Jump{target, list(args)}); }
    void branch(VarId condition, BlockId yes, BlockId no) {
        end(terminator::Branch{condition, yes, no, BranchOrigin::decision, 1});
    }
    // Calls, and goes on in a new block with the result.
    VarId call(VarId callee, const std::vector<VarId>& args, LambdaId known = no_lambda, bool spread = false) {
        const BlockId back = block(1);
        end(terminator::Call{callee, list(args), back, known, spread});
        at(back);
        return block_param(back);
    }
    void tail(VarId callee, const std::vector<VarId>& args, LambdaId known = no_lambda, bool spread = false) {
        end(terminator::TailCall{callee, list(args), known, spread});
    }
    void select(std::vector<SelectClause> clauses);
    void accept(BlockId body, const std::vector<VarId>& args = {}) { end(terminator::Accept{body, list(args)}); }
    void refuse() { end(terminator::Refuse{}); }
    void choose(const std::vector<BlockId>& blocks);
    // Waits for one message: (read port), (receive channel); goes on in a new block with it.
    VarId receive(VarId source);

    VarList list(const std::vector<VarId>& variables);
    Label last_label() const;

private:
    friend class Builder;
    struct Draft {
        std::vector<VarId> params;
        std::vector<Operation> ops;
        Terminator terminator{};
    };
    Lambda(Builder& builder, LambdaId lambda_id) : id(lambda_id), builder_(builder), blocks_(1) {}

    template <typename Make>
    VarId with_result(Make make) {
        const VarId dst = reserve();
        add(make(dst));
        return dst;
    }

    Builder& builder_;
    std::vector<Draft> blocks_;
    uint32_t current_ = 0;
    std::vector<std::pair<uint32_t, uint32_t>> selects_,
        choices_; // runs in the program whose blocks are still ours
};

class Builder {
public:
    Builder() { program_.literals = std::make_unique<Heap>(Heap::Lifetime::immortal); }

    Lambda& lambda(std::string_view name, uint32_t required, bool rest = false, uint32_t captures = 0) {
        lambdas_.push_back(
            std::unique_ptr<Lambda>(new Lambda(*this, LambdaId{static_cast<uint32_t>(lambdas_.size())})));
        Lambda& l = *lambdas_.back();
        l.info.name = intern(name);
        l.info.required = required;
        l.info.rest = rest;
        l.info.captures = captures;
        l.info.variables = index(l.info.self()) + 1;
        return l;
    }
    GlobalId global(std::string_view name, LambdaId known = no_lambda) {
        program_.globals.push_back({.name = intern(name), .span = {}, .known = known});
        return GlobalId{static_cast<uint32_t>(program_.globals.size() - 1)};
    }
    TypeId type(decltype(TypeDef::kind) kind) {
        program_.types.push_back({.kind = std::move(kind), .name = {}, .span = {}});
        return TypeId{static_cast<uint32_t>(program_.types.size() - 1)};
    }
    MessageId message(std::string_view name, const std::vector<std::pair<std::string_view, TypeId>>& fields) {
        MessageDef def{.name = intern(name), .span = {}, .fields = {}};
        for (const auto& [field, of] : fields) def.fields.push_back({intern(field), of});
        program_.messages.push_back(std::move(def));
        return MessageId{static_cast<uint32_t>(program_.messages.size() - 1)};
    }
    Value port(std::string_view name, std::vector<MessageId> in, std::vector<MessageId> out) {
        program_.ports.push_back({.name = intern(name), .span = {}, .in = std::move(in), .out = std::move(out)});
        return Value::port(PortId{static_cast<uint32_t>(program_.ports.size() - 1)});
    }
    Program& program() { return program_; }

    Program finish(LambdaId top);

private:
    friend class Lambda;
    Label next_label() { return Label{program_.label_count++}; }
    Program program_;
    std::vector<std::unique_ptr<Lambda>> lambdas_;
};

inline Span span_of(Label label) { return {FileId{0}, index(label), index(label)}; }

inline BlockId Lambda::block(uint32_t params) {
    blocks_.emplace_back();
    for (uint32_t i = 0; i < params; ++i) blocks_.back().params.push_back(reserve());
    return BlockId{static_cast<uint32_t>(blocks_.size() - 1)};
}
inline Label Lambda::add(OpKind kind) {
    const Label label = builder_.next_label();
    blocks_[current_].ops.push_back({std::move(kind), label, span_of(label)});
    return label;
}
inline void Lambda::end(TerminatorKind kind) {
    const Label label = builder_.next_label();
    blocks_[current_].terminator = {std::move(kind), label, span_of(label)};
}
inline Label Lambda::last_label() const { return Label{builder_.program_.label_count - 1}; }
inline VarList Lambda::list(const std::vector<VarId>& variables) {
    std::vector<VarId>& all = builder_.program_.variables;
    const auto first = static_cast<uint32_t>(all.size());
    all.insert(all.end(), variables.begin(), variables.end());
    return {first, static_cast<uint32_t>(variables.size())};
}
inline VarId Lambda::closure(LambdaId lambda, const std::vector<VarId>& captures) {
    const VarId dst = reserve();
    closures({{dst, lambda, list(captures)}});
    return dst;
}
inline void Lambda::closures(const std::vector<ClosureDef>& defs) {
    std::vector<ClosureDef>& all = builder_.program_.closures;
    const auto first = static_cast<uint32_t>(all.size());
    all.insert(all.end(), defs.begin(), defs.end());
    add(op::MakeClosures{first, static_cast<uint32_t>(defs.size())});
}
inline void Lambda::select(std::vector<SelectClause> clauses) {
    std::vector<SelectClause>& all = builder_.program_.clauses;
    const auto first = static_cast<uint32_t>(all.size());
    for (SelectClause& c : clauses) {
        c.label = builder_.next_label();
        c.span = span_of(c.label);
    }
    all.insert(all.end(), clauses.begin(), clauses.end());
    selects_.emplace_back(first, clauses.size());
    end(terminator::Select{first, static_cast<uint32_t>(clauses.size())});
}
inline void Lambda::choose(const std::vector<BlockId>& blocks) {
    std::vector<BlockId>& all = builder_.program_.choices;
    const auto first = static_cast<uint32_t>(all.size());
    all.insert(all.end(), blocks.begin(), blocks.end());
    choices_.emplace_back(first, blocks.size());
    end(terminator::Choose{first, static_cast<uint32_t>(blocks.size())});
}
inline VarId Lambda::receive(VarId source) {
    const BlockId test = block(2);
    const BlockId body = block(1);
    select({SelectClause{.source = source, .test = test, .span = {}}});
    at(test).accept(body, {block_param(test)});
    at(body);
    return block_param(body);
}

// Numbers the blocks through: those of a λ follow each other, in an order that no control flow goes against.
inline Program Builder::finish(LambdaId top) {
    for (const auto& l : lambdas_) {
        std::vector<std::vector<uint32_t>> next(l->blocks_.size());
        for (size_t b = 0; b < l->blocks_.size(); ++b) {
            const TerminatorKind& t = l->blocks_[b].terminator.kind;
            if (const auto* jump = std::get_if<terminator::Jump>(&t)) next[b] = {index(jump->target)};
            if (const auto* branch = std::get_if<terminator::Branch>(&t))
                next[b] = {index(branch->then_block), index(branch->else_block)};
            if (const auto* call = std::get_if<terminator::Call>(&t)) next[b] = {index(call->back)};
            if (const auto* accept = std::get_if<terminator::Accept>(&t)) next[b] = {index(accept->body)};
            if (const auto* choose = std::get_if<terminator::Choose>(&t))
                for (uint32_t i = 0; i < choose->count; ++i)
                    next[b].push_back(index(program_.choices[choose->first + i]));
            if (const auto* select = std::get_if<terminator::Select>(&t))
                for (const SelectClause& c : program_.select_clauses(*select)) next[b].push_back(index(c.test));
        }
        std::vector<uint32_t> order;
        std::vector<bool> seen(next.size());
        const auto visit = [&](const auto& self, uint32_t b) -> void {
            if (seen[b]) return;
            seen[b] = true;
            for (size_t i = next[b].size(); i-- > 0;) self(self, next[b][i]);
            order.insert(order.begin(), b);
        };
        visit(visit, 0);

        l->info.first_block = static_cast<uint32_t>(program_.blocks.size());
        l->info.block_count = static_cast<uint32_t>(order.size());
        l->info.first_name = static_cast<uint32_t>(program_.variable_names.size());
        program_.variable_names.resize(program_.variable_names.size() + l->info.variables, intern(""));
        std::vector<BlockId> final(next.size(), no_block);
        for (size_t i = 0; i < order.size(); ++i)
            final[order[i]] = BlockId{l->info.first_block + static_cast<uint32_t>(i)};
        const auto renumber = [&](BlockId& b) { b = final[index(b)]; };
        for (const auto& [first, count] : l->selects_)
            for (uint32_t i = 0; i < count; ++i) renumber(program_.clauses[first + i].test);
        for (const auto& [first, count] : l->choices_)
            for (uint32_t i = 0; i < count; ++i) renumber(program_.choices[first + i]);
        for (uint32_t b : order) {
            Lambda::Draft& draft = l->blocks_[b];
            TerminatorKind& t = draft.terminator.kind;
            if (auto* jump = std::get_if<terminator::Jump>(&t)) renumber(jump->target);
            if (auto* branch = std::get_if<terminator::Branch>(&t))
                renumber(branch->then_block), renumber(branch->else_block);
            if (auto* call = std::get_if<terminator::Call>(&t)) renumber(call->back);
            if (auto* accept = std::get_if<terminator::Accept>(&t)) renumber(accept->body);
            program_.blocks.push_back({.lambda = l->id,
                                       .params = l->list(draft.params),
                                       .first_op = static_cast<uint32_t>(program_.ops.size()),
                                       .op_count = static_cast<uint32_t>(draft.ops.size()),
                                       .terminator = draft.terminator});
            program_.ops.insert(program_.ops.end(), draft.ops.begin(), draft.ops.end());
        }
        program_.lambdas.push_back(l->info);
    }
    program_.top = top;
    return std::move(program_);
}

} // namespace espalier::ir
