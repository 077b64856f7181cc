#include "flowanalysis/automaton/flow.hpp"

#include <algorithm>

namespace espalier {

uint32_t FlowTables::nodes_before(BlockId block, uint32_t op) const {
    const Block& b = (*program)[block];
    return op < b.op_count ? before[b.first_op + op] : UINT32_MAX;
}

VariantId Flow::variant(LambdaId lambda, Label site) const {
    if (!t_.call_sites || (site != no_label && t_.jump_sites[index(site)] == lambda)) site = no_label;
    const auto at = t_.variant_ids.find(variant_key(lambda, site));
    return at == t_.variant_ids.end() ? no_variant : at->second;
}

std::span<const pda::TargetId> Flow::send_targets(Label make_channel) const {
    const auto at = t_.send_targets.find(index(make_channel));
    return at == t_.send_targets.end() ? std::span<const pda::TargetId>{} : at->second;
}

std::vector<Label> Flow::channels_sent_to() const {
    std::vector<Label> all;
    for (const auto& [label, targets] : t_.send_targets) all.push_back(Label{label});
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<TargetId> Flow::unreachable_targets() const {
    std::vector<TargetId> result;
    for (uint32_t t = 0; t < t_.targets.size(); ++t)
        if (t_.graph.checkpoints(t_.targets[t]).empty()) result.push_back(TargetId{t});
    return result;
}

} // namespace espalier
