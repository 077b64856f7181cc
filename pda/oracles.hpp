// The kinds of oracle, each in its own file.
#pragma once

#include <memory>

#include "pda/pda.hpp"

namespace espalier::pda {

std::unique_ptr<Oracle> make_oracle_v1(const Graph& graph, Distance limit, std::span<const TargetId> targets);
std::unique_ptr<Oracle> make_oracle_v2(const Graph& graph, Distance limit, std::span<const TargetId> targets);

} // namespace espalier::pda
