// What the analysis found, and the way from a position of a running engine to it.
#include "flowanalysis/flowanalysis.hpp"

#include <algorithm>

namespace espalier {

VariantId Flow::variant(LambdaId lambda, Label site) const {
    if (site != no_label && jump_sites_[index(site)] == lambda) site = no_label;
    const auto at =
        variant_ids_.find(static_cast<uint64_t>(index(lambda)) << 32 | index(call_sites_ ? site : no_label));
    return at == variant_ids_.end() ? no_variant : at->second;
}

const Flow::Nodes& Flow::nodes(VariantId v, BlockId block) const {
    const Variant& variant = variants_[index(v)];
    return nodes_[index(block) + variant.block_base];
}

pda::NodeId Flow::node(VariantId v, BlockId block) const { return nodes(v, block).first; }

pda::NodeId Flow::node(VariantId v, BlockId block, uint32_t op) const {
    return node_at(variants_[index(v)].block_base, block, nodes_before(block, op));
}

uint32_t Flow::nodes_before(BlockId block, uint32_t op) const {
    const Block& b = (*program_)[block];
    return op < b.op_count ? nodes_before_[b.first_op + op] : UINT32_MAX;
}

pda::NodeId Flow::terminator(VariantId v, BlockId block) const { return nodes(v, block).last; }

std::span<const pda::TargetId> Flow::send_targets(Label make_channel) const {
    const auto at = send_targets_.find(index(make_channel));
    return at == send_targets_.end() ? std::span<const pda::TargetId>{} : at->second;
}

std::vector<Label> Flow::channels_sent_to() const {
    std::vector<Label> all;
    for (const auto& [label, targets] : send_targets_) all.push_back(Label{label});
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<TargetId> Flow::unreachable_targets() const {
    std::vector<TargetId> result;
    for (uint32_t t = 0; t < targets_.size(); ++t)
        if (graph_.checkpoints(targets_[t]).empty()) result.push_back(TargetId{t});
    return result;
}

} // namespace espalier
