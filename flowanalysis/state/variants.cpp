#include "flowanalysis/state/variants.hpp"

namespace espalier::flow {

namespace {
// Blocks of one λ that are told apart by the sites that call it. A large λ that is called from very many places, as a
// hand-made machine with hundreds of states is, would take the product of the two. Calls from further places share a
// variant.
constexpr uint64_t most_slots = 1U << 20;
} // namespace

Variants::Entered Variants::enter(LambdaId lambda, Label site, bool is_shared) {
    if (!call_sites_ || (site != no_label && shape_.jump_sites[index(site)] == lambda)) site = no_label;
    const VariantId next{static_cast<uint32_t>(variants_.size())};
    const auto [at, is_new] = ids_.try_emplace(variant_key(lambda, site), next);
    if (!is_new) return {at->second, false};
    const Lambda& l = program_[lambda];
    // What prelude code calls counts as called where the prelude was entered, so that must stay known.
    if (site != no_label && !l.prelude &&
        (is_shared || uint64_t{++sites_of_[index(lambda)]} * l.block_count > most_slots)) {
        const Entered shared = enter(lambda, no_label);
        ids_[variant_key(lambda, site)] = shared.id;
        return shared;
    }
    const CellId cells = store_.allocate(l.params() + 2);
    variants_.push_back({.lambda = lambda,
                         .site = site,
                         .first_slot = Slot{static_cast<uint32_t>(blocks_.size())},
                         .first_value = static_cast<uint32_t>(values_.size()),
                         .parameters = cells,
                         .self = CellId{index(cells) + l.params()},
                         .result = CellId{index(cells) + l.params() + 1}});
    values_.resize(values_.size() + l.variables, bottom);
    blocks_.resize(blocks_.size() + l.block_count);
    for (uint32_t b = 0; b < l.block_count; ++b) blocks_[blocks_.size() - 1 - b].variant = next;
    return {next, true};
}

} // namespace espalier::flow
