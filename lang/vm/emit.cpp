// From virtual code and slots to cells: the order of blocks, the moves between them, and the encoding.
//
// Blocks are laid out along the way that control most likely falls through.
#include <algorithm>
#include <unordered_map>

#include "lang/vm/moves.hpp"
#include "lang/vm/virtual.hpp"

namespace espalier::vm {

namespace {

using Exit = VirtualBlock::Exit;

// Each block is followed by one that it goes on to, where that one has no place yet.
std::vector<uint32_t> layout(const VirtualCode& code) {
    std::vector<uint32_t> predecessors(code.blocks.size());
    for (const VirtualBlock& block : code.blocks)
        for (uint32_t s : block.successors) ++predecessors[s];
    std::vector<uint32_t> order;
    std::vector<bool> placed(code.blocks.size());
    std::vector<uint32_t> waiting{0};
    while (!waiting.empty()) {
        uint32_t b = waiting.back();
        waiting.pop_back();
        while (!placed[b]) {
            placed[b] = true;
            order.push_back(b);
            const VirtualBlock& block = code.blocks[b];
            const std::vector<uint32_t>& next = block.successors;
            if (next.empty()) break;
            if (block.exit == Exit::select || block.exit == Exit::choose) {
                waiting.insert(waiting.end(), next.rbegin(), next.rend());
                break;
            }
            // Of a branch, the side that no other jump goes to stays close.
            const bool turn = block.exit == Exit::branch &&
                              (placed[next[0]] || (predecessors[next[0]] > 1 && predecessors[next[1]] == 1));
            if (block.exit == Exit::branch) waiting.push_back(next[turn ? 0 : 1]);
            b = next[turn ? 1 : 0];
        }
    }
    return order;
}

class Emitter {
public:
    Emitter(const VirtualCode& code, const Allocation& allocation, const void* const* handlers,
            std::vector<Code>& codes, Code& out)
        : code_(code), slots_(allocation.slots), frame_(allocation.frame), handlers_(handlers), codes_(codes),
          out_(out) {}

    void run() {
        const std::vector<uint32_t> order = layout(code_);
        plan_moves(order);
        starts_.resize(code_.blocks.size());
        for (size_t i = 0; i < order.size(); ++i) {
            starts_[order[i]] = position();
            emit_block(order[i], i + 1 < order.size() ? order[i + 1] : UINT32_MAX);
        }
        for (const Patch& p : patches_) patch(p);
        out_.frame = static_cast<uint32_t>(frame_);
        out_.need = static_cast<uint32_t>(frame_ + header_size + arguments_ + 1); // room for an empty rest list
        out_.entry = out_.cells.data();
    }

private:
    struct Patch {
        size_t cell, from;
        char operand;
        uint32_t block;
    };

    // ── Moves ──

    int32_t raw_slot(Reg r) const { return slots_[r]; }

    // The sequences come first: they tell whether the frame needs spare slots, and so where all slots end up.
    void plan_moves(const std::vector<uint32_t>& order) {
        moves_.resize(code_.blocks.size());
        bool need_spare = false, need_spare_callee = false;
        for (uint32_t b : order) {
            const VirtualBlock& block = code_.blocks[b];
            std::vector<Move> together = moves_of(block);
            if (block.exit == Exit::tail && roles(block.end.op)[0] == 'u') {
                const int32_t callee = raw_slot(block.end.operands[0]);
                const bool overwritten = std::any_of(together.begin(), together.end(),
                                                     [&](const Move& m) { return m.to == callee && m.from != callee; });
                if (overwritten) together.push_back({spare_callee, callee});
                need_spare_callee = need_spare_callee || overwritten;
            }
            moves_[b] = in_sequence(together);
            for (const Move& m : moves_[b]) need_spare = need_spare || m.to == spare;
            const auto count = static_cast<int32_t>(block.args.size());
            if (block.exit == Exit::tail) frame_ = std::max(frame_, count);
            if (block.exit == Exit::call) {
                arguments_ = std::max(arguments_, count);
                need_spare = need_spare || code_.blocks[block.successors[0]].params.empty();
            }
        }
        if (need_spare) spare_slot_ = frame_++;
        if (need_spare_callee) spare_callee_slot_ = frame_++;
    }

    std::vector<Move> moves_of(const VirtualBlock& block) const {
        std::vector<Move> result;
        const auto to = [&](size_t i) {
            switch (block.exit) {
            case Exit::call: return outgoing + static_cast<int32_t>(i);
            case Exit::jump:
            case Exit::accept: return raw_slot(code_.blocks[block.successors[0]].params[i]);
            default: return static_cast<int32_t>(i);
            }
        };
        if (block.exit == Exit::select) return result;
        for (size_t i = 0; i < block.args.size(); ++i) result.push_back({to(i), raw_slot(block.args[i])});
        return result;
    }

    void emit_moves(uint32_t b) {
        const std::vector<Move>& moves = moves_[b];
        size_t i = 0;
        for (; i + 1 < moves.size(); i += 2) {
            Instr& cell = add(Op::mov2);
            cell.a = final_slot(moves[i].to);
            cell.b = final_slot(moves[i].from);
            cell.set(final_slot(moves[i + 1].to), final_slot(moves[i + 1].from));
        }
        if (i == moves.size()) return;
        Instr& cell = add(Op::mov);
        cell.a = final_slot(moves[i].to);
        cell.b = final_slot(moves[i].from);
    }

    // ── Cells ──

    size_t position() const { return out_.cells.size(); }
    static int32_t bytes_between(size_t from, size_t to) {
        return (static_cast<int32_t>(to) - static_cast<int32_t>(from)) * static_cast<int32_t>(sizeof(Instr));
    }
    int32_t distance_to_callee() const { return frame_ + header_size; }
    int32_t final_slot(int32_t slot) const {
        if (slot >= outgoing) return distance_to_callee() + (slot - outgoing);
        if (slot == spare) return spare_slot_;
        if (slot == spare_callee) return spare_callee_slot_;
        return slot;
    }
    int32_t slot(Reg r) const { return final_slot(raw_slot(r)); }

    Instr& add(Op op) {
        out_.cells.push_back({.handler = handlers_[static_cast<size_t>(op)]});
        return out_.cells.back();
    }
    Instr& add_operands() {
        out_.cells.emplace_back();
        return out_.cells.back();
    }
    void note_place(const VirtualInstr& instr) {
        if (instr.label != no_label)
            out_.places.push_back({static_cast<uint32_t>(position()), instr.label, instr.span});
    }

    void emit_instr(const VirtualInstr& instr, uint32_t target = UINT32_MAX) {
        note_place(instr);
        const size_t at = position();
        const std::string_view role = roles(instr.op);
        int32_t operands[4] = {};
        for (size_t i = 0; i < 4 && i < role.size(); ++i) {
            if (role[i] == 'd' || role[i] == 'u') operands[i] = slot(instr.operands[i]);
            if (role[i] == 'i') operands[i] = static_cast<int32_t>(instr.operands[i]);
            if (role[i] == 't') patches_.push_back({at, at, "abcd"[i], target});
        }
        Instr& cell = add(instr.op);
        cell.a = operands[0];
        cell.b = operands[1];
        if (has_word(instr.op)) {
            cell.word = instr.word;
        } else {
            cell.set(operands[2], operands[3]);
        }
        for (uint32_t i = 0; i < instr.extra_count; i += 4) {
            const auto extra = [&](uint32_t k) {
                return i + k < instr.extra_count ? slot(code_.extras[instr.first_extra + i + k]) : 0;
            };
            Instr& more = add_operands();
            more.a = extra(0);
            more.b = extra(1);
            more.set(extra(2), extra(3));
        }
    }

    void emit_jump(uint32_t target, uint32_t next) {
        if (target == next) return;
        patches_.push_back({position(), position(), 'c', target});
        add(Op::jump);
    }

    void patch(const Patch& p) {
        Instr& cell = out_.cells[p.cell];
        const int32_t distance = bytes_between(p.from, starts_[p.block]);
        switch (p.operand) {
        case 'a': cell.a = distance; break;
        case 'b': cell.b = distance; break;
        default: cell.set(distance, cell.d());
        }
    }

    // ── Blocks ──

    void emit_block(uint32_t b, uint32_t next) {
        const VirtualBlock& block = code_.blocks[b];
        for (const VirtualInstr& instr : block.code) emit_instr(instr);
        switch (block.exit) {
        case Exit::jump:
            emit_moves(b);
            emit_jump(block.successors[0], next);
            break;
        case Exit::branch: emit_branch(block, next); break;
        case Exit::call:
            emit_moves(b);
            emit_call(block);
            emit_jump(block.successors[0], next);
            break;
        case Exit::tail:
            emit_moves(b);
            emit_tail_call(block);
            break;
        case Exit::loop: {
            emit_moves(b);
            note_place(block.end);
            const int32_t back = bytes_between(position(), code_.prologue);
            Instr& cell = add(Op::loop);
            cell.a = back;
            cell.set(0, static_cast<int32_t>(block.end.operands[0]));
            break;
        }
        case Exit::ret:
        case Exit::refuse: emit_instr(block.end); break;
        case Exit::select: emit_select(block); break;
        case Exit::accept:
            emit_instr(block.end);
            emit_moves(b);
            emit_jump(block.successors[0], next);
            break;
        case Exit::choose: {
            note_place(block.end);
            const size_t at = position();
            Instr& cell = add(Op::choose);
            cell.a = static_cast<int32_t>(block.successors.size());
            cell.b = static_cast<int32_t>(index(block.end.label));
            for (uint32_t s : block.successors) {
                patches_.push_back({position(), at, 'a', s});
                add_operands();
            }
            break;
        }
        }
    }

    void emit_branch(const VirtualBlock& block, uint32_t next) {
        const uint32_t then_block = block.successors[0];
        const uint32_t else_block = block.successors[1];
        if (next == else_block) {
            VirtualInstr turned = block.end;
            turned.op = opposite(turned.op);
            emit_instr(turned, then_block);
        } else {
            emit_instr(block.end, else_block);
            emit_jump(then_block, next);
        }
    }

    // What says which procedure is called: the slot or global, the Code, the closure.
    void emit_callee(const VirtualBlock& block, Instr& cell) {
        const Op op = block.end.op;
        if (block.callee != no_lambda && op != Op::call_global && op != Op::tail_global)
            cell.handler = &codes_[index(block.callee)];
        if (has_word(op)) {
            cell.word = block.end.word;
        } else if (roles(op)[0] == 'i') {
            cell.a = static_cast<int32_t>(block.end.operands[0]);
        } else {
            const int32_t callee = raw_slot(block.end.operands[0]);
            cell.a = final_slot(callee);
        }
    }

    void emit_call(const VirtualBlock& block) {
        note_place(block.end);
        const std::vector<Reg>& result = code_.blocks[block.successors[0]].params;
        Instr& cell = add(block.end.op);
        cell.a = distance_to_callee();
        cell.b = result.empty() ? spare_slot_ : slot(result[0]);
        cell.set(static_cast<int32_t>(block.args.size()), static_cast<int32_t>(block.end.operands[3]));
        emit_callee(block, add_operands());
    }

    void emit_tail_call(const VirtualBlock& block) {
        note_place(block.end);
        Instr& cell = add(block.end.op);
        cell.set(static_cast<int32_t>(block.args.size()), static_cast<int32_t>(block.end.operands[3]));
        Instr& callee = add_operands();
        emit_callee(block, callee);
        if (roles(block.end.op)[0] != 'u') return;
        const auto b = static_cast<size_t>(&block - code_.blocks.data());
        for (const Move& m : moves_[b])
            if (m.to == spare_callee) callee.a = spare_callee_slot_;
    }

    // A cell for each clause: {a: its test, b, c: slots of the test's parameters, d: slot of the source}; −1:
    // none.
    void emit_select(const VirtualBlock& block) {
        note_place(block.end);
        const size_t at = position();
        Instr& cell = add(Op::select);
        cell.a = static_cast<int32_t>(block.successors.size());
        cell.word = reinterpret_cast<uint64_t>(block.clauses);
        for (size_t i = 0; i < block.successors.size(); ++i) {
            const std::vector<Reg>& params = code_.blocks[block.successors[i]].params;
            patches_.push_back({position(), at, 'a', block.successors[i]});
            Instr& clause = add_operands();
            clause.b = params.empty() ? -1 : slot(params[0]);
            clause.set(params.size() < 2 ? -1 : slot(params[1]), block.args[i] == no_reg ? -1 : slot(block.args[i]));
        }
    }

    const VirtualCode& code_;
    const std::vector<int32_t>& slots_;
    int32_t frame_;
    int32_t arguments_ = 0; // of the call that has most
    int32_t spare_slot_ = 0, spare_callee_slot_ = 0;
    const void* const* handlers_;
    std::vector<Code>& codes_;
    Code& out_;
    std::vector<std::vector<Move>> moves_; // by block
    std::vector<size_t> starts_;           // by block
    std::vector<Patch> patches_;
};

} // namespace

void emit(const VirtualCode& virtual_code, const Allocation& allocation, const void* const* handlers,
          std::vector<Code>& codes, Code& code) {
    Emitter(virtual_code, allocation, handlers, codes, code).run();
}

const Place* Code::place(const Instr* cell) const {
    if (places.empty()) return nullptr;
    const auto at = static_cast<uint32_t>(cell - cells.data());
    const auto next =
        std::upper_bound(places.begin(), places.end(), at, [](uint32_t c, const Place& p) { return c < p.cell; });
    return next == places.begin() ? nullptr : &*std::prev(next);
}

} // namespace espalier::vm
