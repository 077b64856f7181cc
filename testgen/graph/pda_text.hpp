// What is written on the nodes and edges of a pushdown automaton's picture.
#pragma once

#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "testgen/graph/text.hpp"

namespace espalier {

class PdaText {
public:
    PdaText(const Model& model, const Flow& flow);

    std::string model_name() const { return text_.model_name(); }
    std::string name(VariantId v) const;
    std::string origin(VariantId v) const;                  // its place, and that of the call; perhaps empty
    std::string node(pda::NodeId node) const;               // what stands there, and its place on a line of its own
    std::string tooltip(pda::NodeId node) const;            // the same with more of the text
    std::vector<std::string> edges(pda::NodeId node) const; // by edge: a clause, yes or no, a cost; perhaps empty

    bool is_send(pda::NodeId node) const; // of checkpoints
    bool is_tail_call(pda::NodeId node) const;
    std::vector<VariantId> callees(pda::NodeId node) const; // called, tail-called or started

private:
    const TerminatorKind* terminator(pda::NodeId node) const;
    std::string with_place(std::string text, pda::NodeId node) const;
    void add_clauses(pda::NodeId node, const terminator::Select& select, std::vector<std::string>& labels) const;

    const Program& program_;
    const Flow& flow_;
    const pda::Graph& graph_;
    SourceText text_;
    std::vector<bool> sends_; // by target of the graph
};

} // namespace espalier
