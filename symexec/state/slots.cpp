// Frame slots: variables whose lives do not overlap share one, so that frames are small: they are made at each call,
// and copied where a path divides.
//
// A λ's blocks are acyclic and in topological order, so every execution passes a part of its text from top to bottom:
// a variable lives, at most, from its definition's place in the text to its last use's. A parameter of a block lives
// from the first jump to the block. Only a wait comes back, to try its clauses again, as long as none has accepted. So
// what was there before a `select` and is needed after it lives at least until the end of the last test. What a test
// or a body defines is of no use to another clause: a wait needs as many slots as its largest clause.
//
// An operation that divides a path is started again with the same operands: so the slot of an operand may be that of
// the result only where the operation reads everything before it writes.
#include <algorithm>

#include "symexec/state/code.hpp"
#include "symexec/state/effects.hpp"

namespace espalier::sym {

namespace {

class Allocator {
public:
    Allocator(const Program& program, const Selects& selects, LambdaId lambda, const std::vector<bool>& reads_self)
        : p_(program), selects_(selects), l_(program[lambda]), reads_self_(reads_self) {
        slots_.of.assign(l_.variables, no_slot);
        slots_.constant.assign(l_.variables, nullptr);
        taken_.assign(l_.variables, 0);
        last_.assign(l_.variables, 0);
    }

    Slots run() {
        find_definitions();
        find_last_uses();
        find_waits();
        slots_.uses_self = last_[index(l_.self())] != 0;
        slots_.count = l_.params() + l_.captures + (slots_.uses_self ? 1 : 0);
        for (uint32_t i = 0; i < slots_.count; ++i) slots_.of[i] = i;
        for (uint32_t i = 0; i < slots_.count; ++i) release_if_last(VarId{i}, 0);
        assign();
        return std::move(slots_);
    }

private:
    std::span<const Block> blocks() const { return std::span(p_.blocks).subspan(l_.first_block, l_.block_count); }

    void find_definitions() {
        is_defined_global_.assign(l_.variables, false);
        for (const Block& b : blocks()) {
            for (const Operation& o : p_.operations(b)) {
                if (const auto* c = std::get_if<op::Constant>(&o.kind)) slots_.constant[index(c->dst)] = &c->value;
                if (const auto* g = std::get_if<op::GlobalRef>(&o.kind))
                    is_defined_global_[index(g->dst)] = !g->checked;
            }
        }
    }

    // Uses for which the variable must be in a slot.
    void find_last_uses() {
        uint32_t place = 0;
        Effects e;
        for (const Block& b : blocks()) {
            for (const Operation& o : p_.operations(b)) {
                ++place;
                effects_of(p_, o.kind, e);
                const auto* primitive = std::get_if<op::Primitive>(&o.kind);
                const int held = primitive == nullptr ? -1 : held_operand(p_, *primitive, slots_);
                for (size_t i = 0; i < e.reads.size(); ++i)
                    if (static_cast<int>(i) != held) last_[index(e.reads[i])] = place;
            }
            ++place;
            effects_of(p_, b.terminator.kind, e);
            if (const auto* select = std::get_if<terminator::Select>(&b.terminator.kind)) keep_sources(*select, e);
            for (VarId v : e.reads) last_[index(v)] = place;
            if (e.callee != no_var && !is_superfluous(e)) last_[index(e.callee)] = place;
        }
    }

    // A source is read where its first clause names it.
    void keep_sources(const terminator::Select& select, Effects& e) const {
        const ClauseIndex& clauses = selects_.of(select);
        e.reads.clear();
        for (uint32_t s = 0; s < clauses.source_count(); ++s) {
            const VarId source = p_.clauses[select.first + clauses.first_of(s)].source;
            if (source != no_var) e.reads.push_back(source);
        }
    }

    // A test runs from its clause's first block to where it accepts or refuses.
    void find_waits() {
        constexpr uint32_t in_no_test = UINT32_MAX;
        std::vector<uint32_t> wait_of(l_.block_count, in_no_test); // by block of a test
        uint32_t place = 0;
        for (uint32_t b = 0; b < l_.block_count; ++b) {
            const Block& block = blocks()[b];
            place += block.op_count + 1;
            const auto hand_on = [&](BlockId to, uint32_t wait) { wait_of[index(to) - l_.first_block] = wait; };
            const uint32_t own = wait_of[b];
            if (own != in_no_test) {
                waits_[own].end = place;
                follow_test(block.terminator.kind, [&](BlockId to) { hand_on(to, own); });
            }
            const auto* select = std::get_if<terminator::Select>(&block.terminator.kind);
            if (select == nullptr) continue;
            for (const SelectClause& c : p_.select_clauses(*select))
                hand_on(c.test, static_cast<uint32_t>(waits_.size()));
            waits_.push_back({place, place, {}});
        }
    }
    template <typename F>
    void follow_test(const TerminatorKind& kind, const F& to) const {
        if (const auto* j = std::get_if<terminator::Jump>(&kind)) to(j->target);
        if (const auto* b = std::get_if<terminator::Branch>(&kind)) to(b->then_block), to(b->else_block);
        if (const auto* c = std::get_if<terminator::Call>(&kind)) to(c->back);
        if (const auto* c = std::get_if<terminator::Choose>(&kind))
            for (uint32_t i = 0; i < c->count; ++i) to(p_.choices[c->first + i]);
    }

    // A procedure that is known, surely defined, and does not look at itself.
    bool is_superfluous(const Effects& call) const {
        return call.known != no_lambda && is_defined_global_[index(call.callee)] && p_[call.known].captures == 0 &&
               !reads_self_[index(call.known)];
    }

    void assign() {
        uint32_t next_wait = 0;
        Effects e;
        for (const Block& b : blocks()) {
            for (VarId v : p_.list(b.params))
                if (slots_.of[index(v)] == no_slot) take(v); // of a test; others have them from a jump
            for (VarId v : p_.list(b.params))
                if (last_[index(v)] == 0) release_if_last(v, 0);
            for (const Operation& o : p_.operations(b)) {
                ++place_;
                effects_of(p_, o.kind, e);
                if (!e.writes_first) release_read(e);
                for (VarId v : e.writes)
                    if (last_[index(v)] != 0 || !is_droppable(o.kind)) take(v);
                if (e.writes_first) release_read(e);
                for (VarId v : e.writes) release_if_last(v, 0);
            }
            ++place_;
            effects_of(p_, b.terminator.kind, e);
            release_read(e);
            for (BlockId to : e.gives)
                for (VarId v : p_.list(p_[to].params))
                    if (slots_.of[index(v)] == no_slot) take(v);
            end_waits();
            if (next_wait < waits_.size() && waits_[next_wait].begin == place_) open_.push_back(next_wait++);
        }
    }

    void end_waits() {
        std::erase_if(open_, [&](uint32_t w) {
            if (waits_[w].end != place_) return false;
            free_.insert(free_.end(), waits_[w].held.begin(), waits_[w].held.end());
            return true;
        });
    }

    // Without a use it need not be executed.
    static bool is_droppable(const OpKind& kind) {
        const auto* g = std::get_if<op::GlobalRef>(&kind);
        return std::holds_alternative<op::Constant>(kind) || (g != nullptr && !g->checked);
    }

    void take(VarId v) {
        taken_[index(v)] = place_;
        if (free_.empty()) {
            slots_.of[index(v)] = slots_.count++;
        } else {
            slots_.of[index(v)] = free_.back();
            free_.pop_back();
        }
    }
    void release_read(const Effects& e) {
        for (VarId v : e.reads) release_if_last(v, place_);
        if (e.callee != no_var) release_if_last(e.callee, place_);
    }
    void release_if_last(VarId v, uint32_t place) {
        if (last_[index(v)] != place || slots_.of[index(v)] == no_slot) return;
        last_[index(v)] = UINT32_MAX; // once
        Waiting* keeper = nullptr;    // the wait that ends last, of those that may come back to where it is needed
        for (const uint32_t w : open_)
            if (taken_[index(v)] <= waits_[w].begin && (keeper == nullptr || waits_[w].end > keeper->end))
                keeper = &waits_[w];
        (keeper == nullptr ? free_ : keeper->held).push_back(slots_.of[index(v)]);
    }

    // A select: its place, that of its last test's end, and slots that are free from there on.
    struct Waiting {
        uint32_t begin, end;
        std::vector<uint32_t> held;
    };
    const Program& p_;
    const Selects& selects_;
    const Lambda& l_;
    const std::vector<bool>& reads_self_; // by λ
    Slots slots_;
    std::vector<bool> is_defined_global_;
    std::vector<uint32_t> taken_; // place from which the variable has its slot
    std::vector<uint32_t> last_;  // place of the last use; 0: none
    std::vector<uint32_t> free_;
    std::vector<Waiting> waits_; // in the order of their places
    std::vector<uint32_t> open_; // of those, the ones whose tests have not all been passed
    uint32_t place_ = 0;
};

bool holds_constant(Prim prim, size_t operand, Value constant) {
    switch (prim) {
    case Prim::add:
    case Prim::mul:
    case Prim::num_eq:
    case Prim::lt:
    case Prim::le:
    case Prim::gt:
    case Prim::ge: return constant.is_fixnum();
    case Prim::sub: return operand == 1 && constant.is_fixnum();
    case Prim::quotient:
    case Prim::remainder:
    case Prim::modulo: return operand == 1 && constant.is_fixnum() && constant != Value::fixnum(0);
    case Prim::eq:
    case Prim::eqv:
    case Prim::equal: return !constant.is_object();
    default: return false;
    }
}

} // namespace

int held_operand(const Program& program, const op::Primitive& primitive, const Slots& slots) {
    const auto args = program.list(primitive.args);
    if (args.size() != 2) return -1;
    for (const int i : {1, 0}) {
        const Value* constant = slots.constant[index(args[static_cast<size_t>(i)])];
        if (constant != nullptr && holds_constant(primitive.prim, static_cast<size_t>(i), *constant)) return i;
    }
    return -1;
}

std::vector<bool> find_self_readers(const Program& program) {
    std::vector<bool> reads_self(program.lambdas.size(), false);
    Effects e;
    for (const Block& b : program.blocks) {
        const VarId self = program[b.lambda].self();
        const auto look = [&] {
            const bool reads = e.callee == self || std::find(e.reads.begin(), e.reads.end(), self) != e.reads.end();
            if (reads) reads_self[index(b.lambda)] = true;
        };
        for (const Operation& o : program.operations(b)) {
            effects_of(program, o.kind, e);
            look();
        }
        effects_of(program, b.terminator.kind, e);
        look();
    }
    return reads_self;
}

Slots allocate_slots(const Program& program, const Selects& selects, LambdaId lambda,
                     const std::vector<bool>& reads_self) {
    return Allocator(program, selects, lambda, reads_self).run();
}

} // namespace espalier::sym
