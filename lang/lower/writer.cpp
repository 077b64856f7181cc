#include "lang/lower/writer.hpp"

#include <algorithm>

#include "lang/ir/overloaded.hpp"

namespace espalier {

namespace {

// Blocks that are named in what is being written are old ones, to be renumbered at the end, or marked as new.
constexpr uint32_t is_new = 1U << 31;

} // namespace

Writer::Writer(const Program& from, const Declarations& declared, const Passes& passes)
    : from_(from), declared_(declared), passes_(passes), out_(from), moved_(from.blocks.size(), no_block) {
    out_.blocks.clear();
    out_.ops.clear();
    out_.variable_names.clear();
    out_.label_count = 0;
    out_.targets = declared.targets();
    out_.decision_tables = declared.tables();
}

Program Writer::write() && {
    for (uint32_t l = 0; l < from_.lambdas.size(); ++l) write_lambda(LambdaId{l});
    renumber();
    return std::move(out_);
}

// ── For passes ──

void Writer::emit(OpKind kind, Span span) { out_.ops.push_back({std::move(kind), next_label(), span}); }

VarId Writer::fresh() {
    names_.push_back(intern(""));
    return VarId{static_cast<uint32_t>(names_.size() - 1)};
}

VarList Writer::list(std::initializer_list<VarId> vars) {
    const VarList l{static_cast<uint32_t>(out_.variables.size()), static_cast<uint32_t>(vars.size())};
    out_.variables.insert(out_.variables.end(), vars.begin(), vars.end());
    return l;
}

void Writer::split(TerminatorKind kind, Span span) {
    finish(std::move(kind), next_label(), span);
    begin({});
}

BlockId Writer::following(size_t n) const { return BlockId{static_cast<uint32_t>(out_.blocks.size() + n) | is_new}; }

VarId Writer::add_parameter() {
    const VarId parameter = fresh();
    block_.params = appended(block_.params, parameter);
    return parameter;
}

void Writer::add_argument(VarId argument) { arguments_.push_back(argument); }

// ── From the old program ──

void Writer::write_lambda(LambdaId id) {
    const Lambda& old = from_[id];
    lambda_ = id;
    const auto names = from_.variable_names.begin() + old.first_name;
    names_.assign(names, names + old.variables);
    Lambda& lambda = out_.lambdas[index(id)];
    lambda.first_block = static_cast<uint32_t>(out_.blocks.size());
    for (uint32_t b = 0; b < old.block_count; ++b) write_block(BlockId{old.first_block + b});
    lambda.block_count = static_cast<uint32_t>(out_.blocks.size()) - lambda.first_block;
    lambda.first_name = static_cast<uint32_t>(out_.variable_names.size());
    lambda.variables = static_cast<uint32_t>(names_.size());
    out_.variable_names.insert(out_.variable_names.end(), names_.begin(), names_.end());
}

void Writer::write_block(BlockId old) {
    moved_[index(old)] = BlockId{static_cast<uint32_t>(out_.blocks.size())};
    begin(from_[old].params);
    for (const auto& pass : passes_) pass->at_start(*this, old);
    for (const Operation& op : from_.operations(from_[old])) copy_operation(op);
    end_block(old);
}

void Writer::copy_operation(const Operation& old) {
    Operation op = old;
    op.label = next_label(); // in the order of the old program, before those that passes use here
    if (auto* m = std::get_if<op::Mark>(&op.kind)) {
        m->target = declared_.kept(m->target);
        if (m->target == no_target) return;
    }
    for (const auto& pass : passes_) pass->before(*this, old);
    out_.ops.push_back(std::move(op));
    for (const auto& pass : passes_) pass->after(*this, old);
}

void Writer::end_block(BlockId old) {
    const Terminator& terminator = from_[old].terminator;
    if (const auto* b = std::get_if<terminator::Branch>(&terminator.kind)) return branch(old, *b);
    const Label label = next_label();
    if (const auto* j = std::get_if<terminator::Jump>(&terminator.kind))
        for (const auto& pass : passes_) pass->before_jump(*this, old, j->target);
    if (const auto* s = std::get_if<terminator::Select>(&terminator.kind))
        for (uint32_t i = 0; i < s->count; ++i) out_.clauses[s->first + i].label = next_label();
    finish(terminator.kind, label, terminator.span);
}

void Writer::branch(BlockId old, const terminator::Branch& t) {
    const Span span = from_[old].terminator.span;
    const bool marked = std::any_of(passes_.begin(), passes_.end(), [](const auto& p) { return p->marks_edges(); });
    if (t.number == 0 || !marked) return finish(t, next_label(), span);
    finish(terminator::Branch{t.condition, following(1), following(2), t.origin, t.number}, next_label(), span);
    for (const bool way : {true, false}) edge({old, t, way, span});
}

void Writer::edge(const Edge& edge) {
    begin({});
    for (const auto& pass : passes_) pass->on_edge(*this, edge);
    finish(terminator::Jump{edge.way ? edge.branch.then_block : edge.branch.else_block, {}}, next_label(), edge.span);
}

void Writer::begin(VarList params) {
    block_ = {};
    block_.lambda = lambda_;
    block_.params = params;
    block_.first_op = static_cast<uint32_t>(out_.ops.size());
}

void Writer::finish(TerminatorKind kind, Label label, Span span) {
    if (auto* jump = std::get_if<terminator::Jump>(&kind))
        for (const VarId argument : arguments_) jump->args = appended(jump->args, argument);
    arguments_.clear();
    block_.op_count = static_cast<uint32_t>(out_.ops.size()) - block_.first_op;
    block_.terminator = {std::move(kind), label, span};
    out_.blocks.push_back(std::move(block_));
}

VarList Writer::appended(VarList old, VarId extra) {
    const VarList l{static_cast<uint32_t>(out_.variables.size()), old.count + 1};
    for (uint32_t i = 0; i < old.count; ++i) out_.variables.push_back(out_.variables[old.first + i]);
    out_.variables.push_back(extra);
    return l;
}

void Writer::renumber() {
    const auto move = [&](BlockId& b) {
        if (b == no_block) return;
        b = (index(b) & is_new) != 0 ? BlockId{index(b) & ~is_new} : moved_[index(b)];
    };
    for (Block& block : out_.blocks)
        std::visit(Overloaded{
                       [&](terminator::Jump& t) { move(t.target); },
                       [&](terminator::Branch& t) { move(t.then_block), move(t.else_block); },
                       [&](terminator::Call& t) { move(t.back); },
                       [](terminator::TailCall&) {},
                       [](terminator::Return&) {},
                       [](terminator::Select&) {},
                       [&](terminator::Accept& t) { move(t.body); },
                       [](terminator::Refuse&) {},
                       [](terminator::Choose&) {},
                   },
                   block.terminator.kind);
    for (SelectClause& c : out_.clauses) move(c.test);
    for (BlockId& b : out_.choices) move(b);
    for (Decision& d : out_.decisions) move(d.then_block), move(d.else_block);
    for (MachineDef& m : out_.machines)
        for (StateDef& s : m.states) s.target = declared_.kept(s.target);
}

} // namespace espalier
