// What can a model do? A sound over-approximation of it, as a pushdown automaton.
//
// The analysis is a polynomial 1-CFA of the λ-IR: a procedure is analysed once for each place that calls it,
// with sets of abstract values for its variables, to a least fixpoint (Ashley & Dybvig's collecting machine,
// TOPLAS 1998; flat closures keep it polynomial, as m-CFA with m = 1: Might, Smaragdakis & Van Horn, PLDI
// 2010). Its result is a graph in which every path of a run of the model is a path (Lahola 2010,
// section 4.1), and the way from a position of a running engine to a node of that graph.
//
//   Model model = load_model("turnstile.scm");
//   Flow flow = analyse(*model.program);
//   VariantId top = flow.variant(model.program->top, no_label);
//   pda::NodeId start = flow.graph().root(flow[top].procedure);     // where a run begins
//   for (TargetId t : flow.unreachable_targets()) …                 // no run ever comes there
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/lang.hpp"
#include "pda/pda.hpp"

namespace espalier {

// A procedure as entered from one call site: a λ, and the label of the call or spawn. (Calls that prelude code makes
// count as made where the prelude was entered. The top level, and what a message's `where` demands, have no_label.)
// Tail calls of a procedure without parameters, where the text says which one, share a variant: nothing is handed over
// that could tell them apart, and the states of a machine are entered from everywhere. So do calls that may go to very
// many procedures, as through a table: told apart, they would be such calls times entries of the table.
enum class VariantId : uint32_t {};
inline constexpr VariantId no_variant{UINT32_MAX};

struct Variant {
    LambdaId lambda;
    Label site;
    pda::ProcedureId procedure;
    uint32_t first_slot; // of its blocks, in the flow's tables
    uint32_t block_base; // what to add to a block's number for its slot; it wraps around
};

struct FlowOptions {
    // One variant for each call site. Without: one for each λ (0-CFA), faster and much less precise.
    bool call_sites = true;
    // How often the bounds of an integer may move before they are widened.
    uint32_t patience = 8;
    // Of settings (see Flow::settings): only runs are of interest in which these globals are so defined. Values are
    // symbols, booleans and small integers.
    std::vector<std::pair<GlobalId, Value>> given{};
    bool certain_errors = false; // find them too
};

// An operation of the author's that runs may come to, and that is a model error in each of them: a number that is
// called, `=` on strings. Not where the author says so, as with `error`, `assert` and `assume`.
struct CertainError {
    Span at;
    std::string text; // "`=` takes numbers, and this is a string"
    std::string hint; // empty where there is none
};

struct FlowStatistics {
    size_t procedures = 0; // variants
    size_t lambdas = 0;    // that have any
    size_t nodes = 0;
    size_t edges = 0;
    size_t values = 0;   // different abstract values
    size_t objects = 0;  // abstract objects
    uint64_t blocks = 0; // evaluated until the fixpoint was reached, each time counted
    uint64_t work = 0;   // the same, with each step in maps of facts, in sets and in lists of those who look again
    double seconds = 0;
};

// What a node of the graph stands for.
struct Place {
    VariantId variant;
    BlockId block;
    Label label; // of the operation or terminator
};

class Flow {
public:
    const pda::Graph& graph() const { return graph_; }
    const FlowStatistics& statistics() const { return statistics_; }
    std::span<const Variant> variants() const { return variants_; }
    const Variant& operator[](VariantId v) const { return variants_[index(v)]; }

    // ── Correspondence (Lahola 2010, section 4.2.1): each O(1), and without a node where the analysis proves
    // that no run comes there. The stack of a tracking point is the terminators' nodes of the calling blocks.
    VariantId variant(LambdaId lambda, Label site) const; // no_variant: it is never entered
    pda::NodeId node(VariantId v, BlockId block) const;   // where control enters the block
    pda::NodeId node(VariantId v, BlockId block,
                     uint32_t op) const;                      // before that operation, counted in the block
    pda::NodeId terminator(VariantId v, BlockId block) const; // the call, wait, return …
    // For somebody who has the variant's block_base at hand: where control enters the block; and after so many of its
    // operations that have a node of their own, or all of them, at its terminator. nodes_before() counts them.
    pda::NodeId node_at(uint32_t block_base, BlockId block) const { return nodes_[index(block) + block_base].first; }
    pda::NodeId node_at(uint32_t block_base, BlockId block, uint32_t before) const {
        const Nodes& n = nodes_[index(block) + block_base];
        return before < n.operations ? pda::NodeId{pda::raw(n.first) + before} : n.last;
    }
    uint32_t nodes_before(BlockId block, uint32_t op) const;
    const Place& place(pda::NodeId node) const { return places_[pda::raw(node)]; }
    // Of a block that has a node: how many of its operations a run may get past, counted from the first. Fewer
    // than it has where the next one only ever ends the run: an assumption that never holds, an error.
    uint32_t completed(VariantId v, BlockId block) const { return nodes(v, block).completed; }

    pda::TargetId target(TargetId target) const { return targets_[index(target)]; }
    // Sends are targets too, so that an oracle can tell how far the next one is: those that may go to a
    // channel made by the `make-channel` of that label. (A send that may go to several channels is one
    // target, of all of them.)
    std::span<const pda::TargetId> send_targets(Label make_channel) const;
    std::vector<Label> channels_sent_to() const; // sorted
    // Those of the program that no run reaches.
    std::vector<TargetId> unreachable_targets() const;
    // Of one of those: some run may come to its comparison, but never with operands that make it count.
    bool is_excluded_by_values(TargetId target) const { return excluded_.count(index(target)) != 0; }
    // With FlowOptions::certain_errors, each place once.
    std::span<const CertainError> certain_errors() const { return certain_errors_; }
    // Operations that may end a run with a model error, by what the analysis knows of their operands: a number that may
    // be no number, a divisor that may be zero, an index (of lengths nothing is known). Not those that fail only where
    // numbers or tables become too large, or where a global is used before its definition.
    struct Fallible {
        pda::NodeId node; // that a run passes before it
        Label label;      // of the operation; in the prelude, of the call that led there
    };
    std::span<const Fallible> fallible() const { return fallible_; }
    // Those of them that end every run that comes to them, where the author does not say so by `error` or `assert`.
    // They are targets of the graph, so that an oracle can tell how far they are.
    struct Failing {
        pda::TargetId target;
        Label label; // as above
    };
    std::span<const Failing> failing() const { return failing_; }
    // Globals that are defined once, never assigned, and may be one of several symbols, booleans or integers: what a
    // run chooses when it begins, such as how the system is configured.
    std::span<const GlobalId> settings() const { return settings_; }
    bool call_sites() const { return call_sites_; }

private:
    friend class FlowBuilder;
    struct Nodes { // of one block in one variant; without a node of its own it has that of the next one that
                   // has
        pda::NodeId first = pda::no_node;
        pda::NodeId last = pda::no_node; // at the terminator
        uint32_t operations = 0;         // with a node of their own, from `first` on
        uint32_t completed = 0;          // of all its operations
    };
    const Nodes& nodes(VariantId v, BlockId block) const;

    const Program* program_ = nullptr; // which must outlive this
    bool call_sites_ = true;
    pda::Graph graph_;
    FlowStatistics statistics_;
    std::vector<Variant> variants_;
    std::unordered_map<uint64_t, VariantId> variant_ids_;
    std::vector<LambdaId> jump_sites_;   // by Label
    std::vector<Nodes> nodes_;           // by slot
    std::vector<uint32_t> nodes_before_; // by operation: how many before it in its block have a node of their own
    std::vector<Place> places_;          // by node
    std::vector<GlobalId> settings_;
    std::unordered_set<uint32_t> excluded_; // TargetIds
    std::vector<CertainError> certain_errors_;
    std::vector<Fallible> fallible_;
    std::vector<Failing> failing_;       // by label
    std::vector<pda::TargetId> targets_; // by TargetId; a target of no node where it is unreachable
    std::unordered_map<uint32_t, std::vector<pda::TargetId>> send_targets_; // by Label
};

Flow analyse(const Program& program, const FlowOptions& options = {});
// The same, unless somebody asks for the end first: `stop` is asked every few hundred blocks. A part of an analysis
// says nothing, so nothing is left of it.
std::optional<Flow> analyse(const Program& program, const FlowOptions& options, const std::function<bool()>& stop);

// The variants with their reachable blocks and, beside each operation, the abstract value that it gives.
std::string dump_flow(const Program& program, const Sources& sources, const FlowOptions& options = {});

} // namespace espalier
