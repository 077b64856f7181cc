#include <cassert>

#include "pda/oracle_v3.hpp"
#include "pda/oracles.hpp"
#include "pda/pda.hpp"

namespace espalier::pda {

Stack::Stack(std::span<const NodeId> calls_top_first) {
    for (size_t above = calls_top_first.size(); above > 0; --above) {
        const PendingCall* parent = top();
        frames_.push_back({calls_top_first[above - 1], parent});
    }
}

std::unique_ptr<Oracle> make_oracle(OracleKind kind, const Graph& graph, Distance limit,
                                    std::span<const TargetId> targets) {
    assert(limit <= max_limit);
    switch (kind) {
    case OracleKind::v1: return make_oracle_v1(graph, limit, targets);
    case OracleKind::v2: return make_oracle_v2(graph, limit, targets);
    case OracleKind::v3: return make_guide(graph, limit, targets);
    }
    return nullptr;
}

std::unique_ptr<Guide> make_guide(const Graph& graph, Distance limit, std::span<const TargetId> targets) {
    assert(limit <= max_limit);
    return std::make_unique<OracleV3>(graph, limit, targets);
}

} // namespace espalier::pda
