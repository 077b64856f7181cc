// From the λ-IR to virtual code, second half: primitives with instructions of their own, tests, and control.
//
// A test is fused into the branch that it decides, where nothing that could fail or be seen lies in between; `not` turns
// the branch around. A comparison with a constant on its left is mirrored. The author's primitive stays an operand of
// what becomes of it, so that an error still names what was written.
#include "lang/vm_translator.hpp"

namespace espalier::vm {

namespace {

struct Comparison {
    Op value, value_imm, branch, branch_imm;
};

std::optional<Comparison> comparison(Prim prim) {
    switch (prim) {
    case Prim::lt: return Comparison{Op::lt, Op::lt_imm, Op::unless_lt, Op::unless_lt_imm};
    case Prim::le: return Comparison{Op::le, Op::le_imm, Op::unless_le, Op::unless_le_imm};
    case Prim::gt: return Comparison{Op::gt, Op::gt_imm, Op::unless_gt, Op::unless_gt_imm};
    case Prim::ge: return Comparison{Op::ge, Op::ge_imm, Op::unless_ge, Op::unless_ge_imm};
    case Prim::num_eq: return Comparison{Op::num_eq, Op::num_eq_imm, Op::unless_num_eq, Op::unless_num_eq_imm};
    default: return std::nullopt;
    }
}

Prim mirrored(Prim prim) {
    switch (prim) {
    case Prim::lt: return Prim::gt;
    case Prim::le: return Prim::ge;
    case Prim::gt: return Prim::lt;
    case Prim::ge: return Prim::le;
    default: return prim;
    }
}

std::optional<ObjectType> type_tested(Prim prim) {
    switch (prim) {
    case Prim::is_pair: return ObjectType::pair;
    case Prim::is_string: return ObjectType::string;
    case Prim::is_vector: return ObjectType::vector;
    case Prim::is_bytevector: return ObjectType::bytevector;
    case Prim::is_procedure: return ObjectType::closure;
    case Prim::is_hash_table: return ObjectType::hash_table;
    default: return std::nullopt;
    }
}

bool is_equality(Prim prim) { return prim == Prim::eq || prim == Prim::eqv || prim == Prim::equal; }

uint32_t operand(int64_t n) { return static_cast<uint32_t>(static_cast<int32_t>(n)); }
uint32_t tagged(int64_t n) { return operand(n * 8); }
uint32_t operand(Prim prim) { return static_cast<uint32_t>(prim); }
uint32_t operand(ObjectType type) { return static_cast<uint32_t>(type); }

}  // namespace

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

// ── Primitives ──

void Translator::translate_primitive(const op::Primitive& o) {
    if (!translate_arithmetic(o) && !translate_test(o) && !translate_access(o)) translate_call(o);
}

bool Translator::translate_arithmetic(const op::Primitive& o) {
    const auto args = program_.list(o.args);
    const uint32_t dst = index(o.dst);
    const auto with_small = [&](Op op, VarId x, uint32_t c, uint32_t d) {
        const Reg r = reg(x);
        emit(op, {dst, r, c, d});
        return true;
    };
    const auto general = [&](Op op) {
        const Reg x = reg(args[0]);
        const Reg y = reg(args[1]);
        emit(op, {dst, x, y});
        return true;
    };
    const auto divisor = [&] {
        const auto n = small(args[1]);
        return n && *n > 0 ? n : std::nullopt;
    };
    switch (o.prim) {
    case Prim::add:
        if (const auto n = small(args[1])) return with_small(Op::add_imm, args[0], tagged(*n), operand(o.prim));
        if (const auto n = small(args[0])) return with_small(Op::add_imm, args[1], tagged(*n), operand(o.prim));
        return general(Op::add);
    case Prim::sub:
        if (const auto n = small(args[1])) return with_small(Op::add_imm, args[0], tagged(-*n), operand(o.prim));
        return general(Op::sub);
    case Prim::mul:
        if (const auto n = small(args[1])) return with_small(Op::mul_imm, args[0], operand(*n), 0);
        if (const auto n = small(args[0])) return with_small(Op::mul_imm, args[1], operand(*n), 0);
        return general(Op::mul);
    case Prim::quotient:
        if (const auto n = divisor()) return with_small(Op::quotient_imm, args[0], operand(*n), 0);
        return general(Op::quotient);
    case Prim::remainder:
        if (const auto n = divisor()) return with_small(Op::remainder_imm, args[0], operand(*n), 0);
        return general(Op::remainder);
    case Prim::modulo:
        if (const auto n = divisor()) return with_small(Op::modulo_imm, args[0], operand(*n), 0);
        return general(Op::modulo);
    case Prim::bitwise_and: return general(Op::bitwise_and);
    case Prim::bitwise_or: return general(Op::bitwise_or);
    case Prim::bitwise_xor: return general(Op::bitwise_xor);
    default: return false;
    }
}

// A test whose result is a value.
bool Translator::translate_test(const op::Primitive& o) {
    const auto args = program_.list(o.args);
    const uint32_t dst = index(o.dst);
    const auto one = [&](Op op, uint32_t c, uint32_t d) {
        const Reg x = reg(args[0]);
        emit(op, {dst, x, c, d});
        return true;
    };
    if (o.prim == Prim::not_) return one(Op::logical_not, 0, 0);
    if (o.prim == Prim::is_null) return one(Op::is_null, 0, 0);
    if (const auto type = type_tested(o.prim)) return one(Op::is_type, operand(*type), operand(o.prim));
    if (is_equality(o.prim)) {
        for (size_t i = 0; i < 2; ++i) {
            const auto value = constant(args[i]);
            if (!value || value->is_object()) continue;
            const Reg x = reg(args[1 - i]);
            emit(Op::eq_imm, {dst, x}).word = value->bits();
            return true;
        }
        const Reg x = reg(args[0]);
        const Reg y = reg(args[1]);
        emit(Op::eq, {dst, x, y, operand(o.prim)});
        return true;
    }
    const auto compare = comparison(o.prim);
    if (!compare) return false;
    if (const auto n = small(args[1])) return one(compare->value_imm, tagged(*n), operand(o.prim));
    if (const auto n = small(args[0])) {
        const Reg x = reg(args[1]);
        emit(comparison(mirrored(o.prim))->value_imm, {dst, x, tagged(*n), operand(o.prim)});
        return true;
    }
    const Reg x = reg(args[0]);
    const Reg y = reg(args[1]);
    emit(compare->value, {dst, x, y, operand(o.prim)});
    return true;
}

// Making and looking into objects.
bool Translator::translate_access(const op::Primitive& o) {
    const auto args = program_.list(o.args);
    const uint32_t dst = index(o.dst);
    const auto one = [&](Op op, uint32_t c = 0, uint32_t d = 0) {
        const Reg x = reg(args[0]);
        emit(op, {dst, x, c, d});
        return true;
    };
    const auto two = [&](Op op) {
        const Reg x = reg(args[0]);
        const Reg y = reg(args[1]);
        emit(op, {dst, x, y});
        return true;
    };
    switch (o.prim) {
    case Prim::cons: return two(Op::cons);
    case Prim::car: return one(Op::car);
    case Prim::cdr: return one(Op::cdr);
    case Prim::vector_length: return one(Op::vector_length);
    case Prim::string_length: return one(Op::string_length);
    case Prim::char_to_integer: return one(Op::char_to_integer);
    case Prim::string_ref: return two(Op::string_ref);
    case Prim::vector_ref:
        if (const auto n = small(args[1]); n && *n >= 0) return one(Op::vector_ref_imm, operand(*n));
        return two(Op::vector_ref);
    case Prim::vector_set: {
        const Reg vector = reg(args[0]);
        const Reg at = reg(args[1]);
        const Reg value = reg(args[2]);
        emit(Op::vector_set, {vector, at, value});
        return true;
    }
    case Prim::values_ref: {
        const auto at = small(args[1]);
        const auto count = small(args[2]);
        return at && count && one(Op::values_ref, operand(*at), operand(*count));
    }
    default: return false;
    }
}

void Translator::translate_call(const op::Primitive& o) {
    const auto args = program_.list(o.args);
    std::vector<Reg> registers;
    registers.reserve(args.size());
    for (VarId v : args) registers.push_back(reg(v));
    const bool output = info(o.prim).effect == Effect::output;
    if (args.size() == 1 && !output) {
        emit(Op::prim1, {index(o.dst), registers[0], 0, operand(o.prim)});
    } else if (args.size() == 2 && !output) {
        emit(Op::prim2, {index(o.dst), registers[0], registers[1], operand(o.prim)});
    } else {
        emit_extras(output ? Op::prim_output : Op::prim_n, {index(o.dst), 0, o.args.count, operand(o.prim)}, registers);
    }
}

// ── Fusing ──

bool Translator::fusible(const Operation& op) {
    if (std::holds_alternative<op::RecordIs>(op.kind) || std::holds_alternative<op::MessageIs>(op.kind)) return true;
    const auto* primitive = std::get_if<op::Primitive>(&op.kind);
    if (primitive == nullptr) return false;
    const Prim prim = primitive->prim;
    return prim == Prim::not_ || prim == Prim::is_null || is_equality(prim) || type_tested(prim) || comparison(prim);
}

// What the terminator does itself: the test of a branch, the look-up of a global that is only called. `fused_` then
// names operations that end the block, apart from such as leave no trace in the code.
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
    if (const auto* branch = std::get_if<term::Branch>(&end)) {
        VarId condition = branch->condition;
        for (size_t i = ops.size(); i-- > 0 && fits(condition);) {
            if (silent(ops[i])) continue;
            if (&ops[i] != definition(condition).op || !fusible(ops[i])) break;
            fused_.push_back(&ops[i]);
            const auto* primitive = std::get_if<op::Primitive>(&ops[i].kind);
            if (primitive == nullptr || primitive->prim != Prim::not_) break;
            condition = program_.list(primitive->args)[0];
        }
        return;
    }
    VarId callee = no_var;
    if (const auto* call = std::get_if<term::Call>(&end); call != nullptr && !call->spread) callee = call->callee;
    if (const auto* call = std::get_if<term::TailCall>(&end); call != nullptr && !call->spread) callee = call->callee;
    if (callee == no_var || !fits(callee)) return;
    const auto* global = std::get_if<op::GlobalRef>(&definition(callee).op->kind);
    if (global == nullptr || (global->checked && context_.globals[index(global->global)].is_unbound())) return;
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

VirtualInstr Translator::primitive_test(const op::Primitive& o) {
    const auto args = program_.list(o.args);
    if (o.prim == Prim::not_) {
        VirtualInstr test = test_of(args[0]);
        test.op = opposite(test.op);
        return test;
    }
    VirtualInstr test{.label = label_, .span = span_};
    const auto compare = comparison(o.prim);
    if (o.prim == Prim::is_null) {
        test.op = Op::unless_null;
        test.operands = {reg(args[0])};
    } else if (const auto type = type_tested(o.prim)) {
        test.op = Op::unless_type;
        test.operands = {reg(args[0]), operand(*type), 0, operand(o.prim)};
    } else if (compare && small(args[1])) {
        test.op = compare->branch_imm;
        test.operands = {reg(args[0]), tagged(*small(args[1])), 0, operand(o.prim)};
    } else if (compare && small(args[0])) {
        test.op = comparison(mirrored(o.prim))->branch_imm;
        test.operands = {reg(args[1]), tagged(*small(args[0])), 0, operand(o.prim)};
    } else {
        for (size_t i = 0; !compare && i < 2; ++i) {
            const auto value = constant(args[i]);
            if (!value || value->is_object()) continue;
            test.op = Op::unless_eq_imm;
            test.operands = {reg(args[1 - i])};
            test.word = value->bits();
            return test;
        }
        test.op = compare ? compare->branch : Op::unless_eq;
        const Reg x = reg(args[0]);
        const Reg y = reg(args[1]);
        test.operands = {x, y, 0, operand(o.prim)};
    }
    return test;
}

void Translator::translate_branch(const term::Branch& t) {
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

void Translator::translate_select(const term::Select& t) {
    current_->exit = VirtualBlock::Exit::select;
    current_->end.op = Op::select;
    const auto clauses = program_.select_clauses(t);
    current_->clauses = clauses.data();
    for (const SelectClause& c : clauses) {
        current_->args.push_back(c.source == no_var ? no_reg : reg(c.source));
        current_->successors.push_back(local(c.test));
    }
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
    const auto returned = [&](const term::Jump& t) -> std::optional<VarId> {
        const Block& target = program_[t.target];
        const auto* ret = std::get_if<term::Return>(&target.terminator.kind);
        if (ret == nullptr || target.op_count != 0 || context_.follow) return std::nullopt;
        const auto params = program_.list(target.params);
        for (size_t i = 0; i < params.size(); ++i)
            if (params[i] == ret->value) return program_.list(t.args)[i];
        return std::nullopt;
    };
    const auto jump = [&](const term::Jump& t) {
        if (const auto value = returned(t)) return give_back(*value);
        current_->exit = Exit::jump;
        current_->successors = {local(t.target)};
        current_->args = arguments(t.args);
    };
    const auto tail_call = [&](const term::TailCall& t) {
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
    const auto call = [&](const term::Call& t) {
        current_->exit = Exit::call;
        current_->successors = {local(t.back)};
        choose_callee(t.callee, t.known, t.args, t.spread, false);
        current_->end.operands[3] = site();
    };
    current_->end.label = label_;
    current_->end.span = span_;
    std::visit(Overloaded{
                   jump,
                   [&](const term::Branch& t) { translate_branch(t); },
                   call,
                   tail_call,
                   [&](const term::Return& t) { give_back(t.value); },
                   [&](const term::Select& t) { translate_select(t); },
                   [&](const term::Accept& t) {
                       current_->exit = Exit::accept;
                       current_->end.op = Op::accept;
                       current_->successors = {local(t.body)};
                       current_->args = arguments(t.args);
                   },
                   [&](const term::Refuse&) {
                       current_->exit = Exit::refuse;
                       current_->end.op = Op::refuse;
                   },
                   [&](const term::Choose& t) {
                       current_->exit = Exit::choose;
                       current_->end.op = Op::choose;
                       for (uint32_t i = 0; i < t.count; ++i)
                           current_->successors.push_back(local(program_.choices[t.first + i]));
                   },
               },
               block(b).terminator.kind);
}

}  // namespace espalier::vm
