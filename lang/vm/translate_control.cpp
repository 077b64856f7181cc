// From the λ-IR to virtual code: how control leaves a block.
//
// A test is fused into the branch that it decides, where nothing that could fail or be seen lies in between;
// `not` turns the branch around.
#include "lang/vm/translator.hpp"

namespace espalier::vm {

Op opposite(Op branch) {
    switch (branch) {
#define PAIR(one, other)                                                                                               \
    case Op::one: return Op::other;                                                                                    \
    case Op::other: return Op::one;
        PAIR(unless_true, when_true)
        PAIR(unless_null, when_null)
        PAIR(unless_eq, when_eq)
        PAIR(unless_eq_imm, when_eq_imm)
        PAIR(unless_type, when_type)
        PAIR(unless_record, when_record)
        PAIR(unless_message, when_message)
        PAIR(unless_lt, unless_ge)
        PAIR(unless_gt, unless_le)
        PAIR(unless_num_eq, unless_num_ne)
        PAIR(unless_lt_imm, unless_ge_imm)
        PAIR(unless_gt_imm, unless_le_imm)
        PAIR(unless_num_eq_imm, unless_num_ne_imm)
#undef PAIR
    default: assert(!"a branch has an opposite"); return branch;
    }
}

// ── Fusing ──

// What the terminator does itself: the test of a branch, the look-up of a global that is only called.
// `fused_` then names operations that end the block, apart from such as leave no trace in the code.
void Translator::find_fused(uint32_t b) {
    fused_.clear();
    const auto ops = program_.operations(block(b));
    const auto silent = [&](const Operation& op) {
        if (std::holds_alternative<op::Constant>(op.kind)) return true;
        const auto* global = std::get_if<op::GlobalRef>(&op.kind);
        return global != nullptr && definition(global->dst).constant;
    };
    const auto fits = [&](VarId v) {
        const Definition& d = definition(v);
        return !d.constant && d.op != nullptr && d.block == b && d.uses == 1;
    };
    const TerminatorKind& end = block(b).terminator.kind;
    if (const auto* branch = std::get_if<terminator::Branch>(&end)) {
        VarId condition = branch->condition;
        for (size_t i = ops.size(); i-- > 0 && fits(condition);) {
            if (silent(ops[i])) continue;
            if (&ops[i] != definition(condition).op || !test_result(ops[i])) break;
            fused_.push_back(&ops[i]);
            const auto* primitive = std::get_if<op::Primitive>(&ops[i].kind);
            if (primitive == nullptr || primitive->prim != Prim::not_) break;
            condition = program_.list(primitive->args)[0];
        }
        return;
    }
    VarId callee = no_var;
    if (const auto* call = std::get_if<terminator::Call>(&end); call != nullptr && !call->spread) callee = call->callee;
    if (const auto* call = std::get_if<terminator::TailCall>(&end); call != nullptr && !call->spread)
        callee = call->callee;
    if (callee == no_var || !fits(callee)) return;
    const auto* global = std::get_if<op::GlobalRef>(&definition(callee).op->kind);
    if (global == nullptr || needs_check(*global)) return;
    for (const Operation& op : ops) {
        const auto* set = std::get_if<op::GlobalSet>(&op.kind);
        if (set != nullptr && set->global == global->global) return;
    }
    fused_.push_back(definition(callee).op);
}

// ── Control ──

// The branch on a condition that goes on where it holds; its target is the block's other successor.
VirtualInstr Translator::test_of(VarId condition) {
    const Operation* op = definition(condition).op;
    bool fused = false;
    for (const Operation* f : fused_) fused = fused || f == op;
    if (op == nullptr || !fused) {
        const Reg r = reg(condition);
        return {.op = Op::unless_true, .operands = {r}, .label = label_, .span = span_};
    }
    label_ = op->label;
    span_ = op->span;
    const auto type_test = [&](Op branch, VarId object, uint32_t type) {
        const Reg r = reg(object);
        return VirtualInstr{.op = branch, .operands = {r, type}, .label = label_, .span = span_};
    };
    if (const auto* record = std::get_if<op::RecordIs>(&op->kind))
        return type_test(Op::unless_record, record->object, index(record->record));
    if (const auto* message = std::get_if<op::MessageIs>(&op->kind))
        return type_test(Op::unless_message, message->object, index(message->message));
    return primitive_test(std::get<op::Primitive>(op->kind));
}

void Translator::translate_branch(const terminator::Branch& t) {
    const uint32_t then_block = local(t.then_block);
    const uint32_t else_block = local(t.else_block);
    if (const auto value = constant(t.condition)) {
        current_->exit = VirtualBlock::Exit::jump;
        current_->successors = {value->is_true() ? then_block : else_block};
        return;
    }
    current_->exit = VirtualBlock::Exit::branch;
    current_->end = test_of(t.condition);
    current_->successors = {then_block, else_block};
}

void Translator::choose_callee(VarId callee, LambdaId known, VarList args, bool spread, bool tail) {
    VirtualInstr& end = current_->end;
    const LambdaId lambda = callee_lambda(callee, known, args.count, spread);
    const auto value = constant(callee);
    const Operation* op = definition(callee).op;
    current_->callee = lambda;
    if (lambda != no_lambda && value) {
        end.op = tail ? Op::tail_static : Op::call_static;
        end.word = value->bits();
    } else if (lambda != no_lambda && fused_.empty()) {
        end.op = tail ? Op::tail_known : Op::call_known;
        end.operands = {reg(callee)};
    } else if (!fused_.empty()) {
        end.op = tail ? Op::tail_global : Op::call_global;
        end.operands = {index(std::get<op::GlobalRef>(op->kind).global)};
    } else {
        end.op = spread ? (tail ? Op::tail_spread : Op::call_spread) : (tail ? Op::tail_value : Op::call_value);
        end.operands = {reg(callee)};
    }
    current_->args = arguments(args);
}

void Translator::translate_select(const terminator::Select& t) {
    current_->exit = VirtualBlock::Exit::select;
    current_->end.op = Op::select;
    const auto clauses = program_.select_clauses(t);
    current_->clauses = clauses.data();
    current_->args.assign(clauses.size(), no_reg);
    for_each_source(t, [&](uint32_t clause, VarId source) { current_->args[clause] = reg(source); });
    for (const SelectClause& c : clauses) current_->successors.push_back(local(c.test));
}

void Translator::translate_terminator(uint32_t b) {
    using Exit = VirtualBlock::Exit;
    const auto give_back = [&](VarId v) {
        current_->exit = Exit::ret;
        if (const auto value = constant(v)) {
            current_->end.op = Op::ret_constant;
            current_->end.word = value->bits();
        } else {
            current_->end.op = Op::ret;
            current_->end.operands = {reg(v)};
        }
    };
    // A jump to a block that only returns what it was given.
    const auto returned = [&](const terminator::Jump& t) -> std::optional<VarId> {
        const Block& target = program_[t.target];
        const auto* ret = std::get_if<terminator::Return>(&target.terminator.kind);
        if (ret == nullptr || target.op_count != 0 || context_.follow) return std::nullopt;
        const auto params = program_.list(target.params);
        for (size_t i = 0; i < params.size(); ++i)
            if (params[i] == ret->value) return program_.list(t.args)[i];
        return std::nullopt;
    };
    const auto jump = [&](const terminator::Jump& t) {
        if (const auto value = returned(t)) return give_back(*value);
        current_->exit = Exit::jump;
        current_->successors = {local(t.target)};
        current_->args = arguments(t.args);
    };
    const auto tail_call = [&](const terminator::TailCall& t) {
        if (is_loop(t)) {
            current_->exit = Exit::loop;
            current_->end.op = Op::loop;
            current_->end.operands = {site()};
            current_->args = arguments(t.args);
            return;
        }
        current_->exit = Exit::tail;
        choose_callee(t.callee, t.known, t.args, t.spread, true);
        current_->end.operands[3] = site();
    };
    const auto call = [&](const terminator::Call& t) {
        current_->exit = Exit::call;
        current_->successors = {local(t.back)};
        choose_callee(t.callee, t.known, t.args, t.spread, false);
        current_->end.operands[3] = site();
    };
    current_->end.label = label_;
    current_->end.span = span_;
    std::visit(Overloaded{
                   jump,
                   [&](const terminator::Branch& t) { translate_branch(t); },
                   call,
                   tail_call,
                   [&](const terminator::Return& t) { give_back(t.value); },
                   [&](const terminator::Select& t) { translate_select(t); },
                   [&](const terminator::Accept& t) {
                       current_->exit = Exit::accept;
                       current_->end.op = Op::accept;
                       current_->successors = {local(t.body)};
                       current_->args = arguments(t.args);
                   },
                   [&](const terminator::Refuse&) {
                       current_->exit = Exit::refuse;
                       current_->end.op = Op::refuse;
                   },
                   [&](const terminator::Choose& t) {
                       current_->exit = Exit::choose;
                       current_->end.op = Op::choose;
                       for (uint32_t i = 0; i < t.count; ++i)
                           current_->successors.push_back(local(program_.choices[t.first + i]));
                   },
               },
               block(b).terminator.kind);
}

} // namespace espalier::vm
