#include "flowanalysis/automaton/builder.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace espalier::flow {

using pda::NodeId;
using pda::NodeKind;

namespace {

// Does the operation have a node of its own in the graph?
bool has_node(const OpKind& op) {
    return marked(op) || std::holds_alternative<op::Spawn>(op) || std::holds_alternative<op::Send>(op);
}

} // namespace

FlowBuilder::FlowBuilder(Analyser& analyser)
    : b_(analyser), program_(b_.program), analyser_(analyser), selects_(b_), errors_(b_),
      mistakes_(analyser.evaluator()) {
    if (analyser.context().options.certain_errors) certain_errors_.emplace(analyser);
    b_.tables.program = &program_;
    b_.tables.call_sites = analyser.context().options.call_sites;
    b_.tables.jump_sites = analyser.context().shape.jump_sites;
}

FlowTables FlowBuilder::build() {
    add_targets();
    count_nodes();
    add_procedures();
    for (uint32_t v = 0; v < roots_.size() && !analyser_.stopped(); ++v) add_blocks(VariantId{v});
    if (!analyser_.stopped()) finish();
    return std::move(b_.tables);
}

// Names may repeat in a program; targets may not.
void FlowBuilder::add_targets() {
    std::unordered_set<std::string> names;
    for (const Target& t : program_.targets) {
        std::string name = target_id(t);
        for (int n = 2; !names.insert(name).second; ++n) name = target_id(t) + "#" + std::to_string(n);
        b_.tables.targets.push_back(b_.graph.target(name));
    }
}

void FlowBuilder::count_nodes() {
    b_.tables.before.assign(program_.ops.size(), 0);
    for (const Block& block : program_.blocks) {
        uint32_t count = 0;
        for (uint32_t i = block.first_op; i < block.first_op + block.op_count; ++i) {
            b_.tables.before[i] = count;
            count += has_node(program_.ops[i].kind) ? 1 : 0;
        }
    }
}

void FlowBuilder::add_procedures() {
    const Variants& variants = analyser_.context().variants;
    for (uint32_t v = 0; v < variants.size(); ++v) {
        const VariantState& state = variants[VariantId{v}];
        std::string name{name_of(program_[state.lambda].name)};
        if (state.site != no_label) name += "@" + std::to_string(index(state.site));
        const pda::ProcedureId procedure = b_.graph.add_procedure(name);
        assert(procedure == Building::procedure_of(VariantId{v}));
        const uint32_t first = index(state.first_slot);
        b_.tables.variants.push_back(
            {state.lambda, state.site, procedure, first, first - program_[state.lambda].first_block});
    }
    b_.tables.variant_ids = variants.ids();
    b_.tables.nodes.resize(variants.slot_count());
    roots_.resize(variants.size(), pda::no_node);
}

// Backwards, so that a block finds the nodes of its successors.
void FlowBuilder::add_blocks(VariantId v) {
    b_.variant = v;
    b_.lambda = &program_[b_.tables.variants[index(v)].lambda];
    selects_.begin_variant();
    for (uint32_t b = b_.lambda->block_count; b-- > 0;) {
        if (analyser_.should_stop()) return;
        const Slot slot{b_.tables.variants[index(v)].first_slot + b};
        if (analyser_.context().variants[slot].reached) add_block(slot, BlockId{b_.lambda->first_block + b});
    }
    selects_.finish_variant();
    add_entry();
}

void FlowBuilder::add_entry() {
    const BlockId first{b_.lambda->first_block};
    const NodeId root = b_.add(NodeKind::entry, first, no_label);
    b_.graph.set_root(Building::procedure_of(b_.variant), root);
    b_.graph.add_edge(root, b_.entry_of(first));
    roots_[index(b_.variant)] = root;
}

void FlowBuilder::add_block(Slot slot, BlockId id) {
    const Outcome& outcome = analyser_.evaluate(slot);
    std::optional<Mistake> mistake;
    if (certain_errors_ || outcome.ends_fallible()) mistake = mistakes_.find();
    const bool fails = ErrorNodes::fails(outcome, mistake);
    if (certain_errors_) certain_errors_->note(b_.variant, id, outcome, std::move(mistake));
    const Block& block = program_[id];
    nodes_ = &b_.tables.nodes[index(slot)];
    nodes_->completed = outcome.completed;
    add_operations(block, id, outcome);
    add_rest(block, id, outcome, fails);
    errors_.note(block, id, outcome);
}

// A chain of the operations that have a node.
void FlowBuilder::add_operations(const Block& block, BlockId id, const Outcome& outcome) {
    for (uint32_t i = 0; i < outcome.completed; ++i) {
        const Operation& o = program_.ops[block.first_op + i];
        if (!has_node(o.kind)) continue;
        const NodeId node = add_operation(o, i, id, outcome);
        if (nodes_->operations++ == 0)
            nodes_->first = node;
        else
            b_.graph.add_edge(NodeId{pda::raw(node) - 1}, node);
    }
}

NodeId FlowBuilder::add_operation(const Operation& o, uint32_t position, BlockId id, const Outcome& outcome) {
    const std::optional<TargetId> mark = marked(o.kind);
    const bool spawns = std::holds_alternative<op::Spawn>(o.kind);
    const auto& all_excluded = outcome.excluded;
    const bool excluded = std::find(all_excluded.begin(), all_excluded.end(), position) != all_excluded.end();
    const bool counts = !mark || !(excluded || analyser_.context().shape.clauses.is_idle(id));
    if (excluded) b_.tables.excluded.insert(index(*mark));
    const NodeKind kind = spawns ? NodeKind::spawn : counts ? NodeKind::checkpoint : NodeKind::plain;
    const NodeId node = b_.add(kind, id, o.label);
    if (mark && counts)
        b_.graph.set_target(node, b_.tables.targets[index(*mark)]);
    else if (!mark && !spawns)
        add_send(node, outcome, position);
    for (const auto& [at, callee] : outcome.spawns)
        if (at == position) b_.graph.add_callee(node, Building::procedure_of(callee));
    return node;
}

void FlowBuilder::add_send(NodeId node, const Outcome& outcome, uint32_t position) {
    std::vector<Label> channels;
    for (const auto& [at, channel] : outcome.sends)
        if (at == position) channels.push_back(analyser_.context().domain[channel].label);
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    const auto known = sends_.find(channels);
    if (known != sends_.end()) {
        b_.graph.set_target(node, known->second);
        return;
    }
    std::string name = "send:";
    for (Label l : channels) name += (name.back() == ':' ? "" : ",") + std::to_string(index(l));
    const pda::TargetId target = b_.graph.target(name);
    b_.graph.set_target(node, target);
    sends_.emplace(channels, target);
    for (Label l : channels) b_.tables.send_targets[index(l)].push_back(target);
}

// From the last operation that has a node to the terminator.
void FlowBuilder::add_rest(const Block& block, BlockId id, const Outcome& outcome, bool fails) {
    const NodeId before =
        nodes_->operations == 0 ? pda::no_node : NodeId{pda::raw(nodes_->first) + nodes_->operations - 1};
    if (!outcome.terminates && before != pda::no_node && !fails) {
        nodes_->last = before;
        return;
    }
    NodeId entry = pda::no_node; // where it differs from the terminator
    if (fails)
        nodes_->last = errors_.add_failing(block, id, outcome);
    else if (!outcome.terminates) // an assumption that never holds
        nodes_->last = b_.add(NodeKind::plain, id, block.terminator.label);
    else
        nodes_->last = add_terminator(block, id, outcome, entry);
    if (entry == pda::no_node) entry = nodes_->last;
    if (before == pda::no_node)
        nodes_->first = entry;
    else
        b_.graph.add_edge(before, entry);
}

NodeId FlowBuilder::add_terminator(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry) {
    const auto branch = [&] { return add_branch(block, id, outcome); };
    return std::visit(Overloaded{
                          [&](const terminator::Jump&) { return branch(); },
                          [&](const terminator::Branch&) { return branch(); },
                          [&](const terminator::Call&) { return add_call(block, id, outcome); },
                          [&](const terminator::TailCall&) { return add_tail_call(block, id, outcome); },
                          [&](const terminator::Return&) { return b_.add(NodeKind::ret, id, block.terminator.label); },
                          [&](const terminator::Select&) { return selects_.add_select(block, id, outcome, entry); },
                          [&](const terminator::Accept&) { return branch(); },
                          [&](const terminator::Refuse&) { return selects_.add_refusal(block, id); },
                          [&](const terminator::Choose&) { return branch(); },
                      },
                      block.terminator.kind);
}

NodeId FlowBuilder::add_call(const Block& block, BlockId id, const Outcome& outcome) {
    const NodeId node = b_.add(outcome.callees.empty() ? NodeKind::plain : NodeKind::call, id, block.terminator.label);
    for (VariantId callee : outcome.callees) b_.graph.add_callee(node, Building::procedure_of(callee));
    for (BlockId back : outcome.successors) b_.graph.add_edge(node, b_.entry_of(back));
    return node;
}

NodeId FlowBuilder::add_tail_call(const Block& block, BlockId id, const Outcome& outcome) {
    const NodeId node = b_.add(NodeKind::plain, id, block.terminator.label);
    for (VariantId callee : outcome.callees) tail_calls_.emplace_back(node, callee);
    return node;
}

// No node of its own where all successors have the same one.
NodeId FlowBuilder::add_branch(const Block& block, BlockId id, const Outcome& outcome) {
    std::vector<NodeId> next;
    for (BlockId b : outcome.successors)
        if (std::find(next.begin(), next.end(), b_.entry_of(b)) == next.end()) next.push_back(b_.entry_of(b));
    if (next.size() == 1) return next[0];
    const NodeId node = b_.add(next.empty() ? NodeKind::plain : NodeKind::branch, id, block.terminator.label);
    for (NodeId to : next) b_.graph.add_edge(node, to);
    return node;
}

void FlowBuilder::finish() {
    errors_.finish();
    if (certain_errors_) b_.tables.certain_errors = certain_errors_->all();
    for (const auto& [node, callee] : tail_calls_) b_.graph.add_edge(node, roots_[index(callee)]);
    auto built = std::move(b_.graph).build();
    assert(std::holds_alternative<pda::Graph>(built) && "the analysis keeps the rules of the automaton");
    b_.tables.graph = std::get<pda::Graph>(std::move(built));
    for (uint32_t g = 0; g < program_.globals.size(); ++g)
        if (analyser_.is_setting(GlobalId{g})) b_.tables.settings.push_back(GlobalId{g});
}

} // namespace espalier::flow
