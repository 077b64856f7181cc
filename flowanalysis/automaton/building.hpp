// What the parts of the builder share: the automaton and the tables that they fill in, and the variant whose blocks
// they are at.
#pragma once

#include "flowanalysis/automaton/flow.hpp"
#include "flowanalysis/evaluate/analyser.hpp"
#include "pda/pda.hpp"

namespace espalier::flow {

struct Building {
    explicit Building(Analyser& a) : analyser(a), program(a.context().program) {}

    // A node in the current variant.
    pda::NodeId add(pda::NodeKind kind, BlockId block, Label label) {
        const pda::NodeId node = graph.add_node(procedure_of(variant), kind);
        tables.places.push_back({variant, block, label});
        return node;
    }
    pda::NodeId entry_of(BlockId block) const { return tables.nodes_of(variant, block).first; }
    static pda::ProcedureId procedure_of(VariantId v) { return pda::ProcedureId{index(v)}; }
    // In the prelude: of the call that led there.
    Label author_label(Label own) const {
        const Label site = tables.variants[index(variant)].site;
        return lambda->prelude && site != no_label ? site : own;
    }

    Analyser& analyser;
    const Program& program;
    FlowTables tables;
    pda::GraphBuilder graph;
    VariantId variant{};
    const Lambda* lambda = nullptr; // of that variant
};

} // namespace espalier::flow
