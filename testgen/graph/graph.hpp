// Pictures of a model, as text in Graphviz's DOT language. The same model gives the same text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"

namespace espalier {

// The pushdown automaton: a cluster for each procedure variant, a node for each place that matters.
std::string draw_pda(const Model& model, const Flow& flow);
// A node for each procedure, and an edge to each procedure that it calls, continues as or starts.
std::string draw_calls(const Model& model, const Flow& flow);
// Where arrows lead: from left to right suits a machine with many states that can be entered from everywhere.
enum class Direction : uint8_t { down, right };
// The machines as their author wrote them: those named, or all.
std::string draw_machines(const Model& model, const std::vector<std::string>& names = {},
                          Direction direction = Direction::down);

} // namespace espalier
