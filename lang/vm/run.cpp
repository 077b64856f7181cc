// The loop that runs register code.
//
// Direct threading: a cell begins with the address of its handler, and a handler ends with the jump to the
// next. What is frequent (small integers, pairs, vectors, calls whose arguments fit) is done here; the rest
// leaves through a member function of the runner that takes the cell and the frame, so that a failure knows
// its place. The loop is one long function on purpose: jumps to labels stay within a function, and program counter,
// base and thread stay in registers.
#include "lang/values/channel.hpp"
#include "lang/vm/loop.hpp"
#include "lang/vm/runner.hpp"
#include "lang/vm/scheduler.hpp"

// Labels as values are what direct threading is made of; no standard has them yet.
#pragma GCC diagnostic ignored "-Wpedantic"

namespace espalier::vm {

const void* const* Runner::handlers() {
    const void* const* table = nullptr;
    loop(nullptr, &table);
    return table;
}

Outcome Runner::run(Thread& thread) {
    running_ = &thread;
    stack_end_ = thread.stack.end();
    return loop(&thread, nullptr);
}

Outcome Runner::loop(Thread* thread, const void* const** table) {
    static const void* const all_handlers[] = {
#define VM_OP(name, operands) &&name,
        VM_OPS(VM_OP)
#undef VM_OP
    };
    if (thread == nullptr) {
        *table = all_handlers;
        return Outcome::ended;
    }
    const Instr* pc = thread->pc;
    Value* base = thread->base;
    DISPATCH();

    // ── Moves ──

    CASE(mov) {
        A = B;
        NEXT();
    }
    CASE(mov2) {
        A = B;
        C = D;
        NEXT();
    }
    CASE(constant) {
        A = pc->value();
        NEXT();
    }
    CASE(capture) {
        A = as_closure(base[closure_slot]).captures[pc->b];
        NEXT();
    }
    CASE(global) {
        A = globals_[static_cast<size_t>(pc->b)];
        NEXT();
    }
    CASE(global_checked) {
        const Value v = globals_[static_cast<size_t>(pc->b)];
        if (UNLIKELY(v.is_unbound())) fail_unbound(pc, base, program.globals[static_cast<size_t>(pc->b)].name);
        A = v;
        NEXT();
    }
    CASE(global_set) {
        globals_[static_cast<size_t>(pc->a)] = B;
        NEXT();
    }
    CASE(box) {
        const Value content = B;
        auto* box_object = static_cast<Box*>(heap.allocate(ObjectType::box, sizeof(Box), 0));
        box_object->content = content;
        A = Value::object(box_object);
        note_allocation();
        NEXT();
    }
    CASE(box_unbound) {
        A = heap.box(Value::unbound());
        note_allocation();
        NEXT();
    }
    CASE(box_ref) {
        A = as_box(B).content;
        NEXT();
    }
    CASE(box_ref_checked) {
        const Value v = as_box(B).content;
        if (UNLIKELY(v.is_unbound())) fail_unbound(pc, base, Symbol{static_cast<uint32_t>(pc->c())});
        A = v;
        NEXT();
    }
    CASE(box_set) {
        as_box(A).content = B;
        NEXT();
    }
    CASE(closure) {
        make_closure(pc, base);
        pc += EXTRA_CELLS(pc->c());
        NEXT();
    }
    CASE(closure_patch) {
        as_closure(A).captures[pc->b] = C;
        NEXT();
    }

    // ── Numbers ──

    ARITHMETIC(add, C, !__builtin_add_overflow(signed_bits(x), signed_bits(y), &r), PRIMITIVE_OF(add, x, y))
    ARITHMETIC(sub, C, !__builtin_sub_overflow(signed_bits(x), signed_bits(y), &r), PRIMITIVE_OF(sub, x, y))
    ARITHMETIC(mul, C, !__builtin_mul_overflow(x.as_fixnum(), signed_bits(y), &r), PRIMITIVE_OF(mul, x, y))
    ARITHMETIC(add_imm, tagged_operand(pc->c()), !__builtin_add_overflow(signed_bits(x), signed_bits(y), &r),
               static_cast<Prim>(pc->d()) == Prim::sub ? PRIMITIVE_OF(sub, x, from_signed(-signed_bits(y)))
                                                       : PRIMITIVE_OF(add, x, y))
    ARITHMETIC(mul_imm, Value::fixnum(pc->c()), !__builtin_mul_overflow(signed_bits(x), y.as_fixnum(), &r),
               PRIMITIVE_OF(mul, x, y))
    DIVISION(quotient, x.as_fixnum() / y.as_fixnum())
    DIVISION(remainder, x.as_fixnum() % y.as_fixnum())
    DIVISION(modulo, floor_remainder(x.as_fixnum(), y.as_fixnum()))
    ARITHMETIC(bitwise_and, C, (r = signed_bits(x) & signed_bits(y), true), PRIMITIVE_OF(bitwise_and, x, y))
    ARITHMETIC(bitwise_or, C, (r = signed_bits(x) | signed_bits(y), true), PRIMITIVE_OF(bitwise_or, x, y))
    ARITHMETIC(bitwise_xor, C, (r = signed_bits(x) ^ signed_bits(y), true), PRIMITIVE_OF(bitwise_xor, x, y))

    COMPARISON(num_eq, ==)
    COMPARISON(lt, <)
    COMPARISON(le, <=)
    COMPARISON(gt, >)
    COMPARISON(ge, >=)
    COMPARISON_BRANCH(num_eq, num_eq, false, ==)
    COMPARISON_BRANCH(num_ne, num_eq, true, !=)
    COMPARISON_BRANCH(lt, lt, false, <)
    COMPARISON_BRANCH(le, le, false, <=)
    COMPARISON_BRANCH(gt, gt, false, >)
    COMPARISON_BRANCH(ge, ge, false, >=)

    // ── Tests ──

    CASE(eq) {
        const Value x = B, y = C;
        A = Value::boolean(IS_EQ(x, y, pc->d()));
        NEXT();
    }
    CASE(eq_imm) {
        A = Value::boolean(B == pc->value());
        NEXT();
    }
    CASE(logical_not) {
        const Value x = B;
        A = Value::boolean(!IS_TRUE(x));
        NEXT();
    }
    CASE(is_null) {
        const Value x = B;
        A = Value::boolean(IS_NULL(x));
        NEXT();
    }
    CASE(is_type) {
        const Value x = B;
        A = Value::boolean(IS_TYPE(x, pc->c(), pc->d()));
        NEXT();
    }
    CASE(is_record) {
        const Value x = B;
        A = Value::boolean(IS_RECORD(x, pc->c()));
        NEXT();
    }
    CASE(is_message) {
        const Value x = B;
        A = Value::boolean(IS_MESSAGE(x, pc->c()));
        NEXT();
    }
    CASE(jump) {
        GO(pc->c());
        DISPATCH();
    }
    TEST_BRANCH(true, pc->c(), IS_TRUE(A))
    TEST_BRANCH(null, pc->c(), IS_NULL(A))
    TEST_BRANCH(eq, pc->c(), IS_EQ(A, B, pc->d()))
    TEST_BRANCH(eq_imm, pc->b, A == pc->value())
    TEST_BRANCH(type, pc->c(), IS_TYPE(A, pc->b, pc->d()))
    TEST_BRANCH(record, pc->c(), IS_RECORD(A, pc->b))
    TEST_BRANCH(message, pc->c(), IS_MESSAGE(A, pc->b))

    // ── Objects ──

    CASE(cons) {
        A = heap.cons(B, C);
        note_allocation();
        NEXT();
    }
    CASE(car) {
        const Value x = B;
        A = LIKELY(is_pair(x)) ? as_pair(x).car : primitive(pc, base, Prim::car, x);
        NEXT();
    }
    CASE(cdr) {
        const Value x = B;
        A = LIKELY(is_pair(x)) ? as_pair(x).cdr : primitive(pc, base, Prim::cdr, x);
        NEXT();
    }
    CASE(vector_ref) {
        const Value x = B, at = C;
        if (LIKELY(is_type(x, ObjectType::vector) && IN_RANGE(at, x))) {
            A = as_vector(x).elements[at.as_fixnum()];
        } else {
            A = primitive(pc, base, Prim::vector_ref, x, at);
        }
        NEXT();
    }
    CASE(vector_ref_imm) {
        const Value x = B, at = Value::fixnum(pc->c());
        if (LIKELY(is_type(x, ObjectType::vector) && IN_RANGE(at, x))) {
            A = as_vector(x).elements[pc->c()];
        } else {
            A = primitive(pc, base, Prim::vector_ref, x, at);
        }
        NEXT();
    }
    CASE(vector_set) {
        const Value x = A, at = B;
        if (LIKELY(is_type(x, ObjectType::vector) && IN_RANGE(at, x) && (x.as_object()->flags & literal_flag) == 0)) {
            as_vector(x).elements[at.as_fixnum()] = C;
        } else {
            const Value args[] = {x, at, C};
            primitive(pc, base, Prim::vector_set, args, 3);
        }
        NEXT();
    }
    CASE(vector_length) {
        const Value x = B;
        A = LIKELY(is_type(x, ObjectType::vector)) ? Value::fixnum(x.as_object()->count)
                                                   : primitive(pc, base, Prim::vector_length, x);
        NEXT();
    }
    CASE(string_ref) {
        const Value x = B, at = C;
        if (LIKELY(is_type(x, ObjectType::string) && IN_RANGE(at, x))) {
            A = Value::character(as_string(x).at(static_cast<uint32_t>(at.as_fixnum())));
        } else {
            A = primitive(pc, base, Prim::string_ref, x, at);
        }
        NEXT();
    }
    CASE(string_length) {
        const Value x = B;
        A = LIKELY(is_type(x, ObjectType::string)) ? Value::fixnum(x.as_object()->count)
                                                   : primitive(pc, base, Prim::string_length, x);
        NEXT();
    }
    CASE(char_to_integer) {
        const Value x = B;
        A = LIKELY(x.is_character()) ? Value::fixnum(static_cast<int64_t>(x.as_character()))
                                     : primitive(pc, base, Prim::char_to_integer, x);
        NEXT();
    }
    CASE(make_record) {
        make_record(pc, base);
        pc += EXTRA_CELLS(pc->c());
        NEXT();
    }
    CASE(record_ref) {
        const Value x = B;
        if (UNLIKELY(!IS_RECORD(x, pc->d()))) fail_record(pc, base, x, false);
        A = as_record(x).fields[pc->c()];
        NEXT();
    }
    CASE(record_set) {
        const Value x = A;
        if (UNLIKELY(!IS_RECORD(x, pc->d()))) fail_record(pc, base, x, true);
        as_record(x).fields[pc->c()] = B;
        NEXT();
    }
    CASE(make_message) {
        make_message(pc, base);
        pc += EXTRA_CELLS(pc->c());
        NEXT();
    }
    CASE(message_ref) {
        const Value x = B;
        if (UNLIKELY(!IS_MESSAGE(x, pc->d()))) fail_message(pc, base, x);
        A = as_message(x).fields[pc->c()];
        NEXT();
    }
    CASE(values_ref) {
        const Value x = B;
        if (LIKELY(is_type(x, ObjectType::values) && x.as_object()->count == static_cast<uint32_t>(pc->d()))) {
            A = static_cast<Values*>(x.as_object())->elements[pc->c()];
        } else {
            const Value args[] = {x, Value::fixnum(pc->c()), Value::fixnum(pc->d())};
            A = primitive(pc, base, Prim::values_ref, args, 3);
        }
        NEXT();
    }
    CASE(prim1) {
        A = primitive(pc, base, static_cast<Prim>(pc->d()), B);
        NEXT();
    }
    CASE(prim2) {
        A = primitive(pc, base, static_cast<Prim>(pc->d()), B, C);
        NEXT();
    }
    CASE(prim_n) {
        A = primitive_n(pc, base);
        pc += EXTRA_CELLS(pc->c());
        NEXT();
    }
    CASE(prim_output) {
        A = primitive_n(pc, base);
        listener->display(displayed_);
        displayed_.clear();
        pc += EXTRA_CELLS(pc->c());
        NEXT();
    }

    // ── The model and its surroundings ──

    CASE(mark) {
        listener->mark(TargetId{static_cast<uint32_t>(pc->a)}, thread->number);
        NEXT();
    }
    CASE(mark_boundary) {
        const auto& o = std::get<op::MarkBoundary>(program.ops[static_cast<uint32_t>(pc->c())].kind);
        const Value left = A, right = B;
        if (is_at_boundary(left, right, o.difference)) listener->mark(o.target, thread->number);
        NEXT();
    }
    CASE(mark_determined) {
        const auto& o = std::get<op::MarkDetermined>(program.ops[static_cast<uint32_t>(pc->b)].kind);
        const Value trace = A;
        if (determines(program.decision_tables[o.decision], trace, o.atom, o.value))
            listener->mark(o.target, thread->number);
        NEXT();
    }
    CASE(write) {
        write(pc, base);
        NEXT();
    }
    CASE(assume) {
        const Value x = A;
        if (!IS_TRUE(x)) {
            leave(pc, base);
            return Outcome::assume_failed;
        }
        NEXT();
    }
    CASE(assert_) {
        const Value x = A;
        if (!IS_TRUE(x)) fail(pc, base, "assertion failed");
        NEXT();
    }
    CASE(spawn) {
        leave(pc, base);
        const Value site = pc->c() == inherited_site ? base[site_slot] : Value::fixnum(static_cast<uint32_t>(pc->c()));
        scheduler_->spawn(A, pc->b != 0, Label{static_cast<uint32_t>(site.as_fixnum())});
        NEXT();
    }
    CASE(send) {
        leave(pc, base);
        scheduler_->send(*thread, A, B);
        note_allocation();
        NEXT();
    }
    CASE(start_timer) {
        leave(pc, base);
        scheduler_->start_timer(A, B);
        NEXT();
    }
    CASE(stop_timer) {
        leave(pc, base);
        scheduler_->stop_timer(A);
        NEXT();
    }
    CASE(fresh) {
        make_fresh(pc, base, B, false);
        NEXT();
    }
    CASE(fresh_distinct) {
        make_fresh(pc, base, Value::null(), true);
        NEXT();
    }
    CASE(step) {
        const BlockId block{static_cast<uint32_t>(pc->a)};
        listener->step(thread->number, program[block].lambda, block,
                       Label{static_cast<uint32_t>(base[site_slot].as_fixnum())});
        NEXT();
    }
    CASE(assigned) {
        listener->assigned(Symbol{static_cast<uint32_t>(pc->a)}, B, thread->number);
        NEXT();
    }

    // ── Calls ──

    CASE(call_value) CALL_ANY(base[pc[1].a]);
    CASE(call_global) CALL_ANY(globals_[static_cast<size_t>(pc[1].a)]);
    CASE(call_known) {
        const auto* code = static_cast<const Code*>(pc[1].handler);
        CALL(code, base[pc[1].a]);
    }
    CASE(call_static) {
        const auto* code = static_cast<const Code*>(pc[1].handler);
        CALL(code, pc[1].value());
    }
    CASE(call_spread) {
        const Value callee = base[pc[1].a];
        const Code* code = enter(pc, base, callee, pc->a, static_cast<uint32_t>(pc->c()), true);
        base = thread->base;
        CALL(code, callee);
    }
    CASE(tail_value) TAIL_CALL_ANY(base[pc[1].a]);
    CASE(tail_global) TAIL_CALL_ANY(globals_[static_cast<size_t>(pc[1].a)]);
    CASE(tail_known) {
        const auto* code = static_cast<const Code*>(pc[1].handler);
        TAIL_CALL(code, base[pc[1].a]);
    }
    CASE(tail_static) {
        const auto* code = static_cast<const Code*>(pc[1].handler);
        TAIL_CALL(code, pc[1].value());
    }
    CASE(tail_spread) {
        const Value callee = base[pc[1].a];
        const Code* code = enter(pc, base, callee, 0, static_cast<uint32_t>(pc->c()), true);
        base = thread->base;
        TAIL_CALL(code, callee);
    }
    CASE(loop) {
        base[site_slot] = SITE(base[site_slot]);
        GO(pc->a);
        if (UNLIKELY(--fuel_ < 0)) goto at_safe_point;
        DISPATCH();
    }
    CASE(ret) {
        const Value result = A;
        pc = cell_of(base[return_slot]);
        base -= pc->a;
        base[pc->b] = result;
        pc += call_cells;
        DISPATCH();
    }
    CASE(ret_constant) {
        const Value result = pc->value();
        pc = cell_of(base[return_slot]);
        base -= pc->a;
        base[pc->b] = result;
        pc += call_cells;
        DISPATCH();
    }
    CASE(compile) {
        const Code& code = shared_.awake(codes_[static_cast<size_t>(pc->a)], globals_);
        pc = code.entry;
        if (base + code.need > stack_end_) base = grow(pc, base, code.need);
        DISPATCH();
    }
at_safe_point:
    leave(pc, base);
    if (!safe_point(*thread)) return is_stopped() ? Outcome::stopped : Outcome::out_of_steps;
    base = thread->base;
    DISPATCH();

    // ── Waiting ──

    CASE(select) {
        leave(pc, base);
        pc = scheduler_->begin_wait(*thread);
        if (pc == nullptr) return Outcome::waits;
        DISPATCH();
    }
    CASE(accept) {
        scheduler_->accept(*thread);
        NEXT();
    }
    CASE(refuse) {
        leave(pc, base);
        pc = scheduler_->next_test(*thread);
        if (pc == nullptr) return Outcome::waits;
        DISPATCH();
    }
    CASE(choose) {
        leave(pc, base);
        const uint32_t taken = listener->choose(Label{static_cast<uint32_t>(pc->b)}, static_cast<uint32_t>(pc->a));
        assert(taken < static_cast<uint32_t>(pc->a) && "the environment takes one of the alternatives");
        GO(pc[1 + taken].a);
        DISPATCH();
    }
    CASE(halt) {
        leave(pc, base);
        return Outcome::ended;
    }
}

} // namespace espalier::vm
