// Shortest paths to everything at once, for saying by which way a target is believed reachable.
//
// Two tables, as in oracle v3 but forwards: first, for each node, the best way until its frame is popped (Knuth's
// generalisation of Dijkstra's algorithm, see return_costs.hpp), then the best path from the start, on which a call
// that returns is one long step. Lengths are compared by charged edges first, so that a path is as short as the oracle
// says; only then by what else is to be preferred. Each entry is final before whatever refers to it, and links keep
// that order, so a path that is read off them ends, even where its length has stopped growing.
#include <algorithm>
#include <queue>

#include "pda/pda.hpp"

namespace espalier::pda {

namespace {

Distance add_up_to_most(Distance a, Distance b) {
    return a == unreachable || b == unreachable ? unreachable
                                                : static_cast<Distance>(std::min<uint64_t>(uint64_t{a} + b, max_limit));
}

// The least first.
template <typename Length>
class Queue {
public:
    void push(const Length& length, NodeId node) { entries_.push({length, node}); }
    std::optional<NodeId> take() {
        if (entries_.empty()) return std::nullopt;
        const NodeId node = entries_.top().node;
        entries_.pop();
        return node;
    }

private:
    struct Entry {
        Length length;
        NodeId node;
    };
    struct Longer {
        bool operator()(const Entry& a, const Entry& b) const {
            if (b.length < a.length) return true;
            return !(a.length < b.length) && raw(b.node) < raw(a.node); // the same path every time
        }
    };
    std::priority_queue<Entry, std::vector<Entry>, Longer> entries_;
};

} // namespace

Paths::Paths(const Graph& graph, NodeId start, const Dislike& dislike)
    : graph_(graph), returns_(graph.node_count()), through_(graph.node_count()), after_(graph.node_count()),
      after_edges_(graph.node_count(), no_edge), through_callees_(graph.node_count(), no_procedure),
      lengths_(graph.node_count()), links_(graph.node_count()) {
    solve_returns(dislike);
    solve_paths(start, dislike);
}

Paths::Length Paths::sum(const Length& a, const Length& b) {
    return {add_up_to_most(a.charged, b.charged), add_up_to_most(a.disliked, b.disliked),
            add_up_to_most(a.steps, b.steps)};
}

Paths::Length Paths::entering(NodeId node, EdgeId edge, const Dislike& dislike) const {
    if (edge == no_edge) return {0, dislike.nodes[raw(node)], 1};
    return {static_cast<Distance>(graph_.cost(edge)),
            add_up_to_most(dislike.nodes[raw(node)], dislike.edges[raw(edge)]), 1};
}

void Paths::solve_returns(const Dislike& dislike) {
    Queue<Length> queue;
    const auto improve = [&](NodeId node) {
        const bool call = graph_.kind(node) == NodeKind::call;
        const Length length = call ? sum(through_[raw(node)], after_[raw(node)]) : after_[raw(node)];
        if (length.charged == unreachable || !(length < returns_[raw(node)])) return;
        returns_[raw(node)] = length;
        queue.push(length, node);
    };
    std::vector<bool> done(graph_.node_count(), false);
    for (const NodeId node : graph_.nodes())
        if (graph_.kind(node) == NodeKind::ret) {
            returns_[raw(node)] = {0, 0, 0};
            queue.push(returns_[raw(node)], node);
        }
    while (const auto next = queue.take()) {
        const NodeId node = *next;
        if (done[raw(node)]) continue;
        done[raw(node)] = true;
        const Length& known = returns_[raw(node)];
        for (const EdgeId edge : graph_.incoming(node)) {
            const NodeId from = graph_.from(edge);
            const Length length = sum(entering(node, edge, dislike), known);
            if (done[raw(from)] || !(length < after_[raw(from)])) continue;
            after_[raw(from)] = length;
            after_edges_[raw(from)] = edge;
            improve(from);
        }
        if (!graph_.is_root(node)) continue;
        for (const NodeId call : graph_.callers(graph_.procedure(node))) {
            const Length length = sum(entering(node, no_edge, dislike), known);
            if (done[raw(call)] || !(length < through_[raw(call)])) continue;
            through_[raw(call)] = length;
            through_callees_[raw(call)] = graph_.procedure(node);
            improve(call);
        }
    }
}

void Paths::solve_paths(NodeId start, const Dislike& dislike) {
    Queue<Length> queue;
    std::vector<bool> done(graph_.node_count(), false);
    const auto offer = [&](NodeId node, const Length& length, Link link) {
        if (length.charged == unreachable || done[raw(node)] || !(length < lengths_[raw(node)])) return;
        lengths_[raw(node)] = length;
        links_[raw(node)] = link;
        queue.push(length, node);
    };
    offer(start, {0, 0, 0}, {});
    while (const auto next = queue.take()) {
        const NodeId node = *next;
        if (done[raw(node)]) continue;
        done[raw(node)] = true;
        const Length known = lengths_[raw(node)];
        const bool call = graph_.kind(node) == NodeKind::call;
        for (const ProcedureId callee : graph_.callees(node))
            offer(graph_.root(callee), sum(known, entering(graph_.root(callee), no_edge, dislike)),
                  {call ? Step::Kind::call : Step::Kind::spawn, node, no_edge});
        const Length before = call ? sum(known, through_[raw(node)]) : known;
        for (const EdgeId edge : graph_.edges(node))
            offer(graph_.to(edge), sum(before, entering(graph_.to(edge), edge, dislike)),
                  {call ? Step::Kind::ret : Step::Kind::edge, node, edge});
    }
}

NodeId Paths::nearest(TargetId target) const {
    NodeId best = no_node;
    for (const NodeId node : graph_.checkpoints(target))
        if (reaches(node) && (best == no_node || lengths_[raw(node)] < lengths_[raw(best)])) best = node;
    return best;
}

std::vector<Step> Paths::to(NodeId node, size_t longest) const {
    std::vector<Step> links; // from the start, with a call that returns as one step
    for (NodeId at = node; links_[raw(at)].from != no_node; at = links_[raw(at)].from)
        links.push_back({links_[raw(at)].kind, links_[raw(at)].edge, at});
    std::reverse(links.begin(), links.end());
    std::vector<Step> steps;
    for (const Step& link : links) {
        // Through what is called, to where it returns; a call inside it waits with the edge to go on by.
        std::vector<EdgeId> pending;
        NodeId at = no_node;
        const auto enter = [&](NodeId call, EdgeId after) {
            pending.push_back(after);
            at = graph_.root(through_callees_[raw(call)]);
            steps.push_back({Step::Kind::call, no_edge, at});
        };
        if (link.kind == Step::Kind::ret)
            enter(graph_.from(link.edge), link.edge);
        else
            steps.push_back(link);
        while (!pending.empty() && steps.size() < longest) {
            if (graph_.kind(at) == NodeKind::call) {
                enter(at, after_edges_[raw(at)]);
                continue;
            }
            const bool pops = graph_.kind(at) == NodeKind::ret;
            const EdgeId edge = pops ? pending.back() : after_edges_[raw(at)];
            if (pops) pending.pop_back();
            at = graph_.to(edge);
            steps.push_back({pops ? Step::Kind::ret : Step::Kind::edge, edge, at});
        }
        if (steps.size() >= longest) break;
    }
    if (steps.size() > longest) steps.resize(longest);
    return steps;
}

} // namespace espalier::pda
