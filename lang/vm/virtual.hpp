// The code of one λ between the IR and the register code: instructions chosen, registers not yet.
//
//   λ-IR ─translate→ VirtualCode ─allocate→ slots ─emit→ Code
//
// A virtual register is written at one place. Constants and captured variables get one where they are needed
// in a block; everything else has one from its definition on. Blocks are those of the λ, in its (topological)
// order.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "lang/ir/selects.hpp"
#include "lang/vm/code.hpp"

namespace espalier::vm {

using Reg = uint32_t;
inline constexpr Reg no_reg = UINT32_MAX;

struct VirtualInstr {
    Op op = Op::halt;
    std::array<uint32_t, 4> operands{};
    uint64_t word = 0;        // where the op has one
    uint32_t first_extra = 0; // in VirtualCode::extras
    uint32_t extra_count = 0;
    Label label = no_label;
    Span span;
};

struct VirtualBlock {
    // How control leaves the block, and what `args` are then.
    enum class Exit : uint8_t {
        jump,   // to successor 0: its parameters
        branch, // `end` decides: 0 where its test holds, else 1
        call,   // goes on in successor 0: the callee's arguments
        tail,   // the callee's arguments
        loop,   // to the start of the λ: its parameters
        ret,
        select, // successor i is clause i's test: the sources, each at its first clause (no_reg: none)
        accept, // to successor 0: its parameters
        refuse,
        choose,
    };
    std::vector<Reg> params;
    std::vector<VirtualInstr> code;
    VirtualInstr end;
    Exit exit = Exit::ret;
    std::vector<uint32_t> successors;
    std::vector<Reg> args;
    LambdaId callee = no_lambda;           // of a call, where known
    const SelectClause* clauses = nullptr; // of a select
};

struct VirtualCode {
    std::vector<VirtualBlock> blocks;
    std::vector<Reg> extras;
    Reg registers = 0;
    Reg self = no_reg;     // lives in the header
    uint32_t prologue = 0; // instructions of block 0 that a loop does not repeat
    std::vector<Reg> kept; // registers that the prologue loads and every turn of a loop needs
};

// What the translation of a λ may rely on besides the program.
struct CompileContext {
    enum class Fact : uint8_t { defined, constant };
    const Program& program;
    const Selects& selects;
    const std::vector<Value>& globals;             // as they are now
    std::function<bool(GlobalId, Fact)> can_rely;  // on the global being so; what was asked for and granted is kept
    std::function<Value(LambdaId)> static_closure; // of a λ that captures nothing
    bool follow = false;
    bool trace_assignments = false;
};

VirtualCode translate(const CompileContext& context, LambdaId lambda);

// Slots by register, ≥ 0 in the frame, closure_slot for `self`; from `outgoing` on: argument number (slot −
// outgoing) in the frame of the callee.
inline constexpr int32_t outgoing = 1 << 30;
struct Allocation {
    std::vector<int32_t> slots;
    int32_t frame = 0; // slots of the frame
};
Allocation allocate(const VirtualCode& code, uint32_t params);

// Fills in cells, places, frame and need of `code`. `codes` is where the λs' codes stand; `handlers` by op.
void emit(const VirtualCode& virtual_code, const Allocation& allocation, const void* const* handlers,
          std::vector<Code>& codes, Code& code);

// The test that holds exactly when this one does not; of branches only.
Op opposite(Op branch);

} // namespace espalier::vm
