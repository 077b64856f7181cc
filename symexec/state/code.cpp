// Decoding: from the λ-IR to instructions, a block at a time.
#include "symexec/state/code.hpp"

#include <algorithm>
#include <optional>

namespace espalier::sym {

namespace {

// The instructions of a primitive of two operands: alone and with a branch, on slots and with a constant.
struct Forms {
    Opcode plain, word;
    std::optional<Opcode> branch, branch_word;
};

std::optional<Forms> forms_of(Prim prim) {
    switch (prim) {
    case Prim::add: return Forms{Opcode::add, Opcode::add_word, {}, {}};
    case Prim::sub: return Forms{Opcode::sub, Opcode::sub_word, {}, {}};
    case Prim::mul: return Forms{Opcode::mul, Opcode::mul_word, {}, {}};
    case Prim::quotient: return Forms{Opcode::quotient, Opcode::quotient_word, {}, {}};
    case Prim::remainder: return Forms{Opcode::remainder, Opcode::remainder_word, {}, {}};
    case Prim::modulo: return Forms{Opcode::modulo, Opcode::modulo_word, {}, {}};
    case Prim::num_eq:
        return Forms{Opcode::num_eq, Opcode::num_eq_word, Opcode::branch_if_num_eq, Opcode::branch_if_num_eq_word};
    case Prim::lt: return Forms{Opcode::lt, Opcode::lt_word, Opcode::branch_if_lt, Opcode::branch_if_lt_word};
    case Prim::le: return Forms{Opcode::le, Opcode::le_word, Opcode::branch_if_le, Opcode::branch_if_le_word};
    case Prim::gt: return Forms{Opcode::gt, Opcode::gt_word, Opcode::branch_if_gt, Opcode::branch_if_gt_word};
    case Prim::ge: return Forms{Opcode::ge, Opcode::ge_word, Opcode::branch_if_ge, Opcode::branch_if_ge_word};
    case Prim::eq:
    case Prim::eqv:
    case Prim::equal: return Forms{Opcode::eq, Opcode::eq_word, Opcode::branch_if_eq, Opcode::branch_if_eq_word};
    default: return std::nullopt; // the general way
    }
}

// Of one to three operands.
std::optional<Opcode> opcode_of(Prim prim) {
    switch (prim) {
    case Prim::not_: return Opcode::logical_not;
    case Prim::is_null: return Opcode::is_null;
    case Prim::is_pair: return Opcode::is_pair;
    case Prim::cons: return Opcode::cons;
    case Prim::car: return Opcode::car;
    case Prim::cdr: return Opcode::cdr;
    case Prim::vector_ref: return Opcode::vector_ref;
    case Prim::vector_set: return Opcode::vector_set;
    case Prim::string_ref: return Opcode::string_ref;
    case Prim::string_length: return Opcode::string_length;
    case Prim::char_to_integer: return Opcode::char_to_integer;
    default: return std::nullopt; // the general way
    }
}

// a < 3 is 3 > a.
Opcode mirrored(Opcode op) {
    switch (op) {
    case Opcode::lt_word: return Opcode::gt_word;
    case Opcode::le_word: return Opcode::ge_word;
    case Opcode::gt_word: return Opcode::lt_word;
    case Opcode::ge_word: return Opcode::le_word;
    case Opcode::branch_if_lt_word: return Opcode::branch_if_gt_word;
    case Opcode::branch_if_le_word: return Opcode::branch_if_ge_word;
    case Opcode::branch_if_gt_word: return Opcode::branch_if_lt_word;
    case Opcode::branch_if_ge_word: return Opcode::branch_if_le_word;
    default: return op; // symmetric
    }
}

// Does the concrete meaning look into lists, whose elements may be symbolic?
bool looks_into_lists(Prim prim) { return prim == Prim::string_concatenate || prim == Prim::list_to_string; }

} // namespace

class Decoder {
public:
    Decoder(const Program& program, Code& code) : p_(program), c_(code) {}

    void run() {
        c_.starts_.resize(p_.blocks.size());
        c_.entries_.resize(p_.lambdas.size());
        c_.slots_.resize(p_.variable_names.size(), no_slot);
        const std::vector<bool> reads_self = find_self_readers(p_);
        for (uint32_t l = 0; l < p_.lambdas.size(); ++l) {
            slots_ = allocate_slots(p_, c_.selects_, LambdaId{l}, reads_self);
            decode_lambda(LambdaId{l});
        }
        // Until here targets were blocks.
        for (Instruction& i : c_.instructions_) {
            if (i.op == Opcode::jump) i.a = c_.start(BlockId{i.a});
            if (i.op == Opcode::call) i.word = uint64_t{index(i.site())} << 32 | c_.start(BlockId{i.back()});
            if (i.op != Opcode::branch) continue;
            i.b = c_.start(BlockId{i.b});
            i.c = c_.start(BlockId{i.c});
        }
        for (uint32_t l = 0; l < p_.lambdas.size(); ++l)
            c_.entries_[l].pc = c_.start(BlockId{p_.lambdas[l].first_block});
    }

private:
    uint32_t slot(VarId v) const { return slots_.of[index(v)]; }
    Instruction& emit(Opcode op, uint32_t origin) {
        c_.instructions_.push_back({.op = op, .e = origin});
        return c_.instructions_.back();
    }

    void decode_lambda(LambdaId id) {
        const Lambda& l = p_[id];
        std::copy(slots_.of.begin(), slots_.of.end(), c_.slots_.begin() + l.first_name);
        for (uint32_t b = l.first_block; b < l.first_block + l.block_count; ++b) {
            c_.starts_[b] = static_cast<uint32_t>(c_.instructions_.size());
            const Block& block = p_.blocks[b];
            for (uint32_t o = block.first_op; o < block.first_op + block.op_count; ++o)
                decode(o, o + 1 == block.first_op + block.op_count ? &block.terminator.kind : nullptr);
            decode(block, b);
        }
        c_.entries_[index(id)] = {.slots = slots_.count,
                                  .params = l.params(),
                                  .captures = l.captures,
                                  .fixed = !l.rest,
                                  .uses_self = slots_.uses_self,
                                  .prelude = l.prelude};
    }

    // `next` is the terminator, where that comes next.
    void decode(uint32_t number, const TerminatorKind* next) {
        const OpKind& kind = p_.ops[number].kind;
        if (const auto* o = std::get_if<op::Constant>(&kind)) {
            if (slot(o->dst) == no_slot) return;
            Instruction& i = emit(Opcode::constant, number);
            i.a = slot(o->dst);
            i.word = o->value.bits();
        } else if (const auto* g = std::get_if<op::GlobalRef>(&kind)) {
            if (slot(g->dst) == no_slot) return;
            Instruction& i = emit(Opcode::global, number);
            i.a = slot(g->dst);
            i.b = index(g->global);
            i.flag = g->checked ? 1 : 0;
        } else if (const auto* set = std::get_if<op::GlobalSet>(&kind)) {
            Instruction& i = emit(Opcode::global_set, number);
            i.b = index(set->global);
            i.c = slot(set->value);
        } else if (const auto* r = std::get_if<op::BoxRef>(&kind)) {
            Instruction& i = emit(Opcode::box_ref, number);
            i.a = slot(r->dst);
            i.b = slot(r->box);
            i.flag = r->checked ? 1 : 0;
        } else if (const auto* w = std::get_if<op::BoxSet>(&kind)) {
            Instruction& i = emit(Opcode::box_set, number);
            i.b = slot(w->box);
            i.c = slot(w->value);
        } else if (const auto* prim = std::get_if<op::Primitive>(&kind)) {
            const auto* branch = next == nullptr ? nullptr : std::get_if<terminator::Branch>(next);
            decode(*prim, number, branch != nullptr && branch->condition == prim->dst);
        } else {
            emit(Opcode::operation, number);
        }
    }

    void decode(const op::Primitive& o, uint32_t number, bool branch_follows) {
        const auto args = p_.list(o.args);
        if (args.empty() || args.size() > 3) {
            emit(Opcode::operation, number);
            return;
        }
        Instruction i{.op = Opcode::operation, .count = static_cast<uint16_t>(o.prim), .a = slot(o.dst), .e = number};
        if (const auto forms = forms_of(o.prim)) {
            const int held = held_operand(p_, o, slots_);
            if (held < 0) {
                i.b = slot(args[0]);
                i.c = slot(args[1]);
            } else {
                i.word = slots_.constant[index(args[static_cast<size_t>(held)])]->bits();
                i.b = slot(args[static_cast<size_t>(1 - held)]);
                i.flag = held == 0 ? 1 : 0;
            }
            const auto chosen = [&](Opcode plain, Opcode word) {
                return held < 0 ? plain : held == 0 ? mirrored(word) : word;
            };
            if (branch_follows && forms->branch) {
                i.op = chosen(*forms->branch, *forms->branch_word);
                c_.instructions_.push_back(i);
            }
            i.op = chosen(forms->plain, forms->word);
            c_.instructions_.push_back(i);
            return;
        }
        i.b = slot(args[0]);
        if (args.size() > 1) i.c = slot(args[1]);
        if (args.size() > 2) i.d = slot(args[2]);
        if (branch_follows && (o.prim == Prim::is_null || o.prim == Prim::is_pair)) {
            i.op = o.prim == Prim::is_null ? Opcode::branch_if_null : Opcode::branch_if_pair;
            c_.instructions_.push_back(i);
        }
        if (const auto op = opcode_of(o.prim)) {
            i.op = *op;
        } else if (info(o.prim).effect == Effect::pure && !looks_into_lists(o.prim)) {
            i.op = Opcode::pure;
            i.flag = static_cast<uint8_t>(args.size());
            i.word = reinterpret_cast<uint64_t>(concrete(o.prim));
        }
        c_.instructions_.push_back(i);
    }

    void decode(const Block& block, uint32_t number) {
        const TerminatorKind& kind = block.terminator.kind;
        if (const auto* j = std::get_if<terminator::Jump>(&kind)) {
            decode_moves(p_.list(j->args), p_.list(p_[j->target].params), number);
            emit(Opcode::jump, number).a = index(j->target);
        } else if (const auto* b = std::get_if<terminator::Branch>(&kind)) {
            Instruction& i = emit(Opcode::branch, number);
            i.a = slot(b->condition);
            i.b = index(b->then_block);
            i.c = index(b->else_block);
        } else if (const auto* c = std::get_if<terminator::Call>(&kind)) {
            Instruction& i = decode_call(Opcode::call, c->callee, c->args, c->known, c->spread, number);
            i.d = slot(p_.list(p_[c->back].params)[0]);
            i.word |= index(c->back);
        } else if (const auto* t = std::get_if<terminator::TailCall>(&kind)) {
            decode_call(Opcode::tail_call, t->callee, t->args, t->known, t->spread, number);
        } else if (const auto* r = std::get_if<terminator::Return>(&kind)) {
            emit(Opcode::return_, number).a = slot(r->value);
        } else {
            emit(Opcode::terminator, number);
        }
    }

    // All at once, as a jump means it: a variable is overwritten when nothing reads it any more.
    void decode_moves(std::span<const VarId> from, std::span<const VarId> to, uint32_t block) {
        std::vector<std::pair<uint32_t, uint32_t>> moves; // to, from
        for (size_t i = 0; i < from.size(); ++i)
            if (slot(from[i]) != slot(to[i])) moves.emplace_back(slot(to[i]), slot(from[i]));
        const auto move = [&](uint32_t into, uint32_t source) {
            Instruction& i = emit(Opcode::move, block);
            i.a = into;
            i.b = source;
        };
        while (!moves.empty()) {
            const auto safe = std::find_if(moves.begin(), moves.end(), [&](const auto& m) {
                return std::none_of(moves.begin(), moves.end(), [&](const auto& n) { return n.second == m.first; });
            });
            if (safe != moves.end()) {
                move(safe->first, safe->second);
                moves.erase(safe);
                continue;
            }
            // They go round in a circle: one steps aside.
            const uint32_t spare = slots_.count++;
            const uint32_t first = moves.front().second;
            move(spare, first);
            for (auto& m : moves)
                if (m.second == first) m.second = spare;
        }
    }

    Instruction& decode_call(Opcode op, VarId callee, VarList args, LambdaId known, bool spread, uint32_t block) {
        Instruction& i = emit(op, block);
        i.a = slot(callee);
        i.b = index(known);
        i.c = static_cast<uint32_t>(c_.arguments_.size());
        i.word = uint64_t{index(p_.blocks[block].terminator.label)} << 32;
        if (is_plain_call(p_, known, args, spread)) {
            i.flag = 1;
            i.count = static_cast<uint16_t>(args.count);
            for (VarId v : p_.list(args)) c_.arguments_.push_back(slot(v));
        }
        return i;
    }

    const Program& p_;
    Code& c_;
    Slots slots_;
};

Code::Code(const Program& program) : program_(program), selects_(program) { Decoder(program, *this).run(); }

} // namespace espalier::sym
