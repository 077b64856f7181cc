// The vocabulary of the loop in run.cpp, for that file only: what handlers are written in.
//
// A handler knows `pc`, its cell, and `base`, slot 0 of the running frame. A, B, C and D are the registers
// that its operands name. Every handler ends with a jump to the next, so none falls through.
#pragma once

#include "lang/vm/runner.hpp"

namespace espalier::vm {

inline bool both_fixnums(Value x, Value y) { return ((x.bits() | y.bits()) & 7) == 0; }
inline int64_t signed_bits(Value v) { return static_cast<int64_t>(v.bits()); }
inline Value from_signed(int64_t bits) { return Value::from_bits(static_cast<uint64_t>(bits)); }
inline bool is_fresh(Value v) { return is_type(v, ObjectType::fresh); }
inline Value tagged_operand(int32_t n) { return from_signed(n); }
inline const Instr* cell_of(Value v) { return reinterpret_cast<const Instr*>(v.bits()); }
inline Value word_of(const Instr* cell) { return Value::from_bits(reinterpret_cast<uint64_t>(cell)); }
inline int64_t floor_remainder(int64_t x, int64_t y) {
    const int64_t r = x % y;
    return r != 0 && (r ^ y) < 0 ? r + y : r;
}

} // namespace espalier::vm

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define A base[pc->a]
#define B base[pc->b]
#define C base[pc->c()]
#define D base[pc->d()]
#define CASE(name)                                                                                                     \
    name:
#define DISPATCH() goto * pc->handler
#define NEXT()                                                                                                         \
    do {                                                                                                               \
        ++pc;                                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)
// Distances to other cells are in bytes.
#define GO(distance) pc = reinterpret_cast<const Instr*>(reinterpret_cast<const char*>(pc) + (distance))
#define BRANCH(distance, condition)                                                                                    \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            GO(distance);                                                                                              \
            DISPATCH();                                                                                                \
        }                                                                                                              \
        NEXT();                                                                                                        \
    } while (0)
#define EXTRA_CELLS(count) (((count) + 3) / 4)

#define PRIMITIVE_OF(prim, x, y) primitive(pc, base, Prim::prim, x, y)

// Both operands small integers: `fast`, which sets r and says whether it fits. Else `slow`.
#define ARITHMETIC(name, y_value, fast, slow)                                                                          \
    CASE(name) {                                                                                                       \
        const Value x = B;                                                                                             \
        const Value y = y_value;                                                                                       \
        int64_t r = 0;                                                                                                 \
        if (both_fixnums(x, y)) [[likely]] {                                                                           \
            if (fast) [[likely]] {                                                                                     \
                A = from_signed(r);                                                                                    \
                NEXT();                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        A = slow;                                                                                                      \
        NEXT();                                                                                                        \
    }

// With a register and with a positive number as divisor. −2^60 / −1 is the one quotient that leaves the
// range.
#define DIVISION(name, computed)                                                                                       \
    ARITHMETIC(name, C, y.as_fixnum() != 0 && (r = computed, Value::fits_fixnum(r)) && (r *= 8, true),                 \
               PRIMITIVE_OF(name, x, y))                                                                               \
    ARITHMETIC(name##_imm, Value::fixnum(pc->c()), (r = (computed)*8, true), PRIMITIVE_OF(name, x, y))

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
    ((v).is_object() && ((v).as_object()->type == static_cast<ObjectType>(wanted) ||                                   \
                         (UNLIKELY(is_fresh(v)) && primitive(pc, base, static_cast<Prim>(prim), v).is_true())))
#define IS_RECORD(v, id) (is_type(v, ObjectType::record) && as_record(v).record == RecordId{static_cast<uint32_t>(id)})
#define IS_MESSAGE(v, id)                                                                                              \
    (is_type(v, ObjectType::message) && as_message(v).message == MessageId{static_cast<uint32_t>(id)})
#define IS_EQ(x, y, prim)                                                                                              \
    ((x) == (y) || ((x).is_object() && (y).is_object() && primitive(pc, base, static_cast<Prim>(prim), x, y).is_true()))

// The callee's frame is filled in but for its header; `pc` is the call.
#define SITE(frame_word) (pc->d() == inherited_site ? (frame_word) : Value::fixnum(static_cast<uint32_t>(pc->d())))
#define START(code)                                                                                                    \
    do {                                                                                                               \
        pc = (code)->entry;                                                                                            \
        if (UNLIKELY(base + (code)->need > stack_end_)) base = grow(pc, base, (code)->need);                           \
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

// A callee that may be anything: a closure that takes just so many arguments goes the short way.
#define CALL_ANY(callee_value)                                                                                         \
    do {                                                                                                               \
        const Value callee = callee_value;                                                                             \
        const auto count = static_cast<uint32_t>(pc->c());                                                             \
        if (LIKELY(is_type(callee, ObjectType::closure))) {                                                            \
            const Code* code = &codes_[index(as_closure(callee).lambda)];                                              \
            if (LIKELY(code->exact_arguments == count)) CALL(code, callee);                                            \
        }                                                                                                              \
        const Code* code = enter(pc, base, callee, pc->a, count, false);                                               \
        base = thread->base;                                                                                           \
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
        const Code* code = enter(pc, base, callee, 0, count, false);                                                   \
        base = thread->base;                                                                                           \
        TAIL_CALL(code, callee);                                                                                       \
    } while (0)

// A fixnum's bits, unsigned, are below 8 · n exactly when the number is among 0 … n − 1.
#define IN_RANGE(at, object) ((at).is_fixnum() && (at).bits() < uint64_t{(object).as_object()->count} << 3)
