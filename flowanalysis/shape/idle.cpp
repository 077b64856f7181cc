// What is marked in a clause's test counts once some clause takes the message. So a mark on the way to a refusal, after
// which no clause takes it, never counts: the else of `(on (user Cancel) (where (not done)))`, where no other clause
// waits for Cancel. Left in the automaton it would be a target that nothing reaches, within the bound wherever the
// clause is.
//
// This is found only in models with one thread, and for ports that the text names. A later clause for the same message
// takes it, unless its pattern wants another constant in some field than was found there before: `(Follow 'back)` takes
// nothing that `(Follow 'forward)` has refused later than in its pattern.
#include "flowanalysis/shape/idle.hpp"

#include <algorithm>
#include <unordered_map>

namespace espalier::flow {

namespace {

// Clauses of one message that are looked at one by one; behind more, anything may be taken.
constexpr size_t most_rivals = 64;

struct FieldFact { // a field of the message that the clause takes is equal to the constant
    uint32_t field;
    Value constant;
};
using FieldFacts = std::vector<FieldFact>;

bool contradict(const FieldFacts& a, const FieldFacts& b) {
    return std::any_of(a.begin(), a.end(), [&](const FieldFact& x) {
        return std::any_of(b.begin(), b.end(),
                           [&](const FieldFact& y) { return x.field == y.field && !equal(x.constant, y.constant); });
    });
}

class IdleBlocks {
public:
    IdleBlocks(const Program& program, const std::vector<uint32_t>& clause_of)
        : program_(program), clause_of_(clause_of), facts_(program.blocks.size()), ways_(program.blocks.size(), 0),
          accepted_(program.clauses.size()), taken_(program.clauses.size()), idle_(program.blocks.size(), false) {}

    std::vector<bool> find() {
        if (std::any_of(program_.ops.begin(), program_.ops.end(),
                        [](const Operation& o) { return std::holds_alternative<op::Spawn>(o.kind); }))
            return idle_;                                     // another thread may take what this one refuses
        for (uint32_t b = 0; b < program_.blocks.size(); ++b) // blocks come before their successors
            if (clause_of_[b] != no_clause) learn(BlockId{b});
        for (const Block& block : program_.blocks)
            if (const auto* t = std::get_if<terminator::Select>(&block.terminator.kind)) find_takers(block, *t);
        for (uint32_t b = static_cast<uint32_t>(program_.blocks.size()); b-- > 0;)
            if (clause_of_[b] != no_clause) idle_[b] = leads_nowhere(b);
        return std::move(idle_);
    }

private:
    // What a test has found out where it comes to its blocks; nothing where two ways meet.
    void learn(BlockId b) {
        const Block& block = program_[b];
        const FieldFacts here = facts_[index(b)];
        const auto pass_on = [&](BlockId next, const FieldFacts& facts) {
            facts_[index(next)] = ways_[index(next)]++ == 0 ? facts : FieldFacts{};
        };
        std::visit(Overloaded{
                       [&](const terminator::Jump& t) { pass_on(t.target, here); },
                       [&](const terminator::Branch& t) {
                           FieldFacts then = here;
                           if (const auto fact = tested(b, t.condition)) then.push_back(*fact);
                           pass_on(t.then_block, then);
                           pass_on(t.else_block, here);
                       },
                       [&](const terminator::Call& t) { pass_on(t.back, here); },
                       [](const terminator::TailCall&) {},
                       [](const terminator::Return&) {},
                       [](const terminator::Select&) {},
                       [&](const terminator::Accept&) { accept(clause_of_[index(b)], here); },
                       [](const terminator::Refuse&) {},
                       [&](const terminator::Choose& t) {
                           for (uint32_t i = t.first; i < t.first + t.count; ++i) pass_on(program_.choices[i], here);
                       },
                   },
                   block.terminator.kind);
    }

    void accept(uint32_t clause, const FieldFacts& facts) {
        auto& known = accepted_[clause];
        known = known ? FieldFacts{} : facts; // where there are two ways to accept, either
    }

    // Is the condition, made in this block, that a field of the clause's message is a constant?
    std::optional<FieldFact> tested(BlockId b, VarId condition) const {
        const Block& block = program_[b];
        const auto params = program_.list(program_[program_.clauses[clause_of_[index(b)]].test].params);
        if (params.empty()) return std::nullopt; // of a timer's clause: there is no message
        const VarId message = params[0];
        std::unordered_map<uint32_t, uint32_t> fields;
        std::unordered_map<uint32_t, Value> constants;
        for (const Operation& o : program_.operations(block)) {
            if (const auto* f = std::get_if<op::MessageRef>(&o.kind); f != nullptr && f->object == message)
                fields.emplace(index(f->dst), f->field);
            if (const auto* c = std::get_if<op::Constant>(&o.kind)) constants.emplace(index(c->dst), c->value);
            const auto* test = std::get_if<op::Primitive>(&o.kind);
            if (test == nullptr || test->dst != condition) continue;
            if (test->prim != Prim::eqv && test->prim != Prim::eq && test->prim != Prim::equal) continue;
            const auto args = program_.list(test->args);
            if (args.size() != 2) continue;
            for (const auto& [field, constant] : {std::pair{args[0], args[1]}, std::pair{args[1], args[0]}})
                if (fields.count(index(field)) != 0 && constants.count(index(constant)) != 0)
                    return FieldFact{fields.at(index(field)), constants.at(index(constant))};
        }
        return std::nullopt;
    }

    // Which later clauses of a select wait for the same message at the same port?
    void find_takers(const Block& block, const terminator::Select& select) {
        std::unordered_map<uint32_t, uint32_t> ports; // by variable
        for (const Operation& o : program_.operations(block))
            if (const auto* c = std::get_if<op::Constant>(&o.kind); c != nullptr && c->value.is_port())
                ports.emplace(index(c->dst), c->value.payload());
        std::unordered_map<uint64_t, std::vector<uint32_t>> waiting; // later clauses, by port and message
        std::unordered_map<uint32_t, bool> for_all;                  // by port: does a later one take any message?
        bool anything = false;                                       // or is there one whose port cannot be told?
        for (uint32_t i = select.first + select.count; i-- > select.first;) {
            const SelectClause& c = program_.clauses[i];
            Takers& takers = taken_[i];
            takers.any = true;
            if (c.kind != SelectClause::Kind::message) continue;
            const auto port = ports.find(index(c.source));
            if (port == ports.end()) {
                anything = true;
            } else if (c.filter != SelectClause::Filter::message) {
                for_all[port->second] = true;
            } else {
                auto& rivals = waiting[uint64_t{port->second} << 32 | index(c.message)];
                takers.any = anything || for_all[port->second] || rivals.size() > most_rivals;
                if (!takers.any) takers.clauses = rivals;
                rivals.push_back(i);
            }
        }
    }

    bool may_be_taken(uint32_t clause, const FieldFacts& facts) const {
        const Takers& takers = taken_[clause];
        return takers.any || std::any_of(takers.clauses.begin(), takers.clauses.end(), [&](uint32_t other) {
                   return accepted_[other] && !contradict(facts, *accepted_[other]);
               });
    }

    bool leads_nowhere(uint32_t b) const {
        const TerminatorKind& kind = program_.blocks[b].terminator.kind;
        const auto idle = [&](BlockId next) { return bool{idle_[index(next)]}; };
        if (std::holds_alternative<terminator::Refuse>(kind)) return !may_be_taken(clause_of_[b], facts_[b]);
        if (const auto* jump = std::get_if<terminator::Jump>(&kind)) return idle(jump->target);
        if (const auto* branch = std::get_if<terminator::Branch>(&kind))
            return idle(branch->then_block) && idle(branch->else_block);
        if (const auto* call = std::get_if<terminator::Call>(&kind)) return idle(call->back);
        return false;
    }

    struct Takers {       // the later clauses that may take what a clause refuses
        bool any = false; // anything may be taken
        std::vector<uint32_t> clauses;
    };

    const Program& program_;
    const std::vector<uint32_t>& clause_of_;
    std::vector<FieldFacts> facts_;                   // by block
    std::vector<uint32_t> ways_;                      // into a block
    std::vector<std::optional<FieldFacts>> accepted_; // by clause: what it takes is so; none where it takes nothing
    std::vector<Takers> taken_;                       // by clause
    std::vector<bool> idle_;                          // by block
};

} // namespace

std::vector<bool> idle_blocks(const Program& program, const std::vector<uint32_t>& clause_of) {
    return IdleBlocks(program, clause_of).find();
}

} // namespace espalier::flow
