// What of a frame is still needed while it waits: at a wait for an input, for a call to return, or in the middle of a
// block, before an operation.
//
// A variable is written in one place, or as a parameter of one block, and a λ's blocks are acyclic. So what is needed
// from a point on is what some block that can follow reads and none that can follow writes.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "symexec/state/code.hpp"
#include "symexec/state/state.hpp"

namespace espalier::sym {

class LiveSlots {
public:
    LiveSlots(const Program& program, const Code& code) : program_(program), code_(code) {}
    // Slots of the frame whose last step was the end of the block, ascending; found when first asked for.
    std::span<const uint32_t> after(BlockId block);
    // The same before the instruction, which is an operation or a terminator.
    std::span<const uint32_t> before(const Instruction& instruction);
    // The frames of a thread that waits, or runs; where each stands, as a number; and its slots that are still needed.
    using Visit = std::function<void(Frame& frame, uint32_t stands, std::span<const uint32_t> live)>;
    void each_frame(const Thread& thread, bool is_running, const Visit& visit);

private:
    // From that operation of the block on, by its number there; past the last one: after its terminator.
    std::vector<uint32_t> find(BlockId block, uint32_t from) const;
    std::span<const uint32_t> known(uint64_t key, BlockId block, uint32_t from);

    const Program& program_;
    const Code& code_;
    std::unordered_map<uint64_t, std::vector<uint32_t>> known_; // by instruction
    std::vector<BlockId> block_of_;                             // by operation; made when first needed
};

} // namespace espalier::sym
