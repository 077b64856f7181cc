#include "testgen/graph/machine_arrows.hpp"

#include <algorithm>
#include <map>

namespace espalier {

namespace {

// Where control may go next in the same λ.
std::vector<BlockId> successors(const Program& program, const Terminator& terminator) {
    using Blocks = std::vector<BlockId>;
    return std::visit(Overloaded{
                          [](const terminator::Jump& t) { return Blocks{t.target}; },
                          [](const terminator::Branch& t) {
                              return Blocks{t.then_block, t.else_block};
                          },
                          [](const terminator::Call& t) { return Blocks{t.back}; },
                          [](const terminator::TailCall&) { return Blocks{}; },
                          [](const terminator::Return&) { return Blocks{}; },
                          [&](const terminator::Select& t) {
                              Blocks tests;
                              for (const SelectClause& c : program.select_clauses(t)) tests.push_back(c.test);
                              return tests;
                          },
                          [](const terminator::Accept& t) { return Blocks{t.body}; },
                          [](const terminator::Refuse&) { return Blocks{}; },
                          [&](const terminator::Choose& t) {
                              const auto first = program.choices.begin() + t.first;
                              return Blocks(first, first + t.count);
                          },
                      },
                      terminator.kind);
}

class Finder {
public:
    explicit Finder(const Program& program)
        : program_(program), clause_of_(program.targets.size(), nullptr), seen_(program.blocks.size(), no_state) {}
    std::vector<MachineArrows> find();

private:
    struct StateRef {
        uint32_t machine = no_state;
        uint32_t state = no_state;
    };
    void find_clauses();
    void follow(uint32_t clause);
    StateRef owner(const Target& transition) const;
    uint32_t state_named(uint32_t machine, std::string_view name) const;
    void add_arrow(const Target& transition, const SelectClause* clause);
    void add_structure(const Lambda& lambda);
    static std::string full_name(const MachineDef& machine, const StateDef& state) {
        return std::string(name_of(machine.name)) + "/" + std::string(name_of(state.name));
    }

    const Program& program_;
    std::vector<MachineArrows> found_;
    std::multimap<std::string, StateRef> states_;
    std::vector<const SelectClause*> clause_of_; // by target: the clause whose action marks it
    std::vector<uint32_t> seen_;                 // by block: the last clause that led there
    std::vector<bool> marks_;                    // by clause: does it mark any transition?
};

// An action may wait for more itself: the clause that a transition belongs to is the first on the way to its mark.
// Blocks are in topological order.
void Finder::follow(uint32_t clause) {
    const SelectClause& c = program_.clauses[clause];
    std::vector<BlockId> work{c.test};
    while (!work.empty()) {
        const BlockId block = work.back();
        work.pop_back();
        if (block == no_block || seen_[index(block)] == clause) continue;
        seen_[index(block)] = clause;
        for (const Operation& o : program_.operations(program_[block])) {
            const auto* mark = std::get_if<op::Mark>(&o.kind);
            if (mark == nullptr || program_.targets[index(mark->target)].kind != TargetKind::transition) continue;
            marks_[clause] = true;
            const SelectClause*& known = clause_of_[index(mark->target)];
            if (known == nullptr || c.test < known->test) known = &c;
        }
        for (BlockId next : successors(program_, program_[block].terminator)) work.push_back(next);
    }
}

void Finder::find_clauses() {
    marks_.assign(program_.clauses.size(), false);
    for (uint32_t c = 0; c < program_.clauses.size(); ++c) follow(c);
}

// "machine/state#N". Should two machines have one name, the place decides.
Finder::StateRef Finder::owner(const Target& transition) const {
    const auto [first, last] = states_.equal_range(transition.name.substr(0, transition.name.rfind('#')));
    StateRef best;
    for (auto it = first; it != last; ++it) {
        const Span around = program_.machines[it->second.machine].span;
        const Span at = transition.span;
        const bool inside = around.file == at.file && around.begin <= at.begin && at.end <= around.end;
        if (best.machine == no_state || inside) best = it->second;
    }
    return best;
}

uint32_t Finder::state_named(uint32_t machine, std::string_view name) const {
    const auto& states = program_.machines[machine].states;
    for (uint32_t s = 0; s < states.size(); ++s)
        if (name_of(states[s].name) == name) return s;
    return no_state;
}

void Finder::add_arrow(const Target& transition, const SelectClause* clause) {
    const StateRef from = owner(transition);
    if (from.machine == no_state) return;
    const auto number = static_cast<uint32_t>(std::stoul(transition.name.substr(transition.name.rfind('#') + 1)));
    const uint32_t to = transition.text.empty() ? no_state : state_named(from.machine, transition.text);
    found_[from.machine].arrows.push_back({from.state, to, number, clause});
}

// A state is entered by a λ of its own name and place, which goes on with the initial state inside, or waits.
void Finder::add_structure(const Lambda& lambda) {
    constexpr std::string_view waiting = " wait";
    std::string name(name_of(lambda.name));
    const bool waits = name.ends_with(waiting);
    if (waits) name.resize(name.size() - waiting.size());
    const auto [first, last] = states_.equal_range(name);
    for (auto it = first; it != last; ++it) {
        const auto& [machine, state] = it->second;
        const auto& states = program_.machines[machine].states;
        if (states[state].span != lambda.span) continue;
        for (uint32_t b = lambda.first_block; b < lambda.first_block + lambda.block_count; ++b) {
            const TerminatorKind& t = program_.blocks[b].terminator.kind;
            const auto* select = std::get_if<terminator::Select>(&t);
            if (waits && select != nullptr && b == lambda.first_block)
                for (uint32_t c = select->first; c < select->first + select->count; ++c)
                    if (!marks_[c]) found_[machine].ignored[state].push_back(&program_.clauses[c]);
            const auto* next = std::get_if<terminator::TailCall>(&t);
            if (waits || next == nullptr || next->known == no_lambda) continue;
            for (uint32_t s = 0; s < states.size(); ++s)
                if (states[s].parent == state && states[s].span == program_[next->known].span)
                    found_[machine].initial[state] = s;
        }
    }
}

std::vector<MachineArrows> Finder::find() {
    for (uint32_t m = 0; m < program_.machines.size(); ++m) {
        const MachineDef& machine = program_.machines[m];
        found_.push_back({{}, std::vector<uint32_t>(machine.states.size(), no_state), {}});
        found_.back().ignored.resize(machine.states.size());
        for (uint32_t s = 0; s < machine.states.size(); ++s)
            states_.emplace(full_name(machine, machine.states[s]), StateRef{m, s});
    }
    find_clauses();
    for (uint32_t t = 0; t < program_.targets.size(); ++t)
        if (program_.targets[t].kind == TargetKind::transition) add_arrow(program_.targets[t], clause_of_[t]);
    for (const Lambda& lambda : program_.lambdas) add_structure(lambda);
    for (MachineArrows& m : found_)
        std::sort(m.arrows.begin(), m.arrows.end(), [](const MachineArrow& a, const MachineArrow& b) {
            return a.from != b.from ? a.from < b.from : a.number < b.number;
        });
    return std::move(found_);
}

} // namespace

std::vector<MachineArrows> machine_arrows(const Program& program) { return Finder(program).find(); }

} // namespace espalier
