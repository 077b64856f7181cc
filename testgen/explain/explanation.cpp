#include "testgen/explain/explanation.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace espalier {

using Kind = Explanation::Kind;

namespace {

constexpr size_t longest_path = 100'000; // steps

template <typename Map, typename Key>
uint64_t times_in(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
}

} // namespace

Explainer::Explainer(const Program& program, const Sources& sources, const Flow& flow, const Exploration& found,
                     Schedules schedules)
    : program_(program), flow_(flow), story_(found.story), covered_(found.covered), places_(program),
      dead_ends_(program, flow), left_outs_(program, &flow, found, schedules), teller_(program, flow, sources, places_),
      start_(flow.graph().root(flow[flow.variant(program.top, no_label)].procedure)),
      paths_(flow.graph(), start_, dislike()) {}

bool Explainer::entered(VariantId v, BlockId block) const {
    if (story_.traces.empty()) return story_.entered[index(block)];
    return story_.traces[index(v)].entered[index(block) - program_[flow_[v].lambda].first_block];
}

bool Explainer::taken(VariantId v, BlockId block, bool then) const {
    if (story_.traces.empty()) return true; // as far as is known
    const Trace& trace = story_.traces[index(v)];
    return (then ? trace.then : trace.other)[index(block) - program_[flow_[v].lambda].first_block];
}

// Only of branches: other edges are known by the nodes that they lead to.
bool Explainer::taken(pda::EdgeId edge) const {
    const Place& from = flow_.place(flow_.graph().from(edge));
    if (flow_.graph().kind(flow_.graph().from(edge)) != pda::NodeKind::branch) return true;
    const auto* b = std::get_if<terminator::Branch>(&program_[from.block].terminator.kind);
    if (b == nullptr) return true;
    return taken(from.variant, from.block, flow_.node(from.variant, b->then_block) == flow_.graph().to(edge));
}

bool Explainer::taken(const pda::Step& step) const {
    return entered(step.node) && (step.kind != pda::Step::Kind::edge || taken(step.edge));
}

// Of a wait that was left, to a clause that took nothing: whatever it waits for was offered, so others took it first.
bool Explainer::is_shadowed(pda::EdgeId edge) const {
    const Place& from = flow_.place(flow_.graph().from(edge));
    return std::holds_alternative<terminator::Select>(program_[from.block].terminator.kind) &&
           from.label == program_[from.block].terminator.label && !entered(flow_.graph().to(edge)) &&
           flow_.place(flow_.graph().to(edge)).variant == from.variant && was_left(from.variant, from.block);
}

// Ways that were not taken, and most of all those on which the obstacle would be a wait that was left otherwise: where
// there is a way to the clause over one that refuses, its condition is what stands in the way.
pda::Paths::Dislike Explainer::dislike() const {
    constexpr uint32_t more_than_any_detour = 1000;
    pda::Paths::Dislike all;
    for (const pda::NodeId node : flow_.graph().nodes()) all.nodes.push_back(entered(node) ? 0 : 1);
    for (uint32_t e = 0; e < flow_.graph().edge_count(); ++e)
        all.edges.push_back(is_shadowed(pda::EdgeId{e}) ? more_than_any_detour : taken(pda::EdgeId{e}) ? 0 : 1);
    return all;
}

std::optional<std::vector<pda::Step>> Explainer::path(TargetId target) const {
    const pda::NodeId node = paths_.nearest(flow_.target(target));
    if (node == pda::no_node) return std::nullopt;
    return paths_.to(node, longest_path);
}

Explanation Explainer::explain(TargetId target) const {
    Explanation out;
    out.left_out = left_outs_.before(target);
    const auto steps = path(target);
    if (!steps) {
        out.at = program_.targets[index(target)].span;
        out.dead_ends = dead_ends_.before(target);
        out.left_out.clear();
        return out;
    }
    const pda::NodeId end = paths_.nearest(flow_.target(target));
    out.stable_states = paths_.distance(end);
    out.whole = steps->size() < longest_path;
    out.way = teller_.tell(start_, *steps, target);
    if (!out.whole) out.way.pop_back();
    const size_t taken = count_taken(*steps);
    for (const WayStep& s : out.way) out.taken += s.step < taken && s.kind != WayStep::Kind::target ? 1 : 0;
    if (index(target) < covered_.size() && covered_[index(target)])
        out.kind = Kind::left_out;
    else if (!entered(start_))
        out.kind = Kind::start;
    else if (taken < steps->size())
        obstacle(taken == 0 ? start_ : (*steps)[taken - 1].node, (*steps)[taken], out);
    else
        at_mark(target, end, out);
    const bool vague = out.kind == Kind::inside || out.kind == Kind::call || out.kind == Kind::back;
    if (vague && out.path_ends.empty()) add_dropped(out);
    return out;
}

size_t Explainer::count_taken(const std::vector<pda::Step>& steps) const {
    const auto missed = std::find_if_not(steps.begin(), steps.end(), [&](const pda::Step& s) { return taken(s); });
    return static_cast<size_t>(missed - steps.begin());
}

// ── Between two places of the way ──

// There may lie blocks that have no node of their own: those that share the one that the step leads to. Over as many
// as possible that were entered.
Explainer::Edge Explainer::frontier(pda::NodeId from, const pda::Step& step) const {
    const Place& to = flow_.place(step.node);
    BlockId first = flow_.place(from).block;
    if (entered(step.node)) { // then it is the way there that was not taken
        const auto& b = std::get<terminator::Branch>(program_[first].terminator.kind);
        return {to.variant, first, flow_.node(to.variant, b.then_block) == step.node ? b.then_block : b.else_block};
    }
    if (step.kind == pda::Step::Kind::ret) first = flow_.place(flow_.graph().from(step.edge)).block;
    if (flow_.place(from).variant != to.variant && step.kind != pda::Step::Kind::ret)
        return {flow_.place(from).variant, first, to.block};
    std::unordered_map<uint32_t, BlockId> before{{index(first), no_block}};
    std::deque<BlockId> pending{first};
    while (!pending.empty()) {
        const BlockId b = pending.front();
        pending.pop_front();
        for (const BlockId next : DeadEnds::successors(program_, b)) {
            if (flow_.node(to.variant, next) != step.node && next != to.block) continue;
            if (!before.emplace(index(next), b).second) continue;
            if (entered(to.variant, next))
                pending.push_front(next);
            else
                pending.push_back(next);
        }
    }
    Edge edge{to.variant, first, to.block};
    if (before.count(index(to.block)) == 0) return edge;
    for (BlockId b = to.block; b != first && !entered(to.variant, b); b = before.at(index(b))) {
        edge.missed = b;
        edge.last = before.at(index(b));
    }
    return edge;
}

void Explainer::obstacle(pda::NodeId from, const pda::Step& step, Explanation& out) const {
    const Edge edge = frontier(from, step);
    const Terminator& t = program_[edge.last].terminator;
    const Variant& variant = flow_[edge.variant];
    const bool prelude = program_[variant.lambda].prelude;
    out.at = prelude ? places_.span(variant.site) : t.span;
    add_ends(edge.variant, edge.last, out);
    const auto* b = std::get_if<terminator::Branch>(&t.kind);
    if ((b != nullptr || !out.path_ends.empty()) && !was_left(edge.variant, edge.last)) {
        out.kind = Kind::ended;
    } else if (b != nullptr) {
        const uint32_t way = b->then_block == edge.missed ? 0 : 1;
        out.kind = prelude ? Kind::inside : Kind::condition;
        out.value = way == 0;
        out.refuted = times_in(story_.refuted, std::pair(t.label, way));
        out.bounded = times_in(story_.cut, std::pair(t.label, way)) + times_in(story_.cut_elsewhere, t.label);
    } else if (std::holds_alternative<terminator::Select>(t.kind)) {
        out.kind = Kind::wait;
        const bool charged = step.edge != pda::no_edge && flow_.graph().cost(step.edge) > 0;
        out.left = was_left(edge.variant, edge.last);
        if (charged)
            out.bounded = times_in(story_.bounded, t.label);
        else
            add_send(out); // what did not come from outside, a thread would have to send
    } else if (step.kind == pda::Step::Kind::ret) {
        out.kind = Kind::back;
    } else if (std::holds_alternative<terminator::Refuse>(t.kind)) {
        out.kind = Kind::wait; // no message was left to the clause
        out.at = places_.span(flow_.place(step.node).label);
    } else {
        out.kind = Kind::call;
    }
}

// Of the sends that no path came to, the nearest, and what stood in the way there.
void Explainer::add_send(Explanation& out) const {
    const pda::Graph& graph = flow_.graph();
    pda::NodeId nearest = pda::no_node;
    for (const pda::TargetId target : graph.targets()) {
        if (!graph.name(target).starts_with("send:")) continue;
        for (const pda::NodeId node : graph.checkpoints(target))
            if (paths_.reaches(node) && !entered(node) &&
                (nearest == pda::no_node || paths_.distance(node) < paths_.distance(nearest)))
                nearest = node;
    }
    if (nearest == pda::no_node) return;
    const auto steps = paths_.to(nearest, longest_path);
    const size_t taken = count_taken(steps);
    if (taken == steps.size()) return;
    const pda::NodeId from = taken == 0 ? start_ : steps[taken - 1].node;
    Explanation why;
    why.send_at = places_.span(flow_.place(nearest).label);
    const Place& at = flow_.place(from);
    const bool waits = std::holds_alternative<terminator::Select>(program_[at.block].terminator.kind);
    if (!waits || graph.cost(steps[taken].edge) > 0) { // else it waits for a send itself
        obstacle(from, steps[taken], why);
        out.send.push_back(std::move(why));
    }
}

// Where a path can end within the block, or in prelude code that is called there.
void Explainer::add_ends(VariantId v, BlockId block, Explanation& out) const {
    const bool prelude = program_[flow_[v].lambda].prelude;
    const auto here = [&](Label label) { return prelude ? label == flow_[v].site : places_.block(label) == block; };
    const auto add = [&](PathEnd::Kind kind, const Story::Times& places) {
        for (const auto& [label, n] : places)
            if (here(label)) out.path_ends.push_back({kind, places_.span(label), n});
    };
    add(PathEnd::Kind::error, story_.failed);
    add(PathEnd::Kind::assumption, story_.assumed);
    for (const auto& [what, n] : story_.unsupported)
        if (here(what.first))
            out.path_ends.push_back({PathEnd::Kind::unsupported, places_.span(what.first), n, what.second});
    add(PathEnd::Kind::steps, story_.out_of_steps);
}

// What was not followed, elsewhere: in what is called from here.
void Explainer::add_dropped(Explanation& out) {
    for (const LeftOut& what : out.left_out) {
        if (what.kind == LeftOut::Kind::unsupported)
            out.path_ends.push_back({PathEnd::Kind::unsupported, what.at, what.times, what.why});
        if (what.kind == LeftOut::Kind::steps) out.path_ends.push_back({PathEnd::Kind::steps, what.at, what.times});
    }
    if (!out.path_ends.empty()) out.kind = Kind::ended;
}

// Has some path got to the end of the block and on?
bool Explainer::was_left(VariantId v, BlockId block) const {
    const Label label = program_[block].terminator.label;
    for (const uint32_t way : {0U, 1U})
        if (times_in(story_.refuted, std::pair(label, way)) + times_in(story_.cut, std::pair(label, way)) > 0)
            return true;
    const auto next = DeadEnds::successors(program_, block);
    return std::any_of(next.begin(), next.end(), [&](BlockId b) { return entered(v, b); });
}

// The nodes from which the target is ahead before the next stable state, not over the obstacle. Backwards, with calls
// taken to return.
std::vector<bool> Explainer::leading_at_once(TargetId target, const Explanation& obstacle) const {
    const pda::Graph& graph = flow_.graph();
    std::vector<bool> leads(graph.node_count(), false);
    std::vector<pda::NodeId> pending;
    const auto mark = [&](pda::NodeId node) {
        if (leads[pda::raw(node)]) return;
        leads[pda::raw(node)] = true;
        pending.push_back(node);
    };
    const auto is_obstacle = [&](pda::EdgeId edge) {
        const Place& from = flow_.place(graph.from(edge));
        const Terminator& t = program_[from.block].terminator;
        const auto* b = std::get_if<terminator::Branch>(&t.kind);
        return obstacle.kind == Kind::condition && b != nullptr && t.span == obstacle.at && from.label == t.label &&
               flow_.node(from.variant, obstacle.value ? b->then_block : b->else_block) == graph.to(edge);
    };
    for (const pda::NodeId node : graph.checkpoints(flow_.target(target))) mark(node);
    while (!pending.empty()) {
        const pda::NodeId node = pending.back();
        pending.pop_back();
        for (const pda::EdgeId edge : graph.incoming(node))
            if (graph.cost(edge) == 0 && !is_obstacle(edge)) mark(graph.from(edge));
        if (graph.is_root(node))
            for (const pda::NodeId call : graph.callers(graph.procedure(node))) mark(call);
    }
    return leads;
}

Explanation Explainer::explain_fully(TargetId target) const {
    Explanation out = explain(target);
    if (story_.traces.empty() || out.kind == Kind::dead) return out;
    const std::vector<bool> leads = leading_at_once(target, out);
    for (const pda::NodeId node : flow_.graph().nodes()) {
        const Place& place = flow_.place(node);
        if (flow_.graph().kind(node) != pda::NodeKind::branch || program_[flow_[place.variant].lambda].prelude)
            continue;
        const Terminator& t = program_[place.block].terminator;
        const auto* b = std::get_if<terminator::Branch>(&t.kind);
        if (b == nullptr || !t.span.known() || t.span == out.at) continue;
        for (const bool then : {true, false}) {
            const pda::NodeId to = flow_.node(place.variant, then ? b->then_block : b->else_block);
            if (to == pda::no_node || !leads[pda::raw(to)] || taken(place.variant, place.block, then) ||
                !taken(place.variant, place.block, !then))
                continue;
            const Explanation::Condition c{t.span, then, times_in(story_.refuted, std::pair(t.label, then ? 0U : 1U))};
            const bool known = std::any_of(out.others.begin(), out.others.end(), [&](const Explanation::Condition& o) {
                return o.at == c.at && o.value == c.value;
            });
            if (!known) out.others.push_back(c);
        }
    }
    return out;
}

// ── Where the target stands ──

void Explainer::at_mark(TargetId target, pda::NodeId node, Explanation& out) const {
    const Target& t = program_.targets[index(target)];
    out.at = t.span;
    const auto found = story_.marks.find(target);
    const Story::Mark mark = found == story_.marks.end() ? Story::Mark{} : found->second;
    out.refuted = mark.refuted;
    out.unaccepted = mark.unaccepted;
    out.undecided = mark.undecided;
    if (mark.unwritten > 0) {
        out.kind = Kind::unwritten;
    } else if (mark.undecided > 0) {
        out.kind = Kind::undecided;
        out.at = places_.span(mark.undecided_at);
    } else if (mark.refuted > 0) {
        out.kind = Kind::values;
    } else if (mark.unaccepted > 0) {
        out.kind = Kind::unaccepted;
    } else {
        // No path came to the mark with anything that counts there.
        const Place& place = flow_.place(node);
        if (!was_left(place.variant, place.block)) add_ends(place.variant, place.block, out);
        const bool conditional = t.kind == TargetKind::boundary || t.kind == TargetKind::mcdc;
        out.kind = !out.path_ends.empty() || !conditional ? Kind::ended : Kind::values;
    }
}

} // namespace espalier
