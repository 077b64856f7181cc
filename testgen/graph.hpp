// Pictures of a model, as text in Graphviz's DOT language. The same model gives the same text.
#pragma once

#include <string>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"

namespace espalier {

// The pushdown automaton: a cluster for each procedure variant, a node for each place that matters.
std::string draw_pda(const Model& model, const Flow& flow);
// A node for each procedure, an edge for who calls, continues as or starts whom.
std::string draw_calls(const Model& model, const Flow& flow);
// The machines as their author wrote them.
std::string draw_machines(const Model& model);

} // namespace espalier
