// The loop that runs a thread's code, as long as nothing needs the scheduler, a decision or the search.
//
// What is frequent and concrete is done here, on slots of the running frame, which no other state sees. Everything else
// leaves through a member function that knows all cases; the thread's place is written down first, so that an operation
// that divides the path, or fails, can be found and started again. A step is a block that was begun, from its start or
// after an interruption; whether the steps suffice is asked at each, so that every run ends by its limits at the same
// place.
#include <cassert>

#include "symexec/machine/machine.hpp"

// Labels as values are what direct threading is made of; no standard has them yet.
#pragma GCC diagnostic ignored "-Wpedantic"

#define NEXT() goto* handlers[static_cast<uint8_t>(pc->op)]
#define CASE(name)                                                                                                     \
    name:
#define A v[pc->a]
#define B v[pc->b]
#define C v[pc->c]
#define D v[pc->d]
#define DONE()                                                                                                         \
    ++pc;                                                                                                              \
    NEXT()
#define BEGIN_BLOCK(target)                                                                                            \
    pc = base + (target);                                                                                              \
    entered[pc - base] = 1;                                                                                            \
    if (!steps_.begin_block()) [[unlikely]]                                                                            \
        goto out_of_breath;                                                                                            \
    NEXT()

#define ARE_SMALL(x, y) ((((x).bits() | (y).bits()) & 7) == Value::fixnum_tag)
#define SIGNED(x) static_cast<int64_t>((x).bits())
// Two small integers, in either form of the instruction; `no` says where to go with others.
#define ARITHMETIC(name, y_operand, no, computes)                                                                      \
    CASE(name) {                                                                                                       \
        const Value x = B, y = y_operand;                                                                              \
        int64_t r = 0;                                                                                                 \
        if (!ARE_SMALL(x, y) || !(computes)) [[unlikely]]                                                              \
            goto no;                                                                                                   \
        A = Value::from_bits(static_cast<uint64_t>(r));                                                                \
        DONE();                                                                                                        \
    }
#define BOTH_ARITHMETIC(name, computes)                                                                                \
    ARITHMETIC(name, C, general_binary, computes)                                                                      \
    ARITHMETIC(name##_word, pc->value(), general_word, computes)
#define COMPARISON(name, y_operand, no, is_concrete, holds)                                                            \
    CASE(name) {                                                                                                       \
        const Value x = B, y = y_operand;                                                                              \
        if (!(is_concrete)) [[unlikely]]                                                                               \
            goto no;                                                                                                   \
        A = Value::boolean(holds);                                                                                     \
        DONE();                                                                                                        \
    }
// With the branch two instructions on.
#define BRANCHING(name, y_operand, is_concrete, holds)                                                                 \
    CASE(name) {                                                                                                       \
        const Value x = B, y = y_operand;                                                                              \
        if (!(is_concrete)) [[unlikely]] {                                                                             \
            DONE();                                                                                                    \
        }                                                                                                              \
        const bool yes = (holds);                                                                                      \
        A = Value::boolean(yes);                                                                                       \
        BEGIN_BLOCK(yes ? pc[2].b : pc[2].c);                                                                          \
    }
#define ALL_COMPARISONS(name, is_concrete, holds)                                                                      \
    COMPARISON(name, C, general_binary, is_concrete, holds)                                                            \
    COMPARISON(name##_word, pc->value(), general_word, is_concrete, holds)                                             \
    BRANCHING(branch_if_##name, C, is_concrete, holds)                                                                 \
    BRANCHING(branch_if_##name##_word, pc->value(), is_concrete, holds)

namespace espalier::sym {

namespace {

// Is it neither symbolic nor an object, in the heap or in the store?
inline bool is_simple(Value v) { return v.tag() == Value::fixnum_tag || v.tag() == Value::immediate_tag; }
// Do predicates of type know it by its word and its header?
inline bool has_plain_type(Value v) {
    return is_simple(v) || (v.is_object() && v.as_object()->type != ObjectType::fresh);
}
inline bool is_plain(Value v) { return !v.is_term() && !v.is_address(); }
// The λ that a call enters, and its closure where that matters. False: the general way finds out, or says what is
// wrong.
inline bool resolve(const Code& code, const Instruction& call, const Value* v, LambdaId& to, Value& callee) {
    to = LambdaId{call.b};
    if (call.a == no_slot) return true;
    callee = v[call.a];
    if (call.flag == 0 || !is_type(callee, ObjectType::closure)) return false;
    if (to != no_lambda) return true;
    to = as_closure(callee).lambda;
    return code.entry(to).fixed && code.entry(to).params == call.count;
}
inline void pass(const Code& code, const Instruction& call, const Entry& entry, Value callee, const Value* v,
                 Value* w) {
    const uint32_t* argument = code.arguments() + call.c;
    for (uint32_t i = 0; i < call.count; ++i) *w++ = v[argument[i]];
    if (call.a == no_slot) return;
    const Value* capture = as_closure(callee).captures;
    for (uint32_t i = 0; i < entry.captures; ++i) *w++ = capture[i];
    if (entry.uses_self) *w = callee;
}
inline int64_t modulo_of(int64_t x, int64_t y) {
    const int64_t r = x % y;
    return r != 0 && (r ^ y) < 0 ? r + y : r;
}

} // namespace

std::optional<Outcome> Machine::run_thread(State& s) {
    static const void* const handlers[] = {
#define X(name) &&name,
        SYM_INSTRUCTIONS(X)
#undef X
    };
    const Instruction* const base = context_.code.base();
    uint8_t* const entered = entered_.data();
    Thread* t = &s.threads[s.running];
    Frame* f = t->frame.get();
    Value* v = f->variables;
    const Instruction* pc = base;
    if (std::exchange(is_within_block_, false)) [[unlikely]] {
        pc = base + t->pc;
        NEXT();
    }
    BEGIN_BLOCK(t->pc);

out_of_breath:
    t->pc = static_cast<uint32_t>(pc - base);
    if (const auto outcome = pause(s)) return outcome;
    NEXT();

    // ── The general way ──

    CASE(operation) {
    general:
        t->pc = static_cast<uint32_t>(pc - base);
        if (const auto end = operations_.execute(s, *t, context_.program.ops[pc->e])) return end;
        steps_.heed_interrupt();
        if (!s.decisions.empty()) s.decisions.finish();
        t = &s.threads[s.running]; // a new thread may have moved them
        if (t->pc == static_cast<uint32_t>(pc - base)) ++t->pc;
        if (!context_.arrival.marks.empty()) [[unlikely]] {
            context_.arrival.is_within_block = true;
            return Outcome::arrived;
        }
        f = t->frame.get();
        v = f->variables;
        pc = base + t->pc;
        NEXT();
    }
    CASE(terminator) {
    general_terminator:
        t->pc = static_cast<uint32_t>(pc - base);
        const auto outcome = terminate(s, *t, BlockId{pc->e});
        if (!outcome && !s.decisions.empty()) s.decisions.finish();
        if (!outcome && !context_.arrival.marks.empty()) return Outcome::arrived;
        return outcome;
    }
general_binary : {
    const Value args[] = {B, C};
    t->pc = static_cast<uint32_t>(pc - base);
    A = compute(s, pc->prim(), args);
    if (!s.decisions.empty()) s.decisions.finish();
    DONE();
}
general_word : {
    const Value args[] = {pc->flag != 0 ? pc->value() : B, pc->flag != 0 ? B : pc->value()};
    t->pc = static_cast<uint32_t>(pc - base);
    A = compute(s, pc->prim(), args);
    if (!s.decisions.empty()) s.decisions.finish();
    DONE();
}
    CASE(pure) {
        const Value args[] = {B, C, D}; // those beyond `flag` are some slot's
        for (uint32_t i = 0; i < pc->flag; ++i)
            if (!is_plain(args[i])) goto general;
        t->pc = static_cast<uint32_t>(pc - base);
        A = reinterpret_cast<PrimFunction>(pc->word)(context_.concrete, args, pc->flag);
        steps_.note_work(A);
        DONE();
    }

    // ── Data ──

    CASE(constant) {
        A = pc->value();
        DONE();
    }
    CASE(move) {
        A = B;
        DONE();
    }
    CASE(global) {
        const Value content = s.store.get(pc->b);
        if (pc->flag != 0 && content.is_unbound()) goto general;
        A = content;
        DONE();
    }
    CASE(global_set) {
        s.store.set(pc->b, C);
        DONE();
    }
    CASE(box_ref) {
        const Value content = s.store.get(B.payload());
        if (pc->flag != 0 && content.is_unbound()) goto general;
        A = content;
        DONE();
    }
    CASE(box_set) {
        s.store.set(B.payload(), C);
        DONE();
    }
    CASE(cons) {
        A = context_.heap.cons(B, C);
        DONE();
    }
    CASE(car) {
        const Value p = B;
        if (!espalier::is_pair(p)) goto general;
        A = as_pair(p).car;
        DONE();
    }
    CASE(cdr) {
        const Value p = B;
        if (!espalier::is_pair(p)) goto general;
        A = as_pair(p).cdr;
        DONE();
    }
    CASE(vector_ref) {
        const Value object = B, at = C;
        if (!object.is_address()) goto general;
        const Value head = s.store.get(object.payload());
        if (kind_of(head) != Kind::vector || !at.is_fixnum() || at.bits() >= uint64_t{number_of(head)} << 3)
            goto general;
        A = s.store.get(object.payload() + 1 + static_cast<uint32_t>(at.as_fixnum()));
        DONE();
    }
    CASE(vector_set) {
        const Value object = B, at = C;
        if (!object.is_address()) goto general;
        const Value head = s.store.get(object.payload());
        if (kind_of(head) != Kind::vector || !at.is_fixnum() || at.bits() >= uint64_t{number_of(head)} << 3)
            goto general;
        s.store.set(object.payload() + 1 + static_cast<uint32_t>(at.as_fixnum()), D);
        A = Value::unspecified();
        DONE();
    }
    CASE(string_ref) {
        const Value string = B, at = C;
        if (!is_type(string, ObjectType::string) || !at.is_fixnum() ||
            at.bits() >= uint64_t{string.as_object()->count} << 3)
            goto general;
        A = Value::character(as_string(string).at(static_cast<uint32_t>(at.as_fixnum())));
        DONE();
    }
    CASE(string_length) {
        const Value string = B;
        if (!is_type(string, ObjectType::string)) goto general;
        A = Value::fixnum(string.as_object()->count);
        DONE();
    }
    CASE(char_to_integer) {
        const Value c = B;
        if (!c.is_character()) goto general;
        A = Value::fixnum(c.as_character());
        DONE();
    }
    CASE(logical_not) {
        const Value x = B;
        if (!has_plain_type(x)) goto general;
        A = Value::boolean(x.is_false());
        DONE();
    }
    CASE(is_null) {
        const Value x = B;
        if (!has_plain_type(x)) goto general;
        A = Value::boolean(x.is_null());
        DONE();
    }
    CASE(is_pair) {
        const Value x = B;
        if (!has_plain_type(x)) goto general;
        A = Value::boolean(espalier::is_pair(x));
        DONE();
    }

    // ── Numbers ──

    BOTH_ARITHMETIC(add, !__builtin_add_overflow(SIGNED(x), SIGNED(y), &r))
    BOTH_ARITHMETIC(sub, !__builtin_sub_overflow(SIGNED(x), SIGNED(y), &r))
    BOTH_ARITHMETIC(mul, !__builtin_mul_overflow(x.as_fixnum(), SIGNED(y), &r))
    BOTH_ARITHMETIC(quotient,
                    y.bits() != 0 && (r = x.as_fixnum() / y.as_fixnum(), Value::fits_fixnum(r)) && (r *= 8, true))
    BOTH_ARITHMETIC(remainder, y.bits() != 0 && (r = SIGNED(x) % SIGNED(y), true))
    BOTH_ARITHMETIC(modulo, y.bits() != 0 && (r = modulo_of(SIGNED(x), SIGNED(y)), true))

    ALL_COMPARISONS(num_eq, ARE_SMALL(x, y), x == y)
    ALL_COMPARISONS(lt, ARE_SMALL(x, y), SIGNED(x) < SIGNED(y))
    ALL_COMPARISONS(le, ARE_SMALL(x, y), SIGNED(x) <= SIGNED(y))
    ALL_COMPARISONS(gt, ARE_SMALL(x, y), SIGNED(x) > SIGNED(y))
    ALL_COMPARISONS(ge, ARE_SMALL(x, y), SIGNED(x) >= SIGNED(y))
    ALL_COMPARISONS(eq, is_simple(x) && is_simple(y), x == y)

    CASE(branch_if_null) {
        const Value x = B;
        if (!has_plain_type(x)) {
            DONE();
        }
        A = Value::boolean(x.is_null());
        BEGIN_BLOCK(x.is_null() ? pc[2].b : pc[2].c);
    }
    CASE(branch_if_pair) {
        const Value x = B;
        if (!has_plain_type(x)) {
            DONE();
        }
        const bool yes = espalier::is_pair(x);
        A = Value::boolean(yes);
        BEGIN_BLOCK(yes ? pc[2].b : pc[2].c);
    }

    // ── Control ──

    CASE(jump) { BEGIN_BLOCK(pc->a); }
    CASE(branch) {
        const Value condition = A;
        if (condition.is_term()) goto general_terminator;
        BEGIN_BLOCK(condition.is_false() ? pc->c : pc->b);
    }
    CASE(call) {
        LambdaId to{};
        Value callee;
        if (!resolve(context_.code, *pc, v, to, callee)) goto general_terminator;
        const Entry& entry = context_.code.entry(to);
        Frame* g = frames_.take(to, entry.slots);
        pass(context_.code, *pc, entry, callee, v, g->variables);
        g->back = static_cast<uint32_t>(pc - base);
        g->site = context_.code.entry(f->lambda).prelude && f->site != no_label ? f->site : pc->site();
        g->caller = f;
        t->frame.replace(g);
        f = g;
        v = g->variables;
        if (context_.heap.due()) [[unlikely]]
            context_.observer->collect();
        BEGIN_BLOCK(entry.pc);
    }
    CASE(tail_call) {
        LambdaId to{};
        Value callee;
        if (!resolve(context_.code, *pc, v, to, callee)) goto general_terminator;
        const Entry& entry = context_.code.entry(to);
        assert(f->refs == 1 && "no other state sees the running frame");
        Frame* g = frames_.take(to, entry.slots);
        pass(context_.code, *pc, entry, callee, v, g->variables);
        g->back = f->back;
        g->site = context_.code.entry(f->lambda).prelude && f->site != no_label ? f->site : pc->site();
        g->caller = f->caller;
        t->frame.replace(g);
        frames_.give(f);
        f = g;
        v = g->variables;
        if (context_.heap.due()) [[unlikely]]
            context_.observer->collect();
        BEGIN_BLOCK(entry.pc);
    }
    CASE(return_) {
        Frame* caller = f->caller;
        if (caller == nullptr) goto general_terminator;
        const Value result = A;
        const Instruction& call = base[f->back];
        if (caller->refs == 1) [[likely]] {
            t->frame.replace(caller);
            frames_.give(f);
            f = caller;
        } else {
            t->frame.pop();
            f = t->frame.get();
        }
        v = f->variables;
        v[call.d] = result;
        BEGIN_BLOCK(call.back());
    }
}

} // namespace espalier::sym
