// How far is the next target? Shortest paths in a pushdown automaton.
//
// A search that runs through a model asks at each branch whether any target still uncovered can be reached
// within its bound; where none can, the branch is cut. The model, analysed, is a pushdown automaton (see
// graph.hpp), the state of the search a node and a stack of call nodes, and the bound a number of charged
// edges.
//
//   #include "pda/pda.hpp"
//   using namespace espalier;
//
//   // main: call twice, then the checkpoint `done`.  twice: two stable states, then return.
//   pda::GraphBuilder builder;
//   const pda::ProcedureId main = builder.add_procedure("main");
//   const pda::ProcedureId twice = builder.add_procedure("twice");
//   const pda::NodeId call = builder.add_node(main, pda::NodeKind::call, "call");
//   const pda::NodeId done = builder.add_node(main, pda::NodeKind::checkpoint, "done");
//   const pda::NodeId one = builder.add_node(twice, pda::NodeKind::stable, "one");
//   const pda::NodeId two = builder.add_node(twice, pda::NodeKind::stable, "two");
//   const pda::NodeId back = builder.add_node(twice, pda::NodeKind::ret, "back");
//   builder.set_root(main, call);
//   builder.set_root(twice, one);
//   builder.add_callee(call, twice);
//   const pda::TargetId target = builder.target("done");
//   builder.set_target(done, target);
//   builder.add_edge(call, done);
//   builder.add_edge(one, two, pda::Cost::charged);
//   builder.add_edge(two, back, pda::Cost::charged);
//   const pda::Graph graph = std::get<pda::Graph>(std::move(builder).build());
//
//   // Which targets, and how far at most; then ask from anywhere.
//   const pda::TargetId targets[] = {target};
//   const auto oracle = pda::make_oracle(pda::OracleKind::v3, graph, 5, targets);
//   oracle->distance(call, nullptr, 5);           // 2: both stable states of twice are left on the way
//   const pda::PendingCall in_twice{call};              // inside twice, called from `call`
//   oracle->distance(two, &in_twice, 5);          // 1
//   oracle->reachable_within(two, &in_twice, 0);  // false
//   oracle->distance(two, nullptr, 5);            // pda::unreachable: an empty stack ends the run
//   oracle->cover(target);
//   oracle->distance(call, nullptr, 5);           // pda::unreachable: no target is left
//
// The same automaton as text, with the first two questions:
//
//   procedure main call
//   procedure twice one
//   node call main call twice
//   node done main checkpoint done
//   node one twice stable
//   node two twice stable
//   node back twice return
//   edge call done
//   edge one two
//   edge two back
//   query call [] 5 done
//   query two [call] 5 done
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "pda/builder.hpp"
#include "pda/graph.hpp"

namespace espalier::pda {

// A number of charged edges.
using Distance = uint32_t;
inline constexpr Distance unreachable = UINT32_MAX; // more than any limit
inline constexpr Distance max_limit = unreachable - 1;

class NearSets;

// One pending call: the call node, and the frame it was made in (null at the bottom). Frames form a tree that
// forked states share, so they are immutable but for what an oracle remembers of them. A frame owns nothing:
// put it in an arena, or in a reference-counted frame of your own that keeps its parent alive. Frames that
// one thread asks about may not be asked about by another at the same time.
struct PendingCall {
    NodeId call;
    const PendingCall* parent = nullptr;
    // Oracle v3: the least distance after this frame is popped, and the target set for which that was true.
    mutable Distance after_pop = unreachable;
    mutable uint64_t epoch = 0;
    // The same for NearSets, which never change.
    mutable const NearSets* near_of = nullptr;
    mutable uint64_t near = 0;
    // The number of the last ReachableSet that holds all that can be reached once this frame is popped.
    mutable uint64_t reached_in = 0;
};

// A stack of frames that owns them.
class Stack {
public:
    explicit Stack(std::span<const NodeId> calls_top_first);
    const PendingCall* top() const { return frames_.empty() ? nullptr : &frames_.back(); }

private:
    std::deque<PendingCall> frames_;
};

// What an oracle has done so far.
struct OracleWork {
    // In tables and searches, each visit counted.
    uint64_t visited_nodes = 0;
    // v3: nodes whose distance was lost with a covered target, and found anew.
    uint64_t repaired_nodes = 0;
};

// Knows the uncovered targets, and how far they are. Every kind gives the same answers.
class Oracle {
public:
    virtual ~Oracle() = default;
    // From now on, these are the uncovered targets.
    virtual void retarget(std::span<const TargetId> targets) = 0;
    // From now on, this target is covered.
    virtual void cover(TargetId target) = 0;
    // The least cost of a path from the node, with that stack (null: empty), to a checkpoint node of an
    // uncovered target; `unreachable` where it is more than `limit`, which is at most the oracle's own.
    virtual Distance distance(NodeId node, const PendingCall* stack, Distance limit) = 0;
    // The same as a question, which some kinds answer sooner: is the distance at most `limit`?
    virtual bool reachable_within(NodeId node, const PendingCall* stack, Distance limit) = 0;
    virtual OracleWork work() const = 0;
};

enum class OracleKind : uint8_t {
    v1, // Lahola 2010, Algorithm 5.3: one table for all targets, a search for each question
    v2, // Lahola 2010, Algorithm 5.4: a table for each target set, a smaller search for each question
    v3, // a distance for each node, repaired as targets are covered; O(1) amortised for each question
};

// The graph must outlive the oracle. No question may have a limit above `limit`, which costs no memory.
std::unique_ptr<Oracle> make_oracle(OracleKind kind, const Graph& graph, Distance limit,
                                    std::span<const TargetId> targets);

// Which of some sets of targets can be reached at no cost? A bit for each set.
//
// An oracle answers for one set. Where several are asked about together, and only what is at distance 0 matters, one
// table of masks answers for all: what can be reached from a node before its frame is popped, and whether that can be
// popped, both at no cost. As with oracle v3 what lies below is kept on the frames, here once and for all.
class NearSets {
public:
    static constexpr uint32_t most = 63; // sets that can be told apart

    // `sets`: by target, those it belongs to. The graph must outlive this.
    NearSets(const Graph& graph, std::span<const uint64_t> sets);
    NearSets(const NearSets&) = delete; // frames know it by its address
    NearSets& operator=(const NearSets&) = delete;

    // The sets of which a target is at distance 0.
    uint64_t of(NodeId node, const PendingCall* stack) {
        const uint64_t inside = masks_[raw(node)];
        return (inside & pops) == 0 ? inside : (inside & ~pops) | after_pop(stack);
    }

private:
    static constexpr uint64_t pops = uint64_t{1} << most;
    void offer(NodeId node, uint64_t sets);
    uint64_t after_pop(const PendingCall* stack);

    std::vector<uint64_t> masks_;      // by node, and `pops`
    std::vector<uint64_t> after_call_; // the same, of a call node's return points together
    std::vector<NodeId> grown_;
    std::vector<const PendingCall*> unknown_;
};

// One step of a path.
struct Step {
    enum class Kind : uint8_t {
        edge,  // along `edge`
        call,  // from a call node to the root of a callee
        ret,   // from a return node along `edge`, which leaves the call node that was on top of the stack
        spawn, // from a spawn node to the root of what it starts: the path goes on in the new thread
    };
    Kind kind;
    EdgeId edge; // no_edge for call and spawn
    NodeId node; // where the step leads
    friend bool operator==(const Step&, const Step&) = default;
};

// A shortest path, found step by step as it is asked for: a path may be far longer than the automaton is
// large.
class Route {
public:
    virtual ~Route() = default;
    // The next step; none at the target. Not to be asked for after the oracle's targets have changed.
    virtual std::optional<Step> next() = 0;
};

// Oracle v3, which also knows the way. Follow one route to its end: asking for a new one after each step may
// go around in circles of cost 0.
class Guide : public Oracle {
public:
    // Null where the distance is more than the oracle's limit. The frames must outlive the route.
    virtual std::unique_ptr<Route> route(NodeId node, const PendingCall* stack) = 0;
};
std::unique_ptr<Guide> make_guide(const Graph& graph, Distance limit, std::span<const TargetId> targets);

// All that can be reached, at any distance, from the states added so far: what is not in it has been proved
// unreachable. (An oracle proves nothing: it knows only what lies within its limit.)
class ReachableSet {
public:
    explicit ReachableSet(const Graph& graph);
    ReachableSet(const ReachableSet&) = delete; // frames know it by its number
    ReachableSet& operator=(const ReachableSet&) = delete;
    // For all calls together linear in the size of the graph and the number of frames that are not known yet; where
    // sets take turns with the same frames, each turn is O(depth of the stack).
    void add(NodeId node, const PendingCall* stack);
    uint64_t number() const { return number_; } // by which it can be known again
    bool contains(NodeId node) const { return reached_[raw(node)]; }
    bool contains(TargetId target) const;

private:
    void mark(NodeId node);

    const Graph& graph_;
    const uint64_t number_;           // of all sets that were made, from 1
    std::vector<bool> returns_;       // can the node's frame be popped?
    std::vector<bool> returns_after_; // can it, once the node has been left by one of its edges?
    std::vector<bool> reached_;
    std::vector<NodeId> worklist_;
};

// Shortest paths from one node, with an empty stack, to all others at any distance. Of equally short paths those are
// taken that go over the least disliked nodes and edges, in all, and of these the ones with the fewest steps.
// Nothing is capped: sums that grow too large stop growing, and still mean that there is a path.
class Paths {
public:
    struct Dislike { // how much, by node and by edge
        std::vector<uint32_t> nodes, edges;
    };
    // The graph must outlive this. O(n log n).
    Paths(const Graph& graph, NodeId start, const Dislike& dislike);
    bool reaches(NodeId node) const { return lengths_[raw(node)].charged != unreachable; }
    // Exact below `max_limit`; `unreachable` only where there is no path.
    Distance distance(NodeId node) const { return lengths_[raw(node)].charged; }
    // The steps of the path; the first so many of them, since a path may be far longer than the automaton is large.
    std::vector<Step> to(NodeId node, size_t longest) const;
    // Of a target's checkpoint nodes, the one whose path is the best; no_node where none is reached.
    NodeId nearest(TargetId target) const;

private:
    struct Length {
        Distance charged = unreachable, disliked = 0, steps = 0;
        friend bool operator<(const Length& a, const Length& b) {
            return std::tie(a.charged, a.disliked, a.steps) < std::tie(b.charged, b.disliked, b.steps);
        }
    };
    struct Link { // how the best path came to a node
        Step::Kind kind = Step::Kind::edge;
        NodeId from = no_node;
        EdgeId edge = no_edge; // of a call node: after the call has returned
    };
    static Length sum(const Length& a, const Length& b);
    Length entering(NodeId node, EdgeId edge, const Dislike& dislike) const;
    void solve_returns(const Dislike& dislike);
    void solve_paths(NodeId start, const Dislike& dislike);

    const Graph& graph_;
    std::vector<Length> returns_; // until the node's frame is popped
    std::vector<Length> through_; // of a call node: from its callee's root until that is popped
    std::vector<Length> after_;   // of the edges that leave a node, the best
    std::vector<EdgeId> after_edges_;
    std::vector<ProcedureId> through_callees_;
    std::vector<Length> lengths_;
    std::vector<Link> links_;
};

// ── As text ────────────────────────────────────────────────────────────────────────────────
//
//   procedure NAME ROOT
//   node NAME PROCEDURE call P… | spawn P… | return | stable | checkpoint ID | plain
//   edge FROM TO                  leaving a stable node costs 1, any other 0
//   query NODE [C…] LIMIT ID…     a stack of call nodes, its top first; how far at most; the targets
//
// One of these on a line; `#` begins a comment; a name is any run of characters but blanks, brackets and `#`,
// and may be used before its definition.

struct Query {
    NodeId node;
    std::vector<NodeId> stack; // top first
    Distance limit;
    std::vector<TargetId> targets;
    friend bool operator==(const Query&, const Query&) = default;
};

struct Document {
    Graph graph;
    std::vector<Query> queries;
    friend bool operator==(const Document&, const Document&) = default;
};

struct TextError {
    size_t line; // from 1
    std::string text;
    friend bool operator==(const TextError&, const TextError&) = default;
};

// Everything the text says, or everything that is wrong with it, by line.
std::variant<Document, std::vector<TextError>> parse(std::string_view text);

// Parses back to the same document, if that was read from text. Of a graph that was built, entry and branch
// nodes are written as plain ones, a charged edge of a node that is not stable leads through a new stable
// node, missing or unprintable names are replaced, and labels are comments: the answers stay the same.
std::string print(const Graph& graph, std::span<const Query> queries = {});

// For each query a line: `reachable D`, where the least distance D is at most the limit, else `unreachable`.
std::variant<std::string, std::vector<TextError>> answer_queries(std::string_view text, OracleKind kind);

} // namespace espalier::pda
