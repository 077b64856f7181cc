// Criteria into the λ-IR: the program is written anew, with marks where they ask for them.
//
// Most criteria are a mark at the start of a block, after a comparison, or in a block of its own on an edge of a
// branch. Masking MC/DC needs more: whether a condition mattered is known only where its decision ends, and depends on
// which others were evaluated on the way. So the way is written down as it is taken: each edge of a decision puts its
// atom in front of a list, which travels as a parameter of the decision's blocks, and where the decision ends a mark
// asks the list. That costs a cell for each condition evaluated and no copy of any block, where a tree of all ways
// would be exponential.
#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "lang/ir/core.hpp"
#include "lang/lower/criteria.hpp"

namespace espalier {

namespace {

// Blocks that are named in what is being written are old ones, to be renumbered at the end, or marked as new.
constexpr uint32_t is_new = 1U << 31;
BlockId as_new(size_t block) { return BlockId{static_cast<uint32_t>(block) | is_new}; }

class Instrumentation {
public:
    Instrumentation(Program& program, Criteria criteria) : p_(program), criteria_(criteria) {}
    void run();

private:
    // Atoms of a decision, by block of the old program; and the blocks that its edges lead to.
    struct Plan {
        std::vector<BlockId> atoms; // in order of evaluation
        uint32_t first_number = 0;  // of its conditions, within its scope
        uint32_t table = 0;
        bool traced = false;
    };
    using Scope = std::pair<Symbol, uint32_t>; // and the number in it

    // Which targets there will be
    void plan_decisions();
    void collect();
    void keep_or_drop_old();
    TargetId target(TargetKind kind, const std::string& name, Span span);
    static std::string numbered(Symbol scope, uint32_t number) {
        return std::string(name_of(scope)) + "#" + std::to_string(number);
    }
    void name_procedures();
    void add_condition_targets(const Decision& decision, const Plan& plan);
    void sort_targets();
    TargetId id(TargetKind kind, const std::string& name) const { return ids_.at({kind, name}); }

    // Where each way of an atom leads
    uint32_t follow(uint32_t decision, BlockId to) const;
    void make_table(uint32_t decision);
    static bool rises(const DecisionTable& table, uint32_t atom);

    // The new program
    void rewrite_lambda(LambdaId lambda);
    void rewrite_block(BlockId block);
    void copy_operation(const Operation& op);
    void split_at_assert(const Operation& op);
    void end_block(const Block& old);
    void branch(const Block& old, term::Branch t);
    void edge(const Block& old, const term::Branch& t, bool way);
    void mark(TargetKind kind, const std::string& name, Span span) { emit(op::Mark{id(kind, name)}, span); }
    void mark_decision_end(BlockId block);
    void emit(OpKind kind, Span span) { ops_.push_back({std::move(kind), Label{labels_++}, span}); }
    void begin(VarList params);
    void finish(TerminatorKind kind, Label label, Span span);
    VarId fresh();
    VarList list(std::initializer_list<VarId> vars);
    VarList appended(VarList old, VarId extra);
    VarId trace_at(uint32_t decision, BlockId block) const;
    void link_blocks();
    void renumber();

    Program& p_;
    Criteria criteria_;
    std::vector<Plan> plans_;               // by decision
    std::vector<uint32_t> ends_, ends_yes_; // by old block: decision plus one that ends there, and whether with yes
    std::vector<uint32_t> inside_;          // by old block: traced decision plus one whose edges lead here
    std::vector<VarId> received_;           // by old block: the parameter for the trace
    std::vector<uint32_t> atom_;            // by old block that ends in one: its place in the decision
    std::vector<BlockId> before_;           // by old block: one that leads to it
    std::map<std::pair<TargetKind, std::string>, TargetId> ids_;
    std::vector<Target> targets_;
    std::vector<TargetId> kept_; // by old target
    std::vector<std::string> procedure_names_;

    // Being written
    std::vector<Block> blocks_;
    std::vector<Operation> ops_;
    std::vector<BlockId> moved_; // by old block
    LambdaId lambda_{};
    BlockId old_{}; // the block at hand
    Block block_;
    std::vector<Symbol> names_; // of the variables of the λ at hand
    std::vector<Symbol> variable_names_;
    uint32_t labels_ = 0;
};

// ── Which targets there will be ──

void Instrumentation::plan_decisions() {
    plans_.resize(p_.decisions.size());
    atom_.assign(p_.blocks.size(), 0);
    for (uint32_t b = 0; b < p_.blocks.size(); ++b) {
        const auto* t = std::get_if<term::Branch>(&p_.blocks[b].terminator.kind);
        if (t == nullptr || t->number == 0) continue;
        atom_[b] = static_cast<uint32_t>(plans_[t->number - 1].atoms.size());
        plans_[t->number - 1].atoms.push_back(BlockId{b});
    }
    // Conditions are counted within a scope; a clause that stands in several leaves of a machine counts once.
    std::map<Scope, uint32_t> sizes;
    for (uint32_t d = 0; d < plans_.size(); ++d) {
        uint32_t& size = sizes[{p_.decisions[d].scope, p_.decisions[d].number}];
        size = std::max(size, static_cast<uint32_t>(plans_[d].atoms.size()));
    }
    std::map<Scope, uint32_t> first;
    uint32_t next = 1;
    for (auto at = sizes.begin(); at != sizes.end(); ++at) {
        if (at == sizes.begin() || std::prev(at)->first.first != at->first.first) next = 1;
        first[at->first] = next;
        next += at->second;
    }
    ends_.assign(p_.blocks.size(), 0);
    ends_yes_.assign(p_.blocks.size(), 0);
    inside_.assign(p_.blocks.size(), 0);
    received_.assign(p_.blocks.size(), no_var);
    for (uint32_t d = 0; d < plans_.size(); ++d) {
        const Decision& decision = p_.decisions[d];
        Plan& plan = plans_[d];
        plan.first_number = first[{decision.scope, decision.number}];
        plan.traced = criteria_.has(TargetKind::mcdc) && plan.atoms.size() > 1;
        if (decision.then_block != no_block) {
            ends_[index(decision.then_block)] = d + 1;
            ends_yes_[index(decision.then_block)] = 1;
        }
        if (decision.else_block != no_block) ends_[index(decision.else_block)] = d + 1;
        if (!plan.traced) continue;
        for (const BlockId end : {decision.then_block, decision.else_block})
            if (end != no_block) inside_[index(end)] = d + 1;
        for (BlockId atom : plan.atoms) {
            const auto& t = std::get<term::Branch>(p_[atom].terminator.kind);
            inside_[index(t.then_block)] = inside_[index(t.else_block)] = d + 1;
        }
        make_table(d);
    }
}

// The atom or end that a way leads to. From each atom one way leads to the next in order, so blocks, which are in
// topological order, have them in order too, and the next atom from here is the first one not before here.
uint32_t Instrumentation::follow(uint32_t d, BlockId to) const {
    const Decision& decision = p_.decisions[d];
    while (true) {
        if (to == decision.then_block) return DecisionTable::yes;
        if (to == decision.else_block) return DecisionTable::no;
        const auto* j = std::get_if<term::Jump>(&p_[to].terminator.kind);
        if (j == nullptr || p_[to].op_count != 0 || j->args.count != 0) break; // else a constant stands here
        to = j->target;
    }
    const std::vector<BlockId>& atoms = plans_[d].atoms;
    return static_cast<uint32_t>(std::lower_bound(atoms.begin(), atoms.end(), to) - atoms.begin());
}

void Instrumentation::make_table(uint32_t d) {
    DecisionTable table;
    for (BlockId atom : plans_[d].atoms) {
        const auto& t = std::get<term::Branch>(p_[atom].terminator.kind);
        table.atoms.push_back({follow(d, t.then_block), follow(d, t.else_block)});
    }
    plans_[d].table = static_cast<uint32_t>(p_.decision_tables.size());
    p_.decision_tables.push_back(std::move(table));
}

// Does the decision, where the atom matters, go the way of the atom? Each atom stands once under `and`, `or` and `not`,
// so it always does or never. The two ways are followed together, and go the same way at an atom that both meet.
bool Instrumentation::rises(const DecisionTable& table, uint32_t atom) {
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

TargetId Instrumentation::target(TargetKind kind, const std::string& name, Span span) {
    const auto [at, made] = ids_.try_emplace({kind, name}, TargetId{static_cast<uint32_t>(targets_.size())});
    if (made) targets_.push_back({kind, name, {}, span});
    return at->second;
}

// "foo" for the procedure itself, "foo/loop" for one inside it, "foo/loop#2" for the second of that name.
void Instrumentation::name_procedures() {
    std::map<std::tuple<Symbol, Symbol, uint32_t>, uint32_t> ordinals; // scope, name, number → which of that name
    std::map<std::pair<Symbol, Symbol>, uint32_t> count;
    for (const ProcedureName& n : p_.procedures) ordinals[{n.scope, n.name, n.number}] = 0;
    for (auto& [key, ordinal] : ordinals)
        if (std::get<2>(key) != 0) ordinal = ++count[{std::get<0>(key), std::get<1>(key)}];
    for (const ProcedureName& n : p_.procedures) {
        std::string name{name_of(n.scope)};
        const uint32_t ordinal = ordinals[{n.scope, n.name, n.number}];
        if (n.number != 0) name += "/" + std::string(name_of(n.name));
        if (ordinal > 1) name += "#" + std::to_string(ordinal);
        procedure_names_.push_back(std::move(name));
    }
}

void Instrumentation::keep_or_drop_old() {
    for (const Target& t : p_.targets) {
        if (!criteria_.has(t.kind)) {
            kept_.push_back(no_target);
            continue;
        }
        kept_.push_back(target(t.kind, t.name, t.span));
        targets_[index(kept_.back())].text = t.text;
    }
}

void Instrumentation::add_condition_targets(const Decision& decision, const Plan& plan) {
    for (uint32_t i = 0; i < plan.atoms.size(); ++i) {
        const std::string name = numbered(decision.scope, plan.first_number + i);
        const Span span = p_[plan.atoms[i]].terminator.span;
        for (const TargetKind kind : {TargetKind::condition, TargetKind::mcdc}) {
            if (!criteria_.has(kind)) continue;
            target(kind, name + ":true", span);
            target(kind, name + ":false", span);
        }
    }
}

void Instrumentation::collect() {
    keep_or_drop_old();
    if (criteria_.has(TargetKind::procedure))
        for (const Lambda& l : p_.lambdas)
            if (l.procedure != 0) target(TargetKind::procedure, procedure_names_[l.procedure - 1], l.span);
    for (uint32_t d = 0; d < p_.decisions.size(); ++d) {
        const Decision& decision = p_.decisions[d];
        if (criteria_.has(TargetKind::branch)) {
            const std::string name = numbered(decision.scope, decision.number);
            if (decision.then_block != no_block) target(TargetKind::branch, name + ":then", decision.span);
            if (decision.else_block != no_block) target(TargetKind::branch, name + ":else", decision.span);
        }
        add_condition_targets(decision, plans_[d]);
    }
    for (const Operation& op : p_.ops) {
        if (op.site == 0) continue;
        const Site& site = p_.sites[op.site - 1];
        const std::string name = numbered(site.scope, site.number);
        if (site.kind == Site::Kind::error && criteria_.has(TargetKind::error))
            target(TargetKind::error, name, op.span);
        if (site.kind == Site::Kind::comparison && criteria_.has(TargetKind::boundary))
            for (const char* side : {":below", ":at", ":above"}) target(TargetKind::boundary, name + side, op.span);
    }
    sort_targets();
}

// By criterion, then by place in the text.
void Instrumentation::sort_targets() {
    std::vector<uint32_t> order(targets_.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const auto key = [&](uint32_t i) {
            const Target& t = targets_[i];
            return std::tuple(t.kind, static_cast<uint32_t>(t.span.file), t.span.begin);
        };
        return key(a) < key(b);
    });
    std::vector<TargetId> now(targets_.size());
    std::vector<Target> sorted;
    for (uint32_t i = 0; i < order.size(); ++i) {
        now[order[i]] = TargetId{i};
        sorted.push_back(std::move(targets_[order[i]]));
    }
    targets_ = std::move(sorted);
    for (auto& [key, id] : ids_) id = now[index(id)];
    for (TargetId& id : kept_)
        if (id != no_target) id = now[index(id)];
}

// ── The new program ──

VarId Instrumentation::fresh() {
    names_.push_back(intern(""));
    return VarId{static_cast<uint32_t>(names_.size() - 1)};
}

VarList Instrumentation::list(std::initializer_list<VarId> vars) {
    const VarList l{static_cast<uint32_t>(p_.variables.size()), static_cast<uint32_t>(vars.size())};
    p_.variables.insert(p_.variables.end(), vars.begin(), vars.end());
    return l;
}

VarList Instrumentation::appended(VarList old, VarId extra) {
    const VarList l{static_cast<uint32_t>(p_.variables.size()), old.count + 1};
    for (uint32_t i = 0; i < old.count; ++i) p_.variables.push_back(p_.variables[old.first + i]);
    p_.variables.push_back(extra);
    return l;
}

void Instrumentation::begin(VarList params) {
    block_ = {};
    block_.lambda = lambda_;
    block_.params = params;
    block_.first_op = static_cast<uint32_t>(ops_.size());
}

void Instrumentation::finish(TerminatorKind kind, Label label, Span span) {
    block_.op_count = static_cast<uint32_t>(ops_.size()) - block_.first_op;
    block_.terminator = {std::move(kind), label, span};
    blocks_.push_back(std::move(block_));
}

void Instrumentation::rewrite_lambda(LambdaId id) {
    Lambda& lambda = p_.lambdas[index(id)];
    lambda_ = id;
    names_.assign(p_.variable_names.begin() + lambda.first_name,
                  p_.variable_names.begin() + lambda.first_name + lambda.variables);
    const auto first = static_cast<uint32_t>(blocks_.size());
    const uint32_t old_first = lambda.first_block;
    for (uint32_t b = 0; b < lambda.block_count; ++b) rewrite_block(BlockId{old_first + b});
    lambda.first_block = first;
    lambda.block_count = static_cast<uint32_t>(blocks_.size()) - first;
    lambda.first_name = static_cast<uint32_t>(variable_names_.size());
    lambda.variables = static_cast<uint32_t>(names_.size());
    variable_names_.insert(variable_names_.end(), names_.begin(), names_.end());
}

void Instrumentation::rewrite_block(BlockId id) {
    const Block old = p_[id];
    const Lambda& lambda = p_[old.lambda];
    old_ = id;
    moved_[index(id)] = BlockId{static_cast<uint32_t>(blocks_.size())};
    VarList params = old.params;
    if (inside_[index(id)] != 0) {
        received_[index(id)] = fresh();
        params = appended(params, received_[index(id)]);
    }
    begin(params);
    const bool entry = index(id) == lambda.first_block;
    if (entry && lambda.procedure != 0 && criteria_.has(TargetKind::procedure))
        mark(TargetKind::procedure, procedure_names_[lambda.procedure - 1], lambda.span);
    if (ends_[index(id)] != 0) mark_decision_end(id);
    for (uint32_t i = 0; i < old.op_count; ++i) copy_operation(p_.ops[old.first_op + i]);
    end_block(old);
}

void Instrumentation::mark_decision_end(BlockId id) {
    const uint32_t d = ends_[index(id)] - 1;
    const Decision& decision = p_.decisions[d];
    const Plan& plan = plans_[d];
    const bool yes = ends_yes_[index(id)] != 0;
    if (criteria_.has(TargetKind::branch))
        mark(TargetKind::branch, numbered(decision.scope, decision.number) + (yes ? ":then" : ":else"), decision.span);
    if (!plan.traced) return;
    const DecisionTable& table = p_.decision_tables[plan.table];
    for (uint32_t i = 0; i < plan.atoms.size(); ++i) {
        const bool value = rises(table, i) == yes;
        const std::string name = numbered(decision.scope, plan.first_number + i) + (value ? ":true" : ":false");
        emit(op::MarkDetermined{this->id(TargetKind::mcdc, name), received_[index(id)], plan.table, i, value},
             p_[plan.atoms[i]].terminator.span);
    }
}

void Instrumentation::copy_operation(const Operation& old) {
    Operation op = old;
    op.label = Label{labels_++};
    if (auto* m = std::get_if<op::Mark>(&op.kind)) {
        if (kept_[index(m->target)] == no_target) return;
        m->target = kept_[index(m->target)];
    }
    if (op.site != 0) {
        const Site& site = p_.sites[op.site - 1];
        const std::string name = numbered(site.scope, site.number);
        if (site.kind == Site::Kind::error && criteria_.has(TargetKind::error)) {
            if (std::holds_alternative<op::Assert>(op.kind)) return split_at_assert(op);
            mark(TargetKind::error, name, op.span);
        }
        if (site.kind == Site::Kind::comparison && criteria_.has(TargetKind::boundary)) {
            ops_.push_back(op);
            const VarList args = std::get<op::Primitive>(op.kind).args;
            const VarId left = p_.variables[args.first], right = p_.variables[args.first + 1];
            int32_t difference = -1;
            for (const char* side : {":below", ":at", ":above"})
                emit(op::MarkBoundary{id(TargetKind::boundary, name + side), left, right, difference++}, op.span);
            return;
        }
    }
    ops_.push_back(std::move(op));
}

// An assertion that fails is a way of its own: it ends in the assertion, behind the mark.
void Instrumentation::split_at_assert(const Operation& op) {
    const VarId condition = std::get<op::Assert>(op.kind).condition;
    const Site& site = p_.sites[op.site - 1];
    const BlockId failed = as_new(blocks_.size() + 1), held = as_new(blocks_.size() + 2);
    finish(term::Branch{condition, held, failed, BranchOrigin::generated, 0}, Label{labels_++}, op.span);
    begin({});
    mark(TargetKind::error, numbered(site.scope, site.number), op.span);
    ops_.push_back(op);
    finish(term::Jump{held, {}}, Label{labels_++}, op.span);
    begin({});
}

void Instrumentation::link_blocks() {
    before_.assign(p_.blocks.size(), no_block);
    for (uint32_t b = 0; b < p_.blocks.size(); ++b) {
        const auto link = [&](BlockId to) {
            if (before_[index(to)] == no_block) before_[index(to)] = BlockId{b};
        };
        std::visit(Overloaded{
                       [&](const term::Jump& t) { link(t.target); },
                       [&](const term::Branch& t) { link(t.then_block), link(t.else_block); },
                       [&](const term::Call& t) { link(t.back); },
                       [](const term::TailCall&) {},
                       [](const term::Return&) {},
                       [&](const term::Select& t) {
                           for (const SelectClause& c : p_.select_clauses(t)) link(c.test);
                       },
                       [&](const term::Accept& t) { link(t.body); },
                       [](const term::Refuse&) {},
                       [&](const term::Choose& t) {
                           for (uint32_t i = 0; i < t.count; ++i) link(p_.choices[t.first + i]);
                       },
                   },
                   p_.blocks[b].terminator.kind);
    }
}

// The list as it stands in a block: what the nearest block before it received that an edge of the decision leads to.
VarId Instrumentation::trace_at(uint32_t d, BlockId block) const {
    while (inside_[index(block)] != d + 1) block = before_[index(block)];
    return received_[index(block)];
}

void Instrumentation::end_block(const Block& old) {
    if (const auto* b = std::get_if<term::Branch>(&old.terminator.kind)) return branch(old, *b);
    const Label label{labels_++};
    TerminatorKind kind = old.terminator.kind;
    if (auto* j = std::get_if<term::Jump>(&kind); j != nullptr && inside_[index(j->target)] != 0) // past a constant
        j->args = appended(j->args, trace_at(inside_[index(j->target)] - 1, old_));
    if (const auto* s = std::get_if<term::Select>(&kind))
        for (uint32_t i = 0; i < s->count; ++i) p_.clauses[s->first + i].label = Label{labels_++};
    finish(std::move(kind), label, old.terminator.span);
}

void Instrumentation::branch(const Block& old, term::Branch t) {
    const Label label{labels_++};
    const bool marks = criteria_.has(TargetKind::condition) || criteria_.has(TargetKind::mcdc);
    if (t.number == 0 || !marks) return finish(t, label, old.terminator.span);
    const size_t here = blocks_.size();
    finish(term::Branch{t.condition, as_new(here + 1), as_new(here + 2), t.origin, t.number}, label,
           old.terminator.span);
    edge(old, t, true);
    edge(old, t, false);
}

void Instrumentation::edge(const Block& old, const term::Branch& t, bool way) {
    const uint32_t d = t.number - 1, atom = atom_[index(old_)];
    const Plan& plan = plans_[d];
    const Span span = old.terminator.span;
    const std::string name = numbered(p_.decisions[d].scope, plan.first_number + atom) + (way ? ":true" : ":false");
    begin({});
    if (criteria_.has(TargetKind::condition)) mark(TargetKind::condition, name, span);
    if (criteria_.has(TargetKind::mcdc) && !plan.traced) mark(TargetKind::mcdc, name, span);
    VarList args;
    if (plan.traced) {
        const VarId entry = fresh(), trace = fresh();
        VarId before = no_var;
        if (atom == 0) {
            before = fresh();
            emit(op::Constant{before, Value::null()}, span);
        } else {
            before = trace_at(d, old_);
        }
        emit(op::Constant{entry, Value::fixnum(int64_t{2} * atom + (way ? 1 : 0))}, span);
        emit(op::Primitive{trace, Prim::cons, list({entry, before})}, span);
        args = list({trace});
    }
    const Label label{labels_++};
    finish(term::Jump{way ? t.then_block : t.else_block, args}, label, span);
}

void Instrumentation::renumber() {
    const auto move = [&](BlockId& b) {
        if (b == no_block) return;
        b = (index(b) & is_new) != 0 ? BlockId{index(b) & ~is_new} : moved_[index(b)];
    };
    for (Block& block : blocks_)
        std::visit(Overloaded{
                       [&](term::Jump& t) { move(t.target); },
                       [&](term::Branch& t) { move(t.then_block), move(t.else_block); },
                       [&](term::Call& t) { move(t.back); },
                       [](term::TailCall&) {},
                       [](term::Return&) {},
                       [](term::Select&) {},
                       [&](term::Accept& t) { move(t.body); },
                       [](term::Refuse&) {},
                       [](term::Choose&) {},
                   },
                   block.terminator.kind);
    for (SelectClause& c : p_.clauses) move(c.test);
    for (BlockId& b : p_.choices) move(b);
    for (Decision& d : p_.decisions) move(d.then_block), move(d.else_block);
    for (MachineDef& m : p_.machines)
        for (StateDef& s : m.states) s.target = kept_[index(s.target)];
}

void Instrumentation::run() {
    plan_decisions();
    name_procedures();
    collect();
    link_blocks();
    moved_.assign(p_.blocks.size(), no_block);
    for (uint32_t l = 0; l < p_.lambdas.size(); ++l) rewrite_lambda(LambdaId{l});
    renumber();
    p_.blocks = std::move(blocks_);
    p_.ops = std::move(ops_);
    p_.variable_names = std::move(variable_names_);
    p_.targets = std::move(targets_);
    p_.label_count = labels_;
}

} // namespace

void instrument(Program& program, Criteria criteria) { Instrumentation(program, criteria).run(); }

} // namespace espalier
