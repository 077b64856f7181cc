// From the fixpoint to the pushdown automaton.
//
// A procedure for each variant, and in it nodes only for what matters: marks, spawns, sends, calls, waits,
// returns, and branches that lead to different nodes. A block that has none of these shares the node of its
// successor. A tail call is an edge into another procedure, so that a server loop keeps its stack flat; the
// thesis pushes on each turn (Lahola 2010, figure 4.1). What is charged is the edge of a clause whose source
// can only be a port or a timer.
#include <algorithm>
#include <cassert>
#include <ctime>
#include <map>
#include <unordered_set>

#include "flowanalysis/machine.hpp"

namespace espalier {

using flow::ClauseOutcome;
using flow::Machine;
using flow::Outcome;
using flow::Slot;
using pda::Cost;
using pda::NodeId;
using pda::NodeKind;

class FlowBuilder {
public:
    FlowBuilder(const Program& program, const FlowOptions& options, Machine& machine);
    Flow build(std::clock_t start);

private:
    void count(std::clock_t start);
    void add_targets();
    void add_procedures();
    void add_blocks(VariantId v);
    void add_block(Slot slot, BlockId block);
    void add_rest(BlockId id, const Block& block, const Outcome& outcome);
    void add_operations(const Block& block, BlockId id, const Outcome& outcome);
    NodeId add_terminator(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry);
    NodeId add_select(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry);
    struct Turns {
        std::vector<bool> offered, queued; // by clause: may a message on offer, or what is queued or due, come to it?
        std::vector<uint32_t> others;      // `else` clauses
        struct Next {
            NodeId offered = pda::no_node, queued = pda::no_node;
        };
        std::vector<Next> chained; // by clause, where they are many: the nodes that lead to it and the later ones
    };
    void add_refusals(VariantId v);
    Turns turns_of(const terminator::Select& t, BlockId waits);
    NodeId test_of(const terminator::Select& t, uint32_t clause) const;
    void add_send(NodeId node, const Outcome& outcome, uint32_t position);
    bool ends_in_error(const Block& block, const Outcome& outcome) const;
    Label author_label(Label own) const;
    NodeId add_failing(const Block& block, BlockId id, const Outcome& outcome);
    void add_fallible(const Block& block, BlockId id, std::span<const uint32_t> positions);
    void note_callees(const Block& block, const Outcome& outcome);
    void note_deadlock(const Block& block, BlockId id, const Outcome& outcome);
    void add_deadlocks();
    void add_entry(VariantId v);

    NodeId add(NodeKind kind, BlockId block, Label label);
    NodeId entry_of(BlockId block) const;
    pda::ProcedureId procedure_of(VariantId v) const { return pda::ProcedureId{index(v)}; }

    const Program& program_;
    Machine& machine_;
    bool spawns_; // there may be several threads
    Flow flow_;
    std::optional<flow::CertainErrors> errors_; // where they are asked for
    pda::GraphBuilder graph_;
    std::map<std::vector<Label>, pda::TargetId> sends_; // by the channels that they may go to
    std::vector<NodeId> roots_;                         // by variant
    std::vector<std::pair<NodeId, VariantId>> tail_calls_;
    // Waits that only another thread can end, and what is needed to tell which threads come to them.
    struct Deadlock {
        VariantId variant;
        Flow::Fallible at;
    };
    std::vector<Deadlock> deadlocks_;
    std::vector<std::vector<VariantId>> callees_; // by variant
    std::vector<VariantId> spawned_;              // not as services

    // The variant being built
    VariantId variant_{};
    const Lambda* lambda_ = nullptr;
    std::map<uint32_t, std::vector<ClauseOutcome>> clauses_; // by the block that waits
    std::vector<std::pair<NodeId, BlockId>> refusals_;
    Flow::Nodes* nodes_ = nullptr; // of the block being built
};

FlowBuilder::FlowBuilder(const Program& program, const FlowOptions& options, Machine& machine)
    : program_(program), machine_(machine),
      spawns_(std::any_of(program.ops.begin(), program.ops.end(),
                          [](const Operation& o) { return std::holds_alternative<op::Spawn>(o.kind); })) {
    if (options.certain_errors) errors_.emplace(program, machine);
    flow_.program_ = &program;
    flow_.call_sites_ = options.call_sites;
    flow_.jump_sites_ = machine.shape().jump_sites();
}

Flow FlowBuilder::build(std::clock_t start) {
    add_targets();
    add_procedures();
    for (uint32_t v = 0; v < machine_.variant_count() && !machine_.stopped(); ++v) add_blocks(VariantId{v});
    if (machine_.stopped()) return std::move(flow_);
    add_deadlocks();
    if (errors_) flow_.certain_errors_ = errors_->all();
    for (const auto& [node, callee] : tail_calls_) graph_.add_edge(node, roots_[index(callee)]);
    auto built = std::move(graph_).build();
    assert(std::holds_alternative<pda::Graph>(built) && "the analysis keeps the rules of the automaton");
    flow_.graph_ = std::get<pda::Graph>(std::move(built));
    for (uint32_t g = 0; g < program_.globals.size(); ++g)
        if (machine_.is_setting(GlobalId{g})) flow_.settings_.push_back(GlobalId{g});
    count(start);
    return std::move(flow_);
}

void FlowBuilder::count(std::clock_t start) {
    FlowStatistics& s = flow_.statistics_;
    std::vector<bool> seen(program_.lambdas.size(), false);
    for (const Variant& v : flow_.variants_) {
        s.lambdas += seen[index(v.lambda)] ? 0 : 1;
        seen[index(v.lambda)] = true;
    }
    s.procedures = flow_.variants_.size();
    s.nodes = flow_.graph_.node_count();
    s.edges = flow_.graph_.edge_count();
    s.values = machine_.domain().value_count();
    s.objects = machine_.domain().object_count();
    s.blocks = machine_.evaluated();
    s.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    s.work = machine_.work();
}

// Names may repeat in a program; targets may not.
void FlowBuilder::add_targets() {
    std::unordered_set<std::string> names;
    for (const Target& t : program_.targets) {
        std::string name = target_id(t);
        for (int n = 2; !names.insert(name).second; ++n) name = target_id(t) + "#" + std::to_string(n);
        flow_.targets_.push_back(graph_.target(name));
    }
    flow_.nodes_before_.assign(program_.ops.size(), 0);
    for (const Block& block : program_.blocks) {
        uint32_t count = 0;
        for (uint32_t i = block.first_op; i < block.first_op + block.op_count; ++i) {
            flow_.nodes_before_[i] = count;
            count += flow::has_node(program_.ops[i].kind) ? 1 : 0;
        }
    }
}

void FlowBuilder::add_procedures() {
    for (uint32_t v = 0; v < machine_.variant_count(); ++v) {
        const flow::VariantState& state = machine_.variant(VariantId{v});
        std::string name{name_of(program_[state.lambda].name)};
        if (state.site != no_label) name += "@" + std::to_string(index(state.site));
        const pda::ProcedureId procedure = graph_.add_procedure(name);
        assert(procedure == procedure_of(VariantId{v}));
        const uint32_t first = index(state.first_slot);
        flow_.variants_.push_back(
            {state.lambda, state.site, procedure, first, first - program_[state.lambda].first_block});
    }
    flow_.variant_ids_ = machine_.variant_ids();
    flow_.nodes_.resize(machine_.slot_count());
    roots_.resize(machine_.variant_count(), pda::no_node);
    callees_.resize(machine_.variant_count());
}

// Backwards, so that a block finds the nodes of its successors.
void FlowBuilder::add_blocks(VariantId v) {
    variant_ = v;
    lambda_ = &program_[flow_.variants_[index(v)].lambda];
    clauses_.clear();
    refusals_.clear();
    for (uint32_t b = lambda_->block_count; b-- > 0;) {
        if (machine_.should_stop()) return;
        const Slot slot{flow_.variants_[index(v)].first_slot + b};
        if (machine_.reached(slot)) add_block(slot, BlockId{lambda_->first_block + b});
    }
    add_refusals(v);
    add_entry(v);
}

NodeId FlowBuilder::add(NodeKind kind, BlockId block, Label label) {
    const NodeId node = graph_.add_node(procedure_of(variant_), kind);
    flow_.places_.push_back({variant_, block, label});
    return node;
}

NodeId FlowBuilder::entry_of(BlockId block) const { return flow_.node(variant_, block); }

void FlowBuilder::add_entry(VariantId v) {
    const BlockId first{lambda_->first_block};
    const NodeId root = add(NodeKind::entry, first, no_label);
    graph_.set_root(procedure_of(v), root);
    graph_.add_edge(root, entry_of(first));
    roots_[index(v)] = root;
}

void FlowBuilder::add_block(Slot slot, BlockId id) {
    const Outcome& outcome = machine_.evaluate(slot);
    if (errors_) errors_->note(variant_, id, outcome);
    const Block& block = program_[id];
    nodes_ = &flow_.nodes_[index(slot)];
    nodes_->completed = outcome.completed;
    add_operations(block, id, outcome);
    add_rest(id, block, outcome);
    add_fallible(block, id, outcome.fallible);
    note_callees(block, outcome);
    note_deadlock(block, id, outcome);
}

// From the last operation that has a node to the terminator.
void FlowBuilder::add_rest(BlockId id, const Block& block, const Outcome& outcome) {
    const NodeId before =
        nodes_->operations == 0 ? pda::no_node : NodeId{pda::raw(nodes_->first) + nodes_->operations - 1};
    if (!outcome.terminates && before != pda::no_node && !ends_in_error(block, outcome)) {
        nodes_->last = before;
        return;
    }
    NodeId entry = pda::no_node; // where it differs from the terminator
    nodes_->last = add_terminator(block, id, outcome, entry);
    if (entry == pda::no_node) entry = nodes_->last;
    if (before == pda::no_node)
        nodes_->first = entry;
    else
        graph_.add_edge(before, entry);
}

// A chain of the operations that have a node.
void FlowBuilder::add_operations(const Block& block, BlockId id, const Outcome& outcome) {
    for (uint32_t i = 0; i < outcome.completed; ++i) {
        const Operation& o = program_.ops[block.first_op + i];
        if (!flow::has_node(o.kind)) continue;
        const std::optional<TargetId> mark = marked(o.kind);
        const bool spawns = std::holds_alternative<op::Spawn>(o.kind);
        const bool excluded = std::find(outcome.excluded.begin(), outcome.excluded.end(), i) != outcome.excluded.end();
        const bool counts = !mark || !(excluded || machine_.shape().is_idle(id));
        if (excluded) flow_.excluded_.insert(index(*mark));
        const NodeKind kind = spawns ? NodeKind::spawn : counts ? NodeKind::checkpoint : NodeKind::plain;
        const NodeId node = add(kind, id, o.label);
        if (mark && counts)
            graph_.set_target(node, flow_.targets_[index(*mark)]);
        else if (!mark && !spawns)
            add_send(node, outcome, i);
        for (const auto& [position, callee] : outcome.spawns)
            if (position == i) graph_.add_callee(node, procedure_of(callee));
        if (nodes_->operations++ == 0)
            nodes_->first = node;
        else
            graph_.add_edge(NodeId{pda::raw(node) - 1}, node);
    }
}

// Does every run that comes to the block end with a model error in it, at an operation that is not there for that?
bool FlowBuilder::ends_in_error(const Block& block, const Outcome& outcome) const {
    if (outcome.fallible.empty() || outcome.fallible.back() != outcome.completed) return false;
    if (outcome.terminates) {
        const bool calls = std::holds_alternative<terminator::Call>(block.terminator.kind) ||
                           std::holds_alternative<terminator::TailCall>(block.terminator.kind);
        const bool waits = std::holds_alternative<terminator::Select>(block.terminator.kind);
        return (calls && outcome.callees.empty()) || (waits && outcome.clauses.empty());
    }
    const OpKind& last = program_.ops[block.first_op + outcome.completed].kind;
    const auto* primitive = std::get_if<op::Primitive>(&last);
    return !std::holds_alternative<op::Assert>(last) && (primitive == nullptr || primitive->prim != Prim::error);
}

Label FlowBuilder::author_label(Label own) const {
    const Label site = flow_.variants_[index(variant_)].site;
    return lambda_->prelude && site != no_label ? site : own;
}

NodeId FlowBuilder::add_failing(const Block& block, BlockId id, const Outcome& outcome) {
    const Label own =
        outcome.terminates ? block.terminator.label : program_.ops[block.first_op + outcome.completed].label;
    const Label label = author_label(own);
    const NodeId node = add(NodeKind::checkpoint, id, own);
    const pda::TargetId target = graph_.target("error:" + std::to_string(index(label)));
    graph_.set_target(node, target);
    const auto at = std::lower_bound(flow_.failing_.begin(), flow_.failing_.end(), label,
                                     [](const Flow::Failing& f, Label l) { return f.label < l; });
    if (at == flow_.failing_.end() || at->label != label) flow_.failing_.insert(at, {target, label});
    return node;
}

void FlowBuilder::add_fallible(const Block& block, BlockId id, std::span<const uint32_t> positions) {
    for (const uint32_t i : positions) {
        const Label own = i < block.op_count ? program_.ops[block.first_op + i].label : block.terminator.label;
        flow_.fallible_.push_back({flow_.node(variant_, id, i), author_label(own)});
    }
}

void FlowBuilder::note_callees(const Block& block, const Outcome& outcome) {
    for (const VariantId callee : outcome.callees) callees_[index(variant_)].push_back(callee);
    for (const auto& [position, callee] : outcome.spawns)
        if (!std::get<op::Spawn>(program_.ops[block.first_op + position].kind).service) spawned_.push_back(callee);
}

// A thread that waits for other threads only may wait for ever.
void FlowBuilder::note_deadlock(const Block& block, BlockId id, const Outcome& outcome) {
    const auto* t = std::get_if<terminator::Select>(&block.terminator.kind);
    if (t == nullptr || !outcome.terminates) return;
    for (uint32_t i = 0; i < outcome.clauses.size(); ++i) {
        const ClauseOutcome& c = outcome.clauses[i];
        const SelectClause::Kind kind = program_.clauses[t->first + i].kind;
        const bool is_message_of_tester =
            kind == SelectClause::Kind::message && c.live && c.from_outside && !c.from_channel;
        if (is_message_of_tester || kind == SelectClause::Kind::after) return;
    }
    deadlocks_.push_back({variant_, {flow_.terminator(variant_, id), author_label(block.terminator.label)}});
}

// Services may wait for ever, and what only they run is left out.
void FlowBuilder::add_deadlocks() {
    std::vector<bool> runs(machine_.variant_count(), false);
    std::vector<VariantId> tasks = spawned_;
    tasks.push_back(VariantId{0}); // the top level
    while (!tasks.empty()) {
        const VariantId v = tasks.back();
        tasks.pop_back();
        if (runs[index(v)]) continue;
        runs[index(v)] = true;
        tasks.insert(tasks.end(), callees_[index(v)].begin(), callees_[index(v)].end());
    }
    for (const Deadlock& d : deadlocks_)
        if (runs[index(d.variant)]) flow_.fallible_.push_back(d.at);
}

void FlowBuilder::add_send(NodeId node, const Outcome& outcome, uint32_t position) {
    std::vector<Label> channels;
    for (const auto& [at, channel] : outcome.sends)
        if (at == position) channels.push_back(machine_.domain()[channel].label);
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    const auto known = sends_.find(channels);
    if (known != sends_.end()) {
        graph_.set_target(node, known->second);
        return;
    }
    std::string name = "send:";
    for (Label l : channels) name += (name.back() == ':' ? "" : ",") + std::to_string(index(l));
    const pda::TargetId target = graph_.target(name);
    graph_.set_target(node, target);
    sends_.emplace(channels, target);
    for (Label l : channels) flow_.send_targets_[index(l)].push_back(target);
}

NodeId FlowBuilder::add_terminator(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry) {
    const TerminatorKind& kind = block.terminator.kind;
    const Label label = block.terminator.label;
    if (ends_in_error(block, outcome)) return add_failing(block, id, outcome);
    if (!outcome.terminates) return add(NodeKind::plain, id, label); // an assumption that never holds
    if (std::holds_alternative<terminator::Return>(kind)) return add(NodeKind::ret, id, label);
    if (std::holds_alternative<terminator::Select>(kind)) return add_select(block, id, outcome, entry);
    if (std::holds_alternative<terminator::Refuse>(kind)) {
        refusals_.emplace_back(add(NodeKind::plain, id, label), id);
        return refusals_.back().first;
    }
    const bool calls = std::holds_alternative<terminator::Call>(kind);
    if (calls || std::holds_alternative<terminator::TailCall>(kind)) {
        const NodeId node = add(calls && !outcome.callees.empty() ? NodeKind::call : NodeKind::plain, id, label);
        for (VariantId callee : outcome.callees) {
            if (calls)
                graph_.add_callee(node, procedure_of(callee));
            else
                tail_calls_.emplace_back(node, callee);
        }
        for (BlockId back : outcome.successors) graph_.add_edge(node, entry_of(back));
        return node;
    }
    std::vector<NodeId> next;
    for (BlockId b : outcome.successors)
        if (std::find(next.begin(), next.end(), entry_of(b)) == next.end()) next.push_back(entry_of(b));
    if (next.size() == 1) return next[0];
    const NodeId node = add(next.empty() ? NodeKind::plain : NodeKind::branch, id, label);
    for (NodeId to : next) graph_.add_edge(node, to);
    return node;
}

// What messages must satisfy is asked by a thread of its own, before any clause is tried.
NodeId FlowBuilder::add_select(const Block& block, BlockId id, const Outcome& outcome, NodeId& entry) {
    const auto waits_outside = [](const ClauseOutcome& c) { return c.live && c.from_outside; };
    const bool stable = std::any_of(outcome.clauses.begin(), outcome.clauses.end(), waits_outside);
    if (!outcome.demands.empty()) {
        entry = add(NodeKind::spawn, id, block.terminator.label);
        for (VariantId v : outcome.demands) graph_.add_callee(entry, procedure_of(v));
    }
    const NodeId node = add(stable ? NodeKind::stable : NodeKind::plain, id, block.terminator.label);
    if (entry != pda::no_node) graph_.add_edge(entry, node);
    const auto& t = std::get<terminator::Select>(block.terminator.kind);
    for (uint32_t i = 0; i < outcome.clauses.size(); ++i) {
        const ClauseOutcome& c = outcome.clauses[i];
        if (c.live)
            graph_.add_edge(node, entry_of(program_.clauses[t.first + i].test),
                            c.from_outside && !c.from_channel ? Cost::charged : Cost::free);
    }
    clauses_[index(id)] = outcome.clauses;
    return node;
}

// A clause that refuses leaves its turn to a later one, or the thread waits on. The stable state, if any, was
// left (and charged) when the first clause was tried: a message is offered to the clauses on its port, while
// queues and timers are tried together. The tester sends only what some thread accepts: so where there is one thread, a
// message that its last clause refuses ends the path.
void FlowBuilder::add_refusals(VariantId v) {
    std::map<uint32_t, Turns> turns; // by the block that waits
    for (const auto& [node, block] : refusals_) {
        const uint32_t clause = machine_.shape().clause_of(block);
        const BlockId waits = machine_.shape().select_of(clause);
        const auto& t = std::get<terminator::Select>(program_[waits].terminator.kind);
        const auto [at, made] = turns.try_emplace(index(waits));
        Turns& all = at->second;
        if (made) all = turns_of(t, waits);
        const uint32_t own = clause - t.first;
        const SelectClause::Kind kind = program_.clauses[clause].kind;
        const bool timer = kind == SelectClause::Kind::timer || kind == SelectClause::Kind::after;
        const bool offered = kind == SelectClause::Kind::message && clauses_[index(waits)][own].from_outside;
        const bool queued = timer || clauses_[index(waits)][own].from_channel;
        if (kind != SelectClause::Kind::other) {
            for (uint32_t i = own + 1; i < t.count && all.chained.empty(); ++i)
                if ((offered && all.offered[i]) || (queued && all.queued[i])) graph_.add_edge(node, test_of(t, i));
            if (offered && !all.chained.empty() && all.chained[own + 1].offered != pda::no_node)
                graph_.add_edge(node, all.chained[own + 1].offered);
            if (queued && !all.chained.empty() && all.chained[own + 1].queued != pda::no_node)
                graph_.add_edge(node, all.chained[own + 1].queued);
        }
        for (uint32_t i : all.others)
            if (queued) graph_.add_edge(node, test_of(t, i));
        if ((offered && spawns_) || timer) graph_.add_edge(node, flow_.terminator(v, waits));
    }
}

NodeId FlowBuilder::test_of(const terminator::Select& t, uint32_t clause) const {
    return entry_of(program_.clauses[t.first + clause].test);
}

// Which clauses of a select may have a turn after another one. Where they are many, each refusal goes to a node that
// leads to the next one and, over another such node, to those after it: as many edges as clauses, not their square.
FlowBuilder::Turns FlowBuilder::turns_of(const terminator::Select& t, BlockId waits) {
    constexpr uint32_t many = 16;
    Turns turns;
    const std::vector<ClauseOutcome>& all = clauses_[index(waits)];
    for (uint32_t i = 0; i < t.count; ++i) {
        const SelectClause::Kind kind = program_.clauses[t.first + i].kind;
        const bool message = kind == SelectClause::Kind::message, other = kind == SelectClause::Kind::other;
        turns.offered.push_back(all[i].live && message && all[i].from_outside);
        turns.queued.push_back(all[i].live && !other && (!message || all[i].from_channel));
        if (other && all[i].live) turns.others.push_back(i);
    }
    if (t.count <= many) return turns;
    turns.chained.resize(t.count + 1);
    const auto link = [&](NodeId next, uint32_t i) {
        const NodeId node = add(NodeKind::plain, waits, program_[waits].terminator.label);
        graph_.add_edge(node, test_of(t, i));
        if (next != pda::no_node) graph_.add_edge(node, next);
        return node;
    };
    for (uint32_t i = t.count; i-- > 0;) {
        turns.chained[i] = turns.chained[i + 1];
        if (turns.offered[i]) turns.chained[i].offered = link(turns.chained[i + 1].offered, i);
        if (turns.queued[i]) turns.chained[i].queued = link(turns.chained[i + 1].queued, i);
    }
    return turns;
}

std::optional<Flow> analyse(const Program& program, const FlowOptions& options, const std::function<bool()>& stop) {
    const std::clock_t start = std::clock();
    Machine machine(program, options, stop);
    machine.run();
    if (machine.stopped()) return std::nullopt;
    Flow flow = FlowBuilder(program, options, machine).build(start);
    if (machine.stopped()) return std::nullopt;
    return flow;
}

Flow analyse(const Program& program, const FlowOptions& options) {
    return *analyse(program, options, [] { return false; });
}

} // namespace espalier
