// The register code of the concrete interpreter: its instructions, and what a compiled λ consists of.
//
// A frame is a run of words on its thread's stack. `base` points at slot 0; the parameters stand in the first
// slots, and three words below them are the header: the closure that runs, the call that waits for the
// result, and the call site by which the λ was entered (its variant). Arguments are computed straight into
// the slots of the frame to come, so a call copies little. An instruction is one cell: the address of its
// handler and four operands; some are followed by cells that hold further operands.
//
// Every word of a stack, headers included, is a value for the collector: addresses of cells and shifted
// labels look like small integers. Slots are not cleared on entry: what an old frame left in one was alive
// since the last collection, which clears all that lies above the running frame, so it is never a dangling
// reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lang/ir/ir.hpp"

namespace espalier::vm {

// VM_OP(name, operands a b c d): `d` a register that is written, `u` one that is read, `i` a number, `t` a
// block, `.` nothing; `I` (in the place of c and d) a word; a `*` at the end: more registers that are read,
// in cells that follow. Tests come in two forms: `unless_x` jumps when x does not hold, `when_x` when it
// does. Comparisons have only the first: the opposite order serves as the second.
#define VM_OPS(VM_OP)                                                                                                  \
    VM_OP(mov, "du..")                                                                                                 \
    VM_OP(mov2, "dudu")                                                                                                \
    VM_OP(constant, "d.I")                                                                                             \
    VM_OP(capture, "di..")                                                                                             \
    VM_OP(global, "di..")                                                                                              \
    VM_OP(global_checked, "di..")                                                                                      \
    VM_OP(global_set, "iu..")                                                                                          \
    VM_OP(box, "du..")                                                                                                 \
    VM_OP(box_unbound, "d...")                                                                                         \
    VM_OP(box_ref, "du..")                                                                                             \
    VM_OP(box_ref_checked, "dui.")                                                                                     \
    VM_OP(box_set, "uu..")                                                                                             \
    VM_OP(closure, "dii.*")                                                                                            \
    VM_OP(closure_patch, "uiu.")                                                                                       \
    VM_OP(add, "duu.")                                                                                                 \
    VM_OP(sub, "duu.")                                                                                                 \
    VM_OP(mul, "duu.")                                                                                                 \
    VM_OP(quotient, "duu.")                                                                                            \
    VM_OP(remainder, "duu.")                                                                                           \
    VM_OP(modulo, "duu.")                                                                                              \
    VM_OP(add_imm, "duii")                                                                                             \
    VM_OP(mul_imm, "dui.")                                                                                             \
    VM_OP(quotient_imm, "dui.")                                                                                        \
    VM_OP(remainder_imm, "dui.")                                                                                       \
    VM_OP(modulo_imm, "dui.")                                                                                          \
    VM_OP(bitwise_and, "duu.")                                                                                         \
    VM_OP(bitwise_or, "duu.")                                                                                          \
    VM_OP(bitwise_xor, "duu.")                                                                                         \
    VM_OP(num_eq, "duui")                                                                                              \
    VM_OP(lt, "duui")                                                                                                  \
    VM_OP(le, "duui")                                                                                                  \
    VM_OP(gt, "duui")                                                                                                  \
    VM_OP(ge, "duui")                                                                                                  \
    VM_OP(num_eq_imm, "duii")                                                                                          \
    VM_OP(lt_imm, "duii")                                                                                              \
    VM_OP(le_imm, "duii")                                                                                              \
    VM_OP(gt_imm, "duii")                                                                                              \
    VM_OP(ge_imm, "duii")                                                                                              \
    VM_OP(eq, "duui")                                                                                                  \
    VM_OP(eq_imm, "duI")                                                                                               \
    VM_OP(logical_not, "du..")                                                                                         \
    VM_OP(is_null, "du..")                                                                                             \
    VM_OP(is_type, "duii")                                                                                             \
    VM_OP(is_record, "dui.")                                                                                           \
    VM_OP(is_message, "dui.")                                                                                          \
    VM_OP(cons, "duu.")                                                                                                \
    VM_OP(car, "du..")                                                                                                 \
    VM_OP(cdr, "du..")                                                                                                 \
    VM_OP(vector_ref, "duu.")                                                                                          \
    VM_OP(vector_ref_imm, "dui.")                                                                                      \
    VM_OP(vector_set, "uuu.")                                                                                          \
    VM_OP(vector_length, "du..")                                                                                       \
    VM_OP(string_ref, "duu.")                                                                                          \
    VM_OP(string_length, "du..")                                                                                       \
    VM_OP(char_to_integer, "du..")                                                                                     \
    VM_OP(make_record, "dii.*")                                                                                        \
    VM_OP(record_ref, "duii")                                                                                          \
    VM_OP(record_set, "uuii")                                                                                          \
    VM_OP(make_message, "dii.*")                                                                                       \
    VM_OP(message_ref, "duii")                                                                                         \
    VM_OP(values_ref, "duii")                                                                                          \
    VM_OP(prim1, "du.i")                                                                                               \
    VM_OP(prim2, "duui")                                                                                               \
    VM_OP(prim_n, "d.ii*")                                                                                             \
    VM_OP(prim_output, "d.ii*")                                                                                        \
    VM_OP(mark, "i...")                                                                                                \
    VM_OP(mark_boundary, "uui.")                                                                                       \
    VM_OP(mark_determined, "ui..")                                                                                     \
    VM_OP(write, "uu..")                                                                                               \
    VM_OP(assume, "u...")                                                                                              \
    VM_OP(assert_, "u...")                                                                                             \
    VM_OP(spawn, "uii.")                                                                                               \
    VM_OP(send, "uu..")                                                                                                \
    VM_OP(start_timer, "uu..")                                                                                         \
    VM_OP(stop_timer, "u...")                                                                                          \
    VM_OP(fresh, "dui.")                                                                                               \
    VM_OP(fresh_distinct, "d.i.")                                                                                      \
    VM_OP(step, "i...")                                                                                                \
    VM_OP(assigned, "iu..")                                                                                            \
    VM_OP(jump, "..t.")                                                                                                \
    VM_OP(unless_true, "u.t.")                                                                                         \
    VM_OP(when_true, "u.t.")                                                                                           \
    VM_OP(unless_null, "u.t.")                                                                                         \
    VM_OP(when_null, "u.t.")                                                                                           \
    VM_OP(unless_eq, "uuti")                                                                                           \
    VM_OP(when_eq, "uuti")                                                                                             \
    VM_OP(unless_eq_imm, "utI")                                                                                        \
    VM_OP(when_eq_imm, "utI")                                                                                          \
    VM_OP(unless_type, "uiti")                                                                                         \
    VM_OP(when_type, "uiti")                                                                                           \
    VM_OP(unless_record, "uit.")                                                                                       \
    VM_OP(when_record, "uit.")                                                                                         \
    VM_OP(unless_message, "uit.")                                                                                      \
    VM_OP(when_message, "uit.")                                                                                        \
    VM_OP(unless_lt, "uuti")                                                                                           \
    VM_OP(unless_le, "uuti")                                                                                           \
    VM_OP(unless_gt, "uuti")                                                                                           \
    VM_OP(unless_ge, "uuti")                                                                                           \
    VM_OP(unless_num_eq, "uuti")                                                                                       \
    VM_OP(unless_num_ne, "uuti")                                                                                       \
    VM_OP(unless_lt_imm, "uiti")                                                                                       \
    VM_OP(unless_le_imm, "uiti")                                                                                       \
    VM_OP(unless_gt_imm, "uiti")                                                                                       \
    VM_OP(unless_ge_imm, "uiti")                                                                                       \
    VM_OP(unless_num_eq_imm, "uiti")                                                                                   \
    VM_OP(unless_num_ne_imm, "uiti")                                                                                   \
    VM_OP(call_value, "u...")                                                                                          \
    VM_OP(call_global, "i...")                                                                                         \
    VM_OP(call_known, "u...")                                                                                          \
    VM_OP(call_static, "..I")                                                                                          \
    VM_OP(call_spread, "u...")                                                                                         \
    VM_OP(tail_value, "u...")                                                                                          \
    VM_OP(tail_global, "i...")                                                                                         \
    VM_OP(tail_known, "u...")                                                                                          \
    VM_OP(tail_static, "..I")                                                                                          \
    VM_OP(tail_spread, "u...")                                                                                         \
    VM_OP(loop, "....")                                                                                                \
    VM_OP(ret, "u...")                                                                                                 \
    VM_OP(ret_constant, "..I")                                                                                         \
    VM_OP(select, "....")                                                                                              \
    VM_OP(accept, "....")                                                                                              \
    VM_OP(refuse, "....")                                                                                              \
    VM_OP(choose, "....")                                                                                              \
    VM_OP(compile, "i...")                                                                                             \
    VM_OP(halt, "....")

enum class Op : uint16_t {
#define VM_OP(name, operands) name,
    VM_OPS(VM_OP)
#undef VM_OP
};

inline constexpr std::string_view operand_roles[] = {
#define VM_OP(name, operands) operands,
    VM_OPS(VM_OP)
#undef VM_OP
};
inline constexpr size_t op_count = std::size(operand_roles);

constexpr std::string_view roles(Op op) { return operand_roles[static_cast<size_t>(op)]; }
constexpr bool has_word(Op op) { return roles(op)[2] == 'I'; }
constexpr bool has_extras(Op op) { return roles(op).back() == '*'; }

// A cell. c and d share a word, which some instructions use as a whole. A block as operand is its distance in
// bytes.
struct Instr {
    const void* handler = nullptr; // in the second cell of a call: its Code, where that is known
    int32_t a = 0;
    int32_t b = 0;
    uint64_t word = 0;

    int32_t c() const { return static_cast<int32_t>(static_cast<uint32_t>(word)); }
    int32_t d() const { return static_cast<int32_t>(static_cast<uint32_t>(word >> 32)); }
    Value value() const { return Value::from_bits(word); }
    void set(int32_t c, int32_t d) {
        word = static_cast<uint32_t>(c) | static_cast<uint64_t>(static_cast<uint32_t>(d)) << 32;
    }
};
static_assert(sizeof(Instr) == 24);

// The header of a frame, below its slot 0. The running closure is a register like any other: `self`.
inline constexpr int32_t header_size = 3;
inline constexpr int32_t closure_slot = -3;
inline constexpr int32_t return_slot = -2;
inline constexpr int32_t site_slot = -1;

// A call's cells, as `ret` reads them: {a: distance to the callee's frame, b: slot of the result, c: number
// of arguments, d: label}, {handler: Code, where known, a: slot or global of the callee, word: the closure,
// where constant}.
inline constexpr int32_t call_cells = 2;
// In the place of a call's label: code of the prelude passes on the call site of its own frame.
inline constexpr int32_t inherited_site = -1;

// Where a cell comes from, for errors and backtraces.
struct Place {
    uint32_t cell;
    Label label;
    Span span;
};

// A λ, compiled when first called: until then `entry` is `stub`, which sees to it.
struct Code {
    // What the translation took from a global: its value, or only that it is defined.
    struct Reliance {
        GlobalId global;
        std::optional<Value> value;
    };
    const Instr* entry = nullptr;
    uint32_t exact_arguments = UINT32_MAX; // that need no further look; UINT32_MAX: rest parameter
    uint32_t need = 0;                     // slots from the base, those of arguments of its calls included
    uint32_t frame = 0;                    // slots of its own
    LambdaId lambda{};
    Instr stub;
    std::vector<Instr> cells;
    std::vector<Place> places;       // by cell, ascending
    std::vector<Reliance> relied_on; // where other runs will share the code

    const Place* place(const Instr* cell) const;
};

} // namespace espalier::vm
