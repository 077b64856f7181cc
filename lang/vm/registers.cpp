// Slots for virtual registers.
//
// The blocks form a DAG and come in topological order, and each register is written once: so one pass in that
// order, which gives each register a slot that is free at its definition, is an optimal colouring of the
// frame (the definition of whatever is alive at a point was met before it). Where there is a choice, a value
// gets the slot where it is wanted: an argument its place in the frame to come, what a loop passes on its
// parameter's slot, what a jump passes on the slot of the block parameter.
//
// Which registers are alive where is a bit matrix, blocks by registers. For a λ whose matrix would be
// unreasonably large (a top level that a program wrote) a register counts as alive until the last block that mentions
// it, which is safe, too.
#include <algorithm>
#include <bit>
#include <span>

#include "lang/vm/virtual.hpp"

namespace espalier::vm {

namespace {

using Exit = VirtualBlock::Exit;

template <typename F>
void for_each_use(const VirtualCode& code, const VirtualInstr& instr, F f) {
    const std::string_view r = roles(instr.op);
    for (size_t i = 0; i < 4 && i < r.size(); ++i)
        if (r[i] == 'u') f(instr.operands[i]);
    for (uint32_t i = 0; i < instr.extra_count; ++i) f(code.extras[instr.first_extra + i]);
}

template <typename F>
void for_each_use_at_end(const VirtualCode& code, const VirtualBlock& block, F f) {
    for_each_use(code, block.end, f);
    for (Reg r : block.args)
        if (r != no_reg) f(r);
    if (block.exit == Exit::loop)
        for (Reg r : code.kept) f(r);
}

Reg defined(const VirtualInstr& instr) { return roles(instr.op)[0] == 'd' ? instr.operands[0] : no_reg; }

// The blocks in which a select tests its clauses: from the tests up to where they accept or refuse.
std::vector<uint32_t> test_region(const VirtualCode& code, const VirtualBlock& select) {
    std::vector<uint32_t> region = select.successors;
    std::vector<bool> seen(code.blocks.size());
    size_t kept = 0;
    for (size_t i = 0; i < region.size(); ++i) {
        const uint32_t b = region[i];
        if (seen[b]) continue;
        seen[b] = true;
        region[kept++] = b;
        if (code.blocks[b].exit == Exit::accept) continue;
        for (uint32_t s : code.blocks[b].successors) region.push_back(s);
    }
    region.resize(kept);
    return region;
}

class Liveness {
public:
    explicit Liveness(const VirtualCode& code) : code_(code), words_((code.registers + 63) / 64) {
        first_block_.resize(code.registers, UINT32_MAX);
        last_block_.resize(code.registers, 0);
        for (uint32_t b = 0; b < code.blocks.size(); ++b)
            visit(code.blocks[b], [&](Reg r) {
                first_block_[r] = std::min(first_block_[r], b);
                last_block_[r] = b;
            });
        precise_ = code.blocks.size() * words_ <= matrix_limit;
        if (precise_) {
            in_.resize(code.blocks.size() * words_);
            out_.resize(code.blocks.size() * words_);
            for (size_t b = code.blocks.size(); b-- > 0;) flow(b);
        }
        for (uint32_t b = 0; b < code.blocks.size(); ++b)
            if (code.blocks[b].exit == Exit::select) keep_through_tests(b);
    }

    bool live_in(uint32_t b, Reg r) const { return !precise_ || bit(in_, b, r); }
    bool live_out(uint32_t b, Reg r) const { return precise_ ? bit(out_, b, r) : last_block_[r] > b; }
    uint32_t last_block(Reg r) const { return last_block_[r]; }

private:
    static constexpr size_t matrix_limit = size_t{1} << 20; // words

    template <typename F>
    void visit(const VirtualBlock& block, F f) const {
        for (Reg r : block.params) f(r);
        for (const VirtualInstr& instr : block.code) {
            for_each_use(code_, instr, f);
            if (const Reg r = defined(instr); r != no_reg) f(r);
        }
        for_each_use_at_end(code_, block, f);
    }

    bool bit(const std::vector<uint64_t>& matrix, uint32_t b, Reg r) const {
        return (matrix[b * words_ + r / 64] >> (r % 64) & 1) != 0;
    }

    void flow(size_t b) {
        const VirtualBlock& block = code_.blocks[b];
        uint64_t* in = &in_[b * words_];
        uint64_t* out = &out_[b * words_];
        for (uint32_t s : block.successors)
            for (size_t w = 0; w < words_; ++w) out[w] |= in_[s * words_ + w];
        std::copy(out, out + words_, in);
        const auto set = [&](Reg r) { in[r / 64] |= uint64_t{1} << (r % 64); };
        const auto clear = [&](Reg r) { in[r / 64] &= ~(uint64_t{1} << (r % 64)); };
        for_each_use_at_end(code_, block, set);
        for (size_t i = block.code.size(); i-- > 0;) {
            if (const Reg r = defined(block.code[i]); r != no_reg) clear(r);
            for_each_use(code_, block.code[i], set);
        }
        for (Reg r : block.params) clear(r);
    }

    // A clause that refuses is followed by the next, and later, with another message, by the first: what any
    // test needs stays until one accepts.
    void keep_through_tests(uint32_t at) {
        const VirtualBlock& select = code_.blocks[at];
        const std::vector<uint32_t> region = test_region(code_, select);
        if (region.empty()) return;
        const uint32_t end = *std::max_element(region.begin(), region.end());
        std::vector<uint64_t> needed(precise_ ? words_ : 0);
        if (precise_)
            for (uint32_t test : select.successors)
                for (size_t w = 0; w < words_; ++w) needed[w] |= in_[test * words_ + w];
        for (Reg r = 0; r < code_.registers; ++r) {
            const bool kept =
                precise_ ? (needed[r / 64] >> (r % 64) & 1) != 0 : first_block_[r] <= at && last_block_[r] > at;
            if (kept) last_block_[r] = std::max(last_block_[r], end);
        }
        for (uint32_t b : region) {
            const bool decided = code_.blocks[b].exit == Exit::accept;
            for (size_t w = 0; w < needed.size(); ++w) {
                in_[b * words_ + w] |= needed[w];
                if (!decided) out_[b * words_ + w] |= needed[w];
            }
        }
    }

    const VirtualCode& code_;
    size_t words_;
    bool precise_ = true;
    std::vector<uint32_t> first_block_, last_block_; // that mention a register
    std::vector<uint64_t> in_, out_;
};

class Allocator {
public:
    Allocator(const VirtualCode& code, uint32_t params)
        : code_(code), params_(params), liveness_(code), last_use_(code.registers), wish_(code.registers, nowhere),
          passed_as_(code.registers, no_reg) {
        result_.slots.resize(code.registers, nowhere);
        result_.slots[code.self] = closure_slot;
        result_.frame = static_cast<int32_t>(params);
    }

    Allocation run() {
        for (Reg r = 0; r < params_; ++r) {
            result_.slots[r] = static_cast<int32_t>(r);
            active_.push_back(r);
        }
        for (uint32_t b = 0; b < code_.blocks.size(); ++b) allocate_block(b);
        return std::move(result_);
    }

private:
    static constexpr int32_t nowhere = INT32_MIN;
    static constexpr uint32_t never = UINT32_MAX;
    struct LastUse {
        uint32_t block = UINT32_MAX;
        uint32_t position = 0;
    };

    void allocate_block(uint32_t b) {
        const VirtualBlock& block = code_.blocks[b];
        std::fill(occupied_.begin(), occupied_.end(), 0);
        std::erase_if(active_, [&](Reg r) { return liveness_.last_block(r) < b; });
        for (Reg r : active_)
            if (liveness_.live_in(b, r)) occupy(result_.slots[r]);
        find_last_uses(b, block);
        find_wishes(b, block);
        // All parameters are written together, so even those that are never read have slots of their own; and
        // those of a λ that loops keep them while the prologue loads what every turn needs.
        std::vector<Reg> params = block.params;
        for (Reg r : params) place(r);
        if (b == 0) {
            for (Reg r = 0; r < params_; ++r) {
                occupy(result_.slots[r]);
                params.push_back(r);
            }
        }
        for (uint32_t i = 0; i < block.code.size(); ++i) {
            if (i == prologue(b)) release_unused(b, params);
            allocate_instruction(b, i, block.code[i]);
        }
        for (Reg r : block.args)
            if (r != no_reg) passed_as_[r] = no_reg;
    }
    uint32_t prologue(uint32_t b) const { return b == 0 ? code_.prologue : 0; }

    void allocate_instruction(uint32_t b, uint32_t position, const VirtualInstr& instr) {
        for_each_use(code_, instr, [&](Reg r) {
            if (last_use(b, r) == position && !liveness_.live_out(b, r)) release(r);
        });
        const Reg r = defined(instr);
        if (r == no_reg) return;
        place(r);
        release_unused(b, {&r, 1});
    }

    void release_unused(uint32_t b, std::span<const Reg> registers) {
        for (Reg r : registers)
            if (last_use(b, r) == never && !liveness_.live_out(b, r)) release(r);
    }

    void place(Reg r) {
        const int32_t wish = wish_[r];
        const int32_t slot = wish != nowhere && !is_occupied(wish) ? wish : first_free();
        result_.slots[r] = slot;
        occupy(slot);
        active_.push_back(r);
        const Reg param = passed_as_[r];
        if (param != no_reg && wish_[param] == nowhere && slot < outgoing) wish_[param] = slot;
    }

    // The last instruction of the block that reads the register; the end counts as one more.
    void find_last_uses(uint32_t b, const VirtualBlock& block) {
        uint32_t position = 0;
        const auto note = [&](Reg r) { last_use_[r] = {b, position}; };
        for (; position < block.code.size(); ++position) for_each_use(code_, block.code[position], note);
        for_each_use_at_end(code_, block, note);
    }
    uint32_t last_use(uint32_t b, Reg r) const { return last_use_[r].block == b ? last_use_[r].position : never; }

    // Where values that leave the block would best be. A slot of the frame to come is good only from here to
    // the call.
    void find_wishes(uint32_t b, const VirtualBlock& block) {
        for (size_t i = 0; i < block.args.size(); ++i) {
            const Reg r = block.args[i];
            if (r == no_reg || r == code_.self || result_.slots[r] != nowhere) continue;
            const auto at = static_cast<int32_t>(i);
            if (block.exit == Exit::call && !liveness_.live_out(b, r)) {
                wish_[r] = outgoing + at;
            } else if (block.exit == Exit::tail || block.exit == Exit::loop) {
                wish_[r] = at;
            } else if (block.exit == Exit::jump || block.exit == Exit::accept) {
                passed_as_[r] = code_.blocks[block.successors[0]].params[i];
                wish_[r] = wish_[passed_as_[r]];
            }
        }
    }

    // Slots of the frame to come are never short: each is wished for by one argument.
    bool is_occupied(int32_t slot) const {
        const size_t word = static_cast<size_t>(slot) / 64;
        return slot < outgoing && word < occupied_.size() && (occupied_[word] >> (slot % 64) & 1) != 0;
    }
    void occupy(int32_t slot) {
        if (slot < 0 || slot >= outgoing) return;
        const size_t word = static_cast<size_t>(slot) / 64;
        if (word >= occupied_.size()) occupied_.resize(word + 1);
        occupied_[word] |= uint64_t{1} << (slot % 64);
        result_.frame = std::max(result_.frame, slot + 1);
    }
    void release(Reg r) {
        const int32_t slot = result_.slots[r];
        if (slot >= 0 && slot < outgoing) occupied_[static_cast<size_t>(slot) / 64] &= ~(uint64_t{1} << (slot % 64));
    }
    int32_t first_free() const {
        size_t word = 0;
        while (word < occupied_.size() && occupied_[word] == ~uint64_t{0}) ++word;
        const int bit = word < occupied_.size() ? std::countr_one(occupied_[word]) : 0;
        return static_cast<int32_t>(word) * 64 + bit;
    }

    const VirtualCode& code_;
    uint32_t params_;
    Liveness liveness_;
    std::vector<LastUse> last_use_;
    std::vector<int32_t> wish_;
    std::vector<Reg> passed_as_; // the parameter of the next block that it becomes
    std::vector<Reg> active_;    // that some block from here on mentions
    std::vector<uint64_t> occupied_;
    Allocation result_;
};

} // namespace

Allocation allocate(const VirtualCode& code, uint32_t params) { return Allocator(code, params).run(); }

} // namespace espalier::vm
