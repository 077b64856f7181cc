// Numbers for stacks: those of two frames are the same where the same calls wait for them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "symexec/state/state.hpp"

namespace espalier::sym {

class StackNumbers {
public:
    // Of a frame whose callers are all tracked; remembered on it.
    uint32_t of(Frame& frame) {
        for (Frame* f = &frame; f->stack == Frame::no_stack; f = f->caller) {
            unknown_.push_back(f);
            if (f->caller == nullptr) break;
        }
        for (; !unknown_.empty(); unknown_.pop_back()) {
            Frame& f = *unknown_.back();
            f.stack = f.caller == nullptr ? bottom : number(pda::raw(f.pending.call), f.caller->stack);
        }
        return frame.stack;
    }
    size_t size() const { return numbers_.size(); }

private:
    static constexpr uint32_t bottom = Frame::no_stack + 1;
    uint32_t number(uint32_t call, uint32_t below) {
        const uint64_t key = uint64_t{below} << 32 | call;
        return numbers_.try_emplace(key, bottom + 1 + static_cast<uint32_t>(numbers_.size())).first->second;
    }

    std::unordered_map<uint64_t, uint32_t> numbers_;
    std::vector<Frame*> unknown_;
};

} // namespace espalier::sym
