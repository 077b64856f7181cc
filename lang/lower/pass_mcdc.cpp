// Masking MC/DC: a mark where a decision has been made, for each condition that alone would have turned it.
//
// Whether a condition mattered is known only where its decision ends, and depends on which others were evaluated on the
// way. So the way is written down as it is taken: each edge of a decision puts its atom in front of a list, the trace,
// which travels as a parameter of the decision's blocks, and where the decision ends a mark asks the trace. That costs
// a cell for each condition evaluated and no copy of any block, where a tree of all ways would be exponential.
//
// A decision of one condition needs no trace: the condition always matters, and its edges are marked.
#include <algorithm>
#include <map>

#include "lang/ir/overloaded.hpp"
#include "lang/lower/decisions.hpp"
#include "lang/lower/declarations.hpp"
#include "lang/lower/pass.hpp"
#include "lang/lower/writer.hpp"

namespace espalier {

namespace {

// By block: one that leads to it.
std::vector<BlockId> blocks_before(const Program& p) {
    std::vector<BlockId> before(p.blocks.size(), no_block);
    for (uint32_t b = 0; b < p.blocks.size(); ++b) {
        const auto link = [&](BlockId to) {
            if (before[index(to)] == no_block) before[index(to)] = BlockId{b};
        };
        std::visit(Overloaded{
                       [&](const terminator::Jump& t) { link(t.target); },
                       [&](const terminator::Branch& t) { link(t.then_block), link(t.else_block); },
                       [&](const terminator::Call& t) { link(t.back); },
                       [](const terminator::TailCall&) {},
                       [](const terminator::Return&) {},
                       [&](const terminator::Select& t) {
                           for (const SelectClause& c : p.select_clauses(t)) link(c.test);
                       },
                       [&](const terminator::Accept& t) { link(t.body); },
                       [](const terminator::Refuse&) {},
                       [&](const terminator::Choose& t) {
                           for (uint32_t i = 0; i < t.count; ++i) link(p.choices[t.first + i]);
                       },
                   },
                   p.blocks[b].terminator.kind);
    }
    return before;
}

// Does the decision, where the atom matters, go the way of the atom? Each atom stands once under `and`, `or` and `not`,
// so it always does or never. The two ways are followed together, and go the same way at an atom that both meet.
bool rises(const DecisionTable& table, uint32_t atom) {
    std::vector<std::pair<uint32_t, uint32_t>> pending{{table.atoms[atom].if_true, table.atoms[atom].if_false}};
    std::map<std::pair<uint32_t, uint32_t>, bool> seen;
    while (!pending.empty()) {
        const auto [a, b] = pending.back();
        pending.pop_back();
        if (a == DecisionTable::yes && b == DecisionTable::no) return true;
        const uint32_t first = std::min(a, b); // ends are greater than atoms
        if (first >= table.atoms.size() || !seen.emplace(std::pair(a, b), true).second) continue;
        for (const uint32_t to : {table.atoms[first].if_true, table.atoms[first].if_false})
            pending.emplace_back(a == first ? to : a, b == first ? to : b);
    }
    return false;
}

class Mcdc : public Pass {
public:
    explicit Mcdc(const Program& program);
    void declare(Declarations& declared) override;
    void at_start(Writer& writer, BlockId block) override;
    void before_jump(Writer& writer, BlockId from, BlockId to) override;
    bool marks_edges() const override { return true; }
    void on_edge(Writer& writer, const Edge& edge) override;

private:
    bool is_traced(uint32_t decision) const { return conditions_.atoms(decision).size() > 1; }
    void trace(uint32_t decision);
    uint32_t follow(uint32_t decision, BlockId to) const;
    VarId trace_at(uint32_t decision, BlockId block) const;
    void mark_end(Writer& writer, const DecisionEnd& end, VarId trace) const;

    const Program& p_;
    Conditions conditions_;
    std::vector<DecisionEnd> ends_;     // by block
    std::vector<BlockId> before_;       // by block
    std::vector<uint32_t> inside_;      // by block: traced decision plus one whose edges lead here
    std::vector<VarId> received_;       // by block: the parameter for the trace
    std::vector<DecisionTable> tables_; // by decision; of one that is not traced, empty
    std::vector<uint32_t> numbers_;     // by decision: of its table in the program
};

Mcdc::Mcdc(const Program& program)
    : p_(program), conditions_(program), ends_(decision_ends(program)), before_(blocks_before(program)),
      inside_(program.blocks.size(), 0), received_(program.blocks.size(), no_var), tables_(program.decisions.size()),
      numbers_(program.decisions.size(), 0) {
    for (uint32_t d = 0; d < p_.decisions.size(); ++d)
        if (is_traced(d)) trace(d);
}

void Mcdc::trace(uint32_t d) {
    for (const BlockId end : {p_.decisions[d].then_block, p_.decisions[d].else_block})
        if (end != no_block) inside_[index(end)] = d + 1;
    for (const BlockId atom : conditions_.atoms(d)) {
        const auto& t = std::get<terminator::Branch>(p_[atom].terminator.kind);
        inside_[index(t.then_block)] = inside_[index(t.else_block)] = d + 1;
        tables_[d].atoms.push_back({follow(d, t.then_block), follow(d, t.else_block)});
    }
}

// The atom or end that a way leads to. From each atom one way leads to the next in order, so blocks, which are in
// topological order, have them in order too, and the next atom from here is the first one not before here.
uint32_t Mcdc::follow(uint32_t d, BlockId to) const {
    const Decision& decision = p_.decisions[d];
    while (true) {
        if (to == decision.then_block) return DecisionTable::yes;
        if (to == decision.else_block) return DecisionTable::no;
        const auto* j = std::get_if<terminator::Jump>(&p_[to].terminator.kind);
        if (j == nullptr || p_[to].op_count != 0 || j->args.count != 0) break; // else a constant stands here
        to = j->target;
    }
    const std::vector<BlockId>& atoms = conditions_.atoms(d);
    return static_cast<uint32_t>(std::lower_bound(atoms.begin(), atoms.end(), to) - atoms.begin());
}

void Mcdc::declare(Declarations& declared) {
    for (uint32_t d = 0; d < p_.decisions.size(); ++d) {
        if (is_traced(d)) numbers_[d] = declared.table(tables_[d]);
        for (uint32_t i = 0; i < conditions_.atoms(d).size(); ++i)
            for (const bool value : {true, false})
                declared.target(TargetKind::mcdc, conditions_.name(d, i, value), conditions_.span(d, i));
    }
}

void Mcdc::at_start(Writer& writer, BlockId block) {
    if (inside_[index(block)] != 0) received_[index(block)] = writer.add_parameter();
    const DecisionEnd& end = ends_[index(block)];
    if (end.decision != nullptr && is_traced(end.number)) mark_end(writer, end, received_[index(block)]);
}

void Mcdc::mark_end(Writer& writer, const DecisionEnd& end, VarId trace) const {
    const uint32_t d = end.number;
    for (uint32_t i = 0; i < conditions_.atoms(d).size(); ++i) {
        const bool value = rises(tables_[d], i) == end.yes;
        const TargetId target = writer.target(TargetKind::mcdc, conditions_.name(d, i, value));
        writer.emit(op::MarkDetermined{target, trace, numbers_[d], i, value}, conditions_.span(d, i));
    }
}

// The trace as it stands in a block: what the nearest block before it received that an edge of the decision leads to.
VarId Mcdc::trace_at(uint32_t d, BlockId block) const {
    while (inside_[index(block)] != d + 1) block = before_[index(block)];
    return received_[index(block)];
}

void Mcdc::before_jump(Writer& writer, BlockId from, BlockId to) {
    if (const uint32_t inside = inside_[index(to)]; inside != 0) // past a constant
        writer.add_argument(trace_at(inside - 1, from));
}

void Mcdc::on_edge(Writer& writer, const Edge& edge) {
    const uint32_t d = edge.branch.number - 1, atom = conditions_.place(edge.from);
    if (!is_traced(d)) return writer.mark(TargetKind::mcdc, conditions_.name(d, atom, edge.way), edge.span);
    const VarId entry = writer.fresh(), trace = writer.fresh();
    VarId before = no_var;
    if (atom == 0) {
        before = writer.fresh();
        writer.emit(op::Constant{before, Value::null()}, edge.span);
    } else {
        before = trace_at(d, edge.from);
    }
    writer.emit(op::Constant{entry, Value::fixnum(int64_t{2} * atom + (edge.way ? 1 : 0))}, edge.span);
    writer.emit(op::Primitive{trace, Prim::cons, writer.list({entry, before})}, edge.span);
    writer.add_argument(trace);
}

} // namespace

std::unique_ptr<Pass> make_mcdc_pass(const Program& program) { return std::make_unique<Mcdc>(program); }

} // namespace espalier
