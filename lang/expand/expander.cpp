#include "lang/expand/expander.hpp"

#include "lang/expand/expansion.hpp"

namespace espalier {

Expander::Expander(Sources& sources, Data& data, Diagnostics& diagnostics, Includes::Load load, Growth::Bounds bounds)
    : expansion_(std::make_unique<Expansion>(sources, data, diagnostics, std::move(load), bounds)) {}

Expander::~Expander() = default;

void Expander::expand_prelude(std::span<const DatumId> forms) { expansion_->top_level.expand_prelude(forms); }
void Expander::expand_model(std::span<const DatumId> forms) { expansion_->top_level.expand_model(forms); }
CoreProgram Expander::take() { return std::move(expansion_->program); }

} // namespace espalier
