// A shortest path, read off the tables of oracle v3 one step at a time.
//
// The tables remember for each node how its D and its R came about, and both chains are well founded. What
// they do not say is which of the two a node is on the way for: a call node on the way to its return point is
// entered to be left again, and taking its callee's own D there, though no longer, may lead around a cycle of
// cost 0 for ever. So a route remembers what it is doing, for itself and for each call it has made; it needs
// no more memory than that.
#pragma once

#include <memory>

#include "pda/oracle_v3.hpp"

namespace espalier::pda {

// There must be a path. The oracle must outlive the route.
std::unique_ptr<Route> make_route(OracleV3& oracle, NodeId node, const PendingCall* stack);

} // namespace espalier::pda
