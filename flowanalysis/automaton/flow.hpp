// The result of the analysis: the pushdown automaton, and the way from a position of a running engine to its node.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flowanalysis/domain/variant_id.hpp"
#include "flowanalysis/errors/certain_error.hpp"
#include "lang/lang.hpp"
#include "pda/pda.hpp"

namespace espalier {

struct Variant {
    LambdaId lambda;
    Label site;
    pda::ProcedureId procedure;
    uint32_t first_slot; // of its blocks, in the flow's tables
    uint32_t block_base; // what to add to a block's number for its slot; it wraps around
};

struct FlowStatistics {
    size_t procedures = 0; // variants
    size_t lambdas = 0;    // that have any
    size_t nodes = 0;
    size_t edges = 0;
    size_t values = 0;   // different abstract values
    size_t objects = 0;  // abstract objects
    uint64_t blocks = 0; // evaluated until the fixpoint was reached, each time counted
    uint64_t work = 0;   // the same, with each step in maps of facts and in sets, and each block that is marked again
    double seconds = 0;
};

// What a node of the graph stands for.
struct Place {
    VariantId variant;
    BlockId block;
    Label label; // of the operation or terminator
};

// What an analysis has found, as tables. FlowBuilder fills them in, and Flow answers from them.
struct FlowTables {
    struct Nodes { // of one block in one variant; without a node of its own it has that of the next one that has
        pda::NodeId first = pda::no_node;
        pda::NodeId last = pda::no_node; // at the terminator
        uint32_t operations = 0;         // with a node of their own, from `first` on
        uint32_t completed = 0;          // of all its operations
        // After so many of the operations that have a node of their own; after all of them: at the terminator.
        pda::NodeId after(uint32_t count) const {
            return count < operations ? pda::NodeId{pda::raw(first) + count} : last;
        }
    };
    struct Fallible {
        pda::NodeId node; // that a run passes before it
        Label label;      // of the operation; in the prelude, of the call that led there
    };
    struct Failing {
        pda::TargetId target;
        Label label; // as above
    };
    const Nodes& nodes_of(VariantId v, BlockId block) const {
        return nodes[index(block) + variants[index(v)].block_base];
    }
    // How many operations before that one, counted in the block, have a node of their own.
    uint32_t nodes_before(BlockId block, uint32_t op) const;

    const Program* program = nullptr; // which must outlive this
    bool call_sites = true;
    pda::Graph graph;
    FlowStatistics statistics;
    std::vector<Variant> variants;
    std::unordered_map<uint64_t, VariantId> variant_ids; // by variant_key
    std::vector<LambdaId> jump_sites;                    // by Label
    std::vector<Nodes> nodes;                            // by slot
    std::vector<uint32_t> before;                        // by operation: see nodes_before
    std::vector<Place> places;                           // by node
    std::vector<pda::TargetId> targets;                  // by TargetId; a target of no node where it is unreachable
    std::unordered_map<uint32_t, std::vector<pda::TargetId>> send_targets; // by Label
    std::unordered_set<uint32_t> excluded;                                 // TargetIds
    std::vector<GlobalId> settings;
    std::vector<CertainError> certain_errors;
    std::vector<Fallible> fallible;
    std::vector<Failing> failing; // by label
};

class Flow {
public:
    explicit Flow(FlowTables tables = {}) : t_(std::move(tables)) {}

    const pda::Graph& graph() const { return t_.graph; }
    const FlowStatistics& statistics() const { return t_.statistics; }
    bool call_sites() const { return t_.call_sites; } // see FlowOptions
    std::span<const Variant> variants() const { return t_.variants; }
    const Variant& operator[](VariantId v) const { return t_.variants[index(v)]; }

    // ── Correspondence (Lahola 2010, section 4.2.1): each O(1), and without a node where the analysis proves
    // that no run comes there. The stack of a tracking point is the terminators' nodes of the calling blocks.
    VariantId variant(LambdaId lambda, Label site) const; // no_variant: it is never entered
    // Where control enters the block.
    pda::NodeId node(VariantId v, BlockId block) const { return t_.nodes_of(v, block).first; }
    // Before that operation, counted in the block.
    pda::NodeId node(VariantId v, BlockId block, uint32_t op) const {
        return t_.nodes_of(v, block).after(nodes_before(block, op));
    }
    // The call, wait, return …
    pda::NodeId terminator(VariantId v, BlockId block) const { return t_.nodes_of(v, block).last; }
    // The same for a caller that has the variant's block_base at hand: where control enters the block; and after so
    // many of its operations that have a node of their own, or all of them, at its terminator. nodes_before() counts
    // them.
    pda::NodeId node_at(uint32_t block_base, BlockId block) const { return t_.nodes[index(block) + block_base].first; }
    pda::NodeId node_at(uint32_t block_base, BlockId block, uint32_t before) const {
        return t_.nodes[index(block) + block_base].after(before);
    }
    uint32_t nodes_before(BlockId block, uint32_t op) const { return t_.nodes_before(block, op); }
    const Place& place(pda::NodeId node) const { return t_.places[pda::raw(node)]; }
    // Of a block that has a node: how many of its operations a run may get past, counted from the first. Fewer
    // than it has where the next one only ever ends the run: an assumption that never holds, an error.
    uint32_t completed(VariantId v, BlockId block) const { return t_.nodes_of(v, block).completed; }

    // ── Targets
    pda::TargetId target(TargetId target) const { return t_.targets[index(target)]; }
    // Sends are targets too, so that an oracle can tell how far the next one is: those that may go to a
    // channel made by the `make-channel` of that label. (A send that may go to several channels is one
    // target, of all of them.)
    std::span<const pda::TargetId> send_targets(Label make_channel) const;
    std::vector<Label> channels_sent_to() const; // sorted
    // Those of the program that no run reaches.
    std::vector<TargetId> unreachable_targets() const;
    // Of one of those: some run may come to its comparison, but never with operands that make it count.
    bool is_excluded_by_values(TargetId target) const { return t_.excluded.contains(index(target)); }

    // ── Errors
    // With FlowOptions::certain_errors, each place once.
    std::span<const CertainError> certain_errors() const { return t_.certain_errors; }
    // Operations that may end a run with a model error, by what the analysis knows of their operands: a number that may
    // be no number, a divisor that may be zero, an index (of lengths nothing is known). Not those that fail only where
    // numbers or tables become too large, or where a global is used before its definition.
    using Fallible = FlowTables::Fallible;
    std::span<const Fallible> fallible() const { return t_.fallible; }
    // Those of them that end every run that comes to them, where the text does not ask for it by `error` or `assert`.
    // They are targets of the graph, so that an oracle can tell how far they are.
    using Failing = FlowTables::Failing;
    std::span<const Failing> failing() const { return t_.failing; }

    // Globals that are defined once, never assigned, and may be one of several symbols, booleans or integers: what a
    // run chooses when it begins, such as how the system is configured.
    std::span<const GlobalId> settings() const { return t_.settings; }

private:
    FlowTables t_;
};

} // namespace espalier
