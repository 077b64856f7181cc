// The loop that runs register code.
//
// Direct threading: a cell begins with the address of its handler, and a handler ends with the jump to the next. What
// is frequent (small integers, pairs, vectors, calls whose arguments fit) is done here; the rest leaves through a member
// function of the machine that takes the cell and the frame, so that a failure knows its place.
#include "lang/channel.hpp"
#include "lang/scheduler.hpp"
#include "lang/vm_machine.hpp"

// Labels as values are what direct threading is made of; no standard has them yet.
#pragma GCC diagnostic ignored "-Wpedantic"

namespace espalier::vm {

namespace {

bool both_fixnums(Value x, Value y) { return ((x.bits() | y.bits()) & 7) == 0; }
int64_t signed_bits(Value v) { return static_cast<int64_t>(v.bits()); }
Value from_signed(int64_t bits) { return Value::from_bits(static_cast<uint64_t>(bits)); }
bool is_fresh(Value v) { return is_type(v, ObjectType::fresh); }
Value tagged_operand(int32_t n) { return from_signed(n); }
const Instr* cell_of(Value v) { return reinterpret_cast<const Instr*>(v.bits()); }
Value word_of(const Instr* cell) { return Value::from_bits(reinterpret_cast<uint64_t>(cell)); }

}  // namespace

const void* const* Machine::handlers() {
    const void* const* table = nullptr;
    loop(nullptr, &table);
    return table;
}

Outcome Machine::run(Thread& thread) {
    running_ = &thread;
    stack_end_ = thread.stack.end();
    return loop(&thread, nullptr);
}

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define A base[pc->a]
#define B base[pc->b]
#define C base[pc->c()]
#define D base[pc->d()]
#define CASE(name) name:
#define DISPATCH() goto* pc->handler
#define NEXT()                                                                                                         \
    do {                                                                                                               \
        ++pc;                                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)
#define BRANCH(distance, condition)                                                                                    \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            pc += (distance);                                                                                          \
            DISPATCH();                                                                                                \
        }                                                                                                              \
        NEXT();                                                                                                        \
    } while (0)
#define EXTRA_CELLS(count) (((count) + 3) / 4)

// Both operands small integers: `fast`, which sets r and says whether it fits. Else the primitive.
#define ARITHMETIC(name, y_value, fast)                                                                                \
    CASE(name) {                                                                                                       \
        const Value x = B;                                                                                             \
        const Value y = y_value;                                                                                       \
        int64_t r = 0;                                                                                                 \
        if (LIKELY(both_fixnums(x, y)) && LIKELY(fast)) {                                                              \
            A = from_signed(r);                                                                                        \
            NEXT();                                                                                                    \
        }

#define SLOW_ARITHMETIC(prim)                                                                                          \
    A = primitive(pc, base, Prim::prim, x, y);                                                                         \
    NEXT();                                                                                                            \
    }

#define COMPARISON(name, op)                                                                                           \
    CASE(name) {                                                                                                       \
        const Value x = B, y = C;                                                                                      \
        if (LIKELY(both_fixnums(x, y))) {                                                                              \
            A = Value::boolean(signed_bits(x) op signed_bits(y));                                                      \
        } else {                                                                                                       \
            A = Value::boolean(compare(pc, base, Prim::name, false, static_cast<Prim>(pc->d()), x, y));                \
        }                                                                                                              \
        NEXT();                                                                                                        \
    }                                                                                                                  \
    CASE(name##_imm) {                                                                                                 \
        const Value x = B, y = tagged_operand(pc->c());                                                                \
        if (LIKELY(x.is_fixnum())) {                                                                                   \
            A = Value::boolean(signed_bits(x) op signed_bits(y));                                                      \
        } else {                                                                                                       \
            A = Value::boolean(compare(pc, base, Prim::name, false, static_cast<Prim>(pc->d()), x, y));                \
        }                                                                                                              \
        NEXT();                                                                                                        \
    }

#define COMPARISON_BRANCH(name, prim, negated, op)                                                                     \
    CASE(unless_##name) {                                                                                              \
        const Value x = A, y = B;                                                                                      \
        if (LIKELY(both_fixnums(x, y))) BRANCH(pc->c(), !(signed_bits(x) op signed_bits(y)));                          \
        BRANCH(pc->c(), !compare(pc, base, Prim::prim, negated, static_cast<Prim>(pc->d()), x, y));                    \
    }                                                                                                                  \
    CASE(unless_##name##_imm) {                                                                                        \
        const Value x = A, y = tagged_operand(pc->b);                                                                  \
        if (LIKELY(x.is_fixnum())) BRANCH(pc->c(), !(signed_bits(x) op signed_bits(y)));                               \
        BRANCH(pc->c(), !compare(pc, base, Prim::prim, negated, static_cast<Prim>(pc->d()), x, y));                    \
    }

// A test for branches in both forms; `holds` may use `result`.
#define TEST_BRANCH(name, distance, holds)                                                                             \
    CASE(unless_##name) BRANCH(distance, !(holds));                                                                    \
    CASE(when_##name) BRANCH(distance, holds);

#define IS_TRUE(v) (!(v).is_false() && (LIKELY(!is_fresh(v)) || !primitive(pc, base, Prim::not_, v).is_true()))
#define IS_NULL(v) ((v).is_null() || (UNLIKELY(is_fresh(v)) && primitive(pc, base, Prim::is_null, v).is_true()))
#define IS_TYPE(v, wanted, prim)                                                                                       \
    ((v).is_object() &&                                                                                                \
     ((v).as_object()->type == static_cast<ObjectType>(wanted) ||                                                      \
      (UNLIKELY(is_fresh(v)) && primitive(pc, base, static_cast<Prim>(prim), v).is_true())))
#define IS_RECORD(v, id) (is_type(v, ObjectType::record) && as_record(v).record == RecordId{static_cast<uint32_t>(id)})
#define IS_MESSAGE(v, id)                                                                                              \
    (is_type(v, ObjectType::message) && as_message(v).message == MessageId{static_cast<uint32_t>(id)})
#define IS_EQ(x, y, prim)                                                                                              \
    ((x) == (y) || ((x).is_object() && (y).is_object() &&                                                              \
                    primitive(pc, base, static_cast<Prim>(prim), x, y).is_true()))

// The callee's frame is filled in but for its header; `pc` is the call.
#define SITE(frame_word) (pc->d() == inherited_site ? (frame_word) : Value::fixnum(static_cast<uint32_t>(pc->d())))
#define START(code)                                                                                                    \
    do {                                                                                                               \
        pc = (code)->entry;                                                                                            \
        if (UNLIKELY(base + (code)->need > stack_end_)) base = grow(pc, base, (code)->need);                  \
        if (UNLIKELY(--fuel_ < 0)) goto at_safe_point;                                                                 \
        DISPATCH();                                                                                                    \
    } while (0)
#define CALL(code, closure_value)                                                                                      \
    do {                                                                                                               \
        Value* frame = base + pc->a;                                                                                   \
        frame[closure_slot] = closure_value;                                                                           \
        frame[return_slot] = word_of(pc);                                                                              \
        frame[site_slot] = SITE(base[site_slot]);                                                                      \
        base = frame;                                                                                                  \
        START(code);                                                                                                   \
    } while (0)
#define TAIL_CALL(code, closure_value)                                                                                 \
    do {                                                                                                               \
        base[closure_slot] = closure_value;                                                                            \
        base[site_slot] = SITE(base[site_slot]);                                                                       \
        START(code);                                                                                                   \
    } while (0)

Outcome Machine::loop(Thread* thread, const void* const** table) {
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

    ARITHMETIC(add, C, !__builtin_add_overflow(signed_bits(x), signed_bits(y), &r))
    SLOW_ARITHMETIC(add)
    ARITHMETIC(sub, C, !__builtin_sub_overflow(signed_bits(x), signed_bits(y), &r))
    SLOW_ARITHMETIC(sub)
    ARITHMETIC(mul, C, !__builtin_mul_overflow(x.as_fixnum(), signed_bits(y), &r))
    SLOW_ARITHMETIC(mul)
    ARITHMETIC(add_imm, tagged_operand(pc->c()), !__builtin_add_overflow(signed_bits(x), signed_bits(y), &r))
    if (static_cast<Prim>(pc->d()) == Prim::sub) {
        A = primitive(pc, base, Prim::sub, x, from_signed(-signed_bits(y)));
        NEXT();
    }
    SLOW_ARITHMETIC(add)
    ARITHMETIC(mul_imm, Value::fixnum(pc->c()), !__builtin_mul_overflow(signed_bits(x), y.as_fixnum(), &r))
    SLOW_ARITHMETIC(mul)

// −2^60 / −1 is the one quotient that leaves the range.
#define DIVISION(name, y_value, computed)                                                                              \
    ARITHMETIC(name, y_value, y.as_fixnum() != 0 && (r = computed, Value::fits_fixnum(r)) && ((r <<= 3), true))
    DIVISION(quotient, C, x.as_fixnum() / y.as_fixnum())
    SLOW_ARITHMETIC(quotient)
    DIVISION(remainder, C, x.as_fixnum() % y.as_fixnum())
    SLOW_ARITHMETIC(remainder)
    DIVISION(quotient_imm, Value::fixnum(pc->c()), x.as_fixnum() / y.as_fixnum())
    SLOW_ARITHMETIC(quotient)
    DIVISION(remainder_imm, Value::fixnum(pc->c()), x.as_fixnum() % y.as_fixnum())
    SLOW_ARITHMETIC(remainder)
#define MODULO (r = x.as_fixnum() % y.as_fixnum(), r != 0 && (r ^ y.as_fixnum()) < 0 ? r + y.as_fixnum() : r)
    DIVISION(modulo, C, MODULO)
    SLOW_ARITHMETIC(modulo)
    DIVISION(modulo_imm, Value::fixnum(pc->c()), MODULO)
    SLOW_ARITHMETIC(modulo)
    ARITHMETIC(bitwise_and, C, (r = signed_bits(x) & signed_bits(y), true))
    SLOW_ARITHMETIC(bitwise_and)
    ARITHMETIC(bitwise_or, C, (r = signed_bits(x) | signed_bits(y), true))
    SLOW_ARITHMETIC(bitwise_or)
    ARITHMETIC(bitwise_xor, C, (r = signed_bits(x) ^ signed_bits(y), true))
    SLOW_ARITHMETIC(bitwise_xor)

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
        pc += pc->c();
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
// A fixnum's bits, unsigned, are below 8 · n exactly when the number is among 0 … n − 1.
#define IN_RANGE(at, object) ((at).is_fixnum() && (at).bits() < uint64_t{(object).as_object()->count} << 3)
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

// A callee that may be anything: a closure that takes just so many arguments goes the short way.
#define CALL_ANY(callee_value)                                                                                         \
    do {                                                                                                               \
        const Value callee = callee_value;                                                                             \
        const auto count = static_cast<uint32_t>(pc->c());                                                             \
        if (LIKELY(is_type(callee, ObjectType::closure))) {                                                            \
            const Code* code = &codes_[index(as_closure(callee).lambda)];                                              \
            if (LIKELY(code->exact_arguments == count)) CALL(code, callee);                                            \
        }                                                                                                              \
        const Code* code = enter(pc, base, callee, pc->a, count, false);                                      \
        base = thread->base;                                      \
        CALL(code, callee);                                                                                            \
    } while (0)
#define TAIL_CALL_ANY(callee_value)                                                                                    \
    do {                                                                                                               \
        const Value callee = callee_value;                                                                             \
        const auto count = static_cast<uint32_t>(pc->c());                                                             \
        if (LIKELY(is_type(callee, ObjectType::closure))) {                                                            \
            const Code* code = &codes_[index(as_closure(callee).lambda)];                                              \
            if (LIKELY(code->exact_arguments == count)) TAIL_CALL(code, callee);                                       \
        }                                                                                                              \
        const Code* code = enter(pc, base, callee, 0, count, false);                                          \
        base = thread->base;                                          \
        TAIL_CALL(code, callee);                                                                                       \
    } while (0)

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
        pc += pc->a;
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
        const Code& code = compile(codes_[static_cast<size_t>(pc->a)]);
        pc = code.entry;
        if (base + code.need > stack_end_) base = grow(pc, base, code.need);
        DISPATCH();
    }
at_safe_point:
    leave(pc, base);
    if (!safe_point(*thread)) return Outcome::out_of_steps;
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
        pc += pc[1 + taken].a;
        DISPATCH();
    }
    CASE(halt) {
        leave(pc, base);
        return Outcome::ended;
    }
}

}  // namespace espalier::vm
