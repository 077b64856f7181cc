// What of a frame is still needed while it waits: at a wait for an input, or for a call to return.
//
// A variable is written in one place, or as a parameter of one block, and a λ's blocks are acyclic. So what is needed
// from a point on is what some block that can follow reads and none that can follow writes.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "symexec/state/code.hpp"

namespace espalier::sym {

class LiveSlots {
public:
    LiveSlots(const Program& program, const Code& code) : program_(program), code_(code) {}
    // Slots of the frame whose last step was the end of the block, ascending; found when first asked for.
    std::span<const uint32_t> after(BlockId block);

private:
    std::vector<uint32_t> find(BlockId block) const;

    const Program& program_;
    const Code& code_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> known_; // by block
};

} // namespace espalier::sym
