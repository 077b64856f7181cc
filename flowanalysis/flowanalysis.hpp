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
//
// This is the folder's public header. It brings along the options (state/options.hpp) and the result
// (automaton/flow.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "flowanalysis/automaton/flow.hpp"
#include "flowanalysis/state/options.hpp"
#include "lang/lang.hpp"

namespace espalier {

Flow analyse(const Program& program, const FlowOptions& options = {});
// The same, unless it is asked to stop: `stop` is called every few hundred blocks, and true means the end. Part of an
// analysis says nothing, so then there is no result.
std::optional<Flow> analyse(const Program& program, const FlowOptions& options, const std::function<bool()>& stop);

// The variants with their reachable blocks and, beside each operation, the abstract value that it gives.
std::string dump_flow(const Program& program, const Sources& sources, const FlowOptions& options = {});

} // namespace espalier
