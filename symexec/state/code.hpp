// The code that the machine runs: each block of the λ-IR as a run of small instructions, decoded once.
//
// An instruction names frame slots, not variables: variables whose lives do not overlap share a slot, and constants
// that instructions can hold themselves have none (slots.cpp). What is frequent has an instruction of its own, which
// does the concrete case and leaves everything else to the general meaning of the operation; any operation or
// terminator without one becomes `operation` or `terminator`, which look at the λ-IR. So a new operation needs no
// instruction.
//
// A comparison that a branch follows is preceded by an instruction that does both where the operands are concrete, and
// nothing where they are not:
//
//     branch_if_less  v3 n 2        → the branch two instructions on, to where it goes
//     less            v3 n 2
//     branch          v3 b1 b2
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lang/lang.hpp"

namespace espalier::sym {

// Operands: a is the slot that is written, b, c and d are read, `word` is a constant; `e` is the operation's number in
// the program. Of terminators `e` is the block; of calls see below.
#define SYM_INSTRUCTIONS(X)                                                                                            \
    X(operation)                                                                                                       \
    X(constant)                                                                                                        \
    X(move)                                                                                                            \
    X(global)                                                                                                          \
    X(global_set)                                                                                                      \
    X(box_ref)                                                                                                         \
    X(box_set)                                                                                                         \
    X(pure) /* up to three operands, `flag` of them; `word` is its concrete meaning */                                 \
    X(add)                                                                                                             \
    X(sub)                                                                                                             \
    X(mul)                                                                                                             \
    X(quotient)                                                                                                        \
    X(remainder)                                                                                                       \
    X(modulo)                                                                                                          \
    X(num_eq)                                                                                                          \
    X(lt)                                                                                                              \
    X(le)                                                                                                              \
    X(gt)                                                                                                              \
    X(ge)                                                                                                              \
    X(eq)                                                                                                              \
    X(add_word) /* with a constant: `flag` where it is the first operand */                                            \
    X(sub_word)                                                                                                        \
    X(mul_word)                                                                                                        \
    X(quotient_word)                                                                                                   \
    X(remainder_word)                                                                                                  \
    X(modulo_word)                                                                                                     \
    X(num_eq_word)                                                                                                     \
    X(lt_word)                                                                                                         \
    X(le_word)                                                                                                         \
    X(gt_word)                                                                                                         \
    X(ge_word)                                                                                                         \
    X(eq_word)                                                                                                         \
    X(branch_if_num_eq)                                                                                                \
    X(branch_if_lt)                                                                                                    \
    X(branch_if_le)                                                                                                    \
    X(branch_if_gt)                                                                                                    \
    X(branch_if_ge)                                                                                                    \
    X(branch_if_eq)                                                                                                    \
    X(branch_if_num_eq_word)                                                                                           \
    X(branch_if_lt_word)                                                                                               \
    X(branch_if_le_word)                                                                                               \
    X(branch_if_gt_word)                                                                                               \
    X(branch_if_ge_word)                                                                                               \
    X(branch_if_eq_word)                                                                                               \
    X(branch_if_null)                                                                                                  \
    X(branch_if_pair)                                                                                                  \
    X(logical_not)                                                                                                     \
    X(is_null)                                                                                                         \
    X(is_pair)                                                                                                         \
    X(cons)                                                                                                            \
    X(car)                                                                                                             \
    X(cdr)                                                                                                             \
    X(vector_ref)                                                                                                      \
    X(vector_set)                                                                                                      \
    X(string_ref)                                                                                                      \
    X(string_length)                                                                                                   \
    X(char_to_integer)                                                                                                 \
    X(terminator) /* from here on: `e` is the block */                                                                 \
    X(jump)       /* a: target */                                                                                      \
    X(branch)     /* a: condition, b: then, c: else */                                                                 \
    X(call) /* a: callee or no_slot, b: λ or no_lambda, c: first of `count` arguments, `flag`: none is spread; */     \
    X(tail_call) /* d: slot of the result, lower half of `word`: where it goes on, upper half: the call site */        \
    X(return_)

enum class Opcode : uint8_t {
#define X(name) name,
    SYM_INSTRUCTIONS(X)
#undef X
};

inline constexpr uint32_t no_slot = UINT32_MAX;

struct Instruction {
    Opcode op;
    uint8_t flag = 0;
    uint16_t count = 0; // of a primitive: which; of a call: how many arguments
    uint32_t a = 0, b = 0, c = 0, d = 0, e = 0;
    uint64_t word = 0;
    Value value() const { return Value::from_bits(word); }
    Prim prim() const { return static_cast<Prim>(count); }
    uint32_t back() const { return static_cast<uint32_t>(word); }
    Label site() const { return Label{static_cast<uint32_t>(word >> 32)}; }
};

// What a call needs to know of the λ that it enters.
struct Entry {
    uint32_t pc = 0;
    uint32_t slots = 0; // of its frame: parameters, captures, the closure itself, others
    uint32_t params = 0;
    uint32_t captures = 0;
    bool fixed = false;     // takes exactly `params` arguments
    bool uses_self = false; // the closure's slot is used
    bool prelude = false;
};

// Are its arguments those of the λ it enters, or of any λ that takes so many?
inline bool is_plain_call(const Program& program, LambdaId known, VarList args, bool spread) {
    return !spread && args.count <= UINT16_MAX && (known == no_lambda || !program[known].rest);
}

// The slots of one λ's variables.
struct Slots {
    std::vector<uint32_t> of;           // by variable; no_slot where it needs none
    std::vector<const Value*> constant; // by variable; null where it is none
    uint32_t count = 0;
    bool uses_self = false;
};
// By λ: does it look at the closure that runs?
std::vector<bool> find_self_readers(const Program& program);
Slots allocate_slots(const Program& program, const Selects& selects, LambdaId lambda,
                     const std::vector<bool>& reads_self);
// Which operand of a primitive its instruction holds as a constant; none: -1.
int held_operand(const Program& program, const op::Primitive& primitive, const Slots& slots);

class Code {
public:
    explicit Code(const Program& program);

    const Instruction* base() const { return instructions_.data(); }
    size_t size() const { return instructions_.size(); }
    const Instruction& at(uint32_t pc) const { return instructions_[pc]; }
    const Entry& entry(LambdaId l) const { return entries_[index(l)]; }
    const uint32_t* arguments() const { return arguments_.data(); }
    uint32_t start(BlockId b) const { return starts_[index(b)]; }
    const Selects& selects() const { return selects_; }
    // The slots of a λ's variables, by variable.
    const uint32_t* slots(LambdaId l) const { return slots_.data() + program_[l].first_name; }

private:
    friend class Decoder;
    const Program& program_;
    const Selects selects_;
    std::vector<Instruction> instructions_;
    std::vector<uint32_t> arguments_; // of calls: slots
    std::vector<uint32_t> starts_;    // by block
    std::vector<Entry> entries_;      // by λ
    std::vector<uint32_t> slots_;
};

} // namespace espalier::sym
