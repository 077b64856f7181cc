#include "symexec/follow/follow.hpp"

#include <stdexcept>

#include "symexec/machine/watched.hpp"
#include "symexec/state/path_conditions.hpp"

namespace espalier::sym {

namespace {

// Answers the machine from the signature.
class Guide : public Observer {
public:
    Guide(Terms& terms, const Signature& signature, const std::function<void(const State&)>& collect)
        : terms_(terms), signature_(signature), collect_(collect) {}
    State followed;

    bool wants(TargetId) const override { return false; }
    bool assume(State& s, Value condition) override {
        s.path.push(condition);
        return true;
    }
    SolverWord positive_range(State& s, Value) override { return next_word(s); }
    SolverWord few_values(State& s, Value, int64_t) override { return next_word(s); }
    void moments_left_out(const State&, Label) override {}
    std::span<const Value> conditions(const State& s) override { return conditions_.of(s); }
    bool should_stop() override { return false; }
    void collect() override { collect_(followed); }

    const Choice* next_choice() const {
        const size_t taken = followed.events.size();
        return taken < signature_.choices.size() ? &signature_.choices[taken] : nullptr;
    }
    bool is_next_implied() const { return signature_.implied[followed.events.size()]; }

private:
    SolverWord next_word(State& s) {
        const size_t heard = s.words.size();
        if (heard >= signature_.words.size()) throw std::logic_error("the signature knows no answer of the solver");
        const auto own = [&](const std::optional<Value>& v) { return v ? std::optional(terms_.constant(*v)) : v; };
        const SolverWord& word = signature_.words[heard];
        s.words.push({own(word.low), own(word.high)});
        return s.words.last()->item;
    }

    Terms& terms_;
    const Signature& signature_;
    const std::function<void(const State&)>& collect_;
    PathConditions conditions_;
};

void check(const Choice& wanted, Label label, size_t of) {
    if (wanted.label == label && wanted.of == of && wanted.taken < of) return;
    throw std::logic_error("the program does not go the way of the signature");
}

void take_way(Guide& guide, const Fork& fork, const Choice& choice) {
    check(choice, fork.label, fork.conditions.size());
    State& s = guide.followed;
    const Value condition = fork.conditions[choice.taken];
    const bool is_implied = guide.is_next_implied();
    enter_way(s, fork, choice.taken, is_implied);
    if (!condition.is_term()) return;
    (is_implied ? s.implied : s.path).push(condition);
}

} // namespace

Signature signature_of(const State& s, Heap& heap) {
    const auto copy = [&](Value v) {
        if (is_type(v, ObjectType::string)) return heap.string(to_utf8(as_string(v)));
        return number::is_number(v) ? number::copy(heap, v) : v;
    };
    const auto copy_where_any = [&](const std::optional<Value>& v) { return v ? std::optional(copy(*v)) : v; };
    Signature signature;
    signature.choices.resize(s.events.size());
    signature.implied.resize(s.events.size());
    for (const auto* n = s.events.last(); n != nullptr; n = n->before) {
        signature.choices[n->size - 1] = n->item.choice;
        signature.implied[n->size - 1] = n->item.is_implied;
    }
    for (const SolverWord& word : s.words.to_vector())
        signature.words.push_back({copy_where_any(word.low), copy_where_any(word.high)});
    if (!s.verified) signature.undecided = s.undecided;
    if (s.verified && s.model != nullptr) {
        std::vector<Value> model;
        for (Value v : *s.model) model.push_back(copy(v));
        signature.model = std::make_shared<const std::vector<Value>>(std::move(model));
    }
    return signature;
}

void pack(State& s) {
    s.threads = {};
    s.store = {};
    s.decisions = {};
    s.clocks = {};
}

void unpack(State& s, Machine& machine, Terms& terms, StandsAt where,
            const std::function<void(const State&)>& collect) {
    Signature ways;
    for (const Event& e : s.events.to_vector()) {
        ways.choices.push_back(e.choice);
        ways.implied.push_back(e.is_implied);
    }
    ways.words = s.words.to_vector();
    State again = follow(machine, terms, ways, where, collect);
    // What a path knows is shared with its like, and a part of the search may know it by its address.
    again.path = std::move(s.path);
    again.implied = std::move(s.implied);
    again.events = std::move(s.events);
    again.words = std::move(s.words);
    again.signature = s.signature;
    again.k = s.k;
    again.quiet_steps = s.quiet_steps;
    again.verified = s.verified;
    again.model = std::move(s.model);
    again.undecided = s.undecided;
    again.records = std::move(s.records);
    s = std::move(again);
}

void enter_way(State& child, const Fork& fork, uint32_t way, bool is_implied) {
    const Choice choice{fork.label, way, static_cast<uint32_t>(fork.conditions.size())};
    child.decisions.add(fork.decision(way));
    child.events.push({.kind = fork.kind, .is_implied = is_implied, .about = fork.subject.kind, .choice = choice});
    child.signature.extend(choice);
}

BlockId decided_block(const Program& program, const Machine& machine, const State& s, const Fork& fork, uint32_t way) {
    if (s.running == UINT32_MAX || !s.decisions.empty()) return no_block;
    const Thread& t = s.threads[s.running];
    const Instruction& i = machine.code().at(t.pc);
    if (i.op != Opcode::branch && i.op != Opcode::terminator) return no_block;
    const TerminatorKind& kind = program.blocks[i.e].terminator.kind;
    if (const auto* c = std::get_if<terminator::Choose>(&kind)) return program.choices[c->first + way];
    const auto* b = std::get_if<terminator::Branch>(&kind);
    const bool decides =
        b != nullptr && fork.conditions.size() == 2 && fork.conditions[0] == machine.variable(t, b->condition);
    return !decides ? no_block : way == 0 ? b->then_block : b->else_block;
}

State leave_stable(Machine& machine, const State& stable, const std::vector<Offer>& offers, uint32_t way) {
    State child = stable;
    --child.k;
    ++child.left;
    const auto of = static_cast<uint32_t>(offers.size());
    machine.take(child, offers[way], way, of);
    child.signature.extend({offers[way].label, way, of});
    return child;
}

State follow(Machine& machine, Terms& terms, const Signature& signature, StandsAt where,
             const std::function<void(const State&)>& collect) {
    Guide guide(terms, signature, collect);
    const Watched watched(machine, guide);
    State& s = guide.followed;
    s = machine.initial();
    while (const Choice* choice = guide.next_choice()) {
        s.next = no_block;
        const Outcome outcome = machine.run(s);
        if (outcome == Outcome::fork) {
            take_way(guide, machine.fork(), *choice);
        } else if (outcome == Outcome::stable) {
            const std::vector<Offer> offers = machine.offers(s);
            check(*choice, choice->taken < offers.size() ? offers[choice->taken].label : no_label, offers.size());
            s = leave_stable(machine, s, offers, choice->taken);
        } else {
            throw std::logic_error("the path ends before the signature does");
        }
    }
    if (where == StandsAt::rest) {
        s.next = no_block;
        machine.run(s);
    }
    s.verified = signature.undecided == no_label;
    s.undecided = signature.undecided;
    s.model = nullptr;
    if (signature.model != nullptr) {
        Assignment own;
        for (Value v : *signature.model) own.push_back(v.is_unbound() ? v : terms.constant(v));
        s.model = std::make_shared<const Assignment>(std::move(own));
    }
    return std::move(guide.followed);
}

} // namespace espalier::sym
