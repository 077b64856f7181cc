// From the λ-IR to virtual code: primitives with instructions of their own, as values and as tests of
// branches.
//
// A comparison with a constant on its left is mirrored. The author's primitive stays an operand of what
// becomes of it, so that an error still names what was written.
#include "lang/vm/translator.hpp"

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

} // namespace

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
        return at && count && *count > 0 && one(Op::values_ref, operand(*at), operand(*count));
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

// ── Tests of branches ──

// What the operation defines, where it is a test that a branch can make itself.
std::optional<VarId> Translator::test_result(const Operation& op) {
    if (const auto* record = std::get_if<op::RecordIs>(&op.kind)) return record->dst;
    if (const auto* message = std::get_if<op::MessageIs>(&op.kind)) return message->dst;
    const auto* primitive = std::get_if<op::Primitive>(&op.kind);
    if (primitive == nullptr) return std::nullopt;
    const Prim prim = primitive->prim;
    const bool test =
        prim == Prim::not_ || prim == Prim::is_null || is_equality(prim) || type_tested(prim) || comparison(prim);
    return test ? std::optional(primitive->dst) : std::nullopt;
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

} // namespace espalier::vm
