#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {
CoreProgram empty_program() {
    CoreProgram program;
    program.literals = std::make_unique<Heap>(Heap::Lifetime::immortal);
    return program;
}
} // namespace

Expansion::Expansion(Sources& all_sources, Data& all_data, Diagnostics& all_diagnostics, Includes::Load load,
                     Growth::Bounds bounds)
    : sources(all_sources), data(all_data), diagnostics(all_diagnostics), program(empty_program()),
      syntax(data, *program.literals), reports(syntax, program, diagnostics), names(syntax, reports, diagnostics),
      growth(data, program, reports, bounds), core(program, data, syntax), top_level(*this),
      includes(*this, std::move(load)), walk(*this), macros(*this), scheme(*this), binding(*this), bodies(*this),
      calls(*this), records(*this), types(*this), messages(*this), ports(*this), wheres(*this), model(*this),
      waits(*this), triggers(*this) {}

Part::Part(Expansion& all)
    : all_(all), data_(all.data), diagnostics_(all.diagnostics), program_(all.program), syntax_(all.syntax),
      names_(all.names), reports_(all.reports), growth_(all.growth), core_(all.core) {}

} // namespace espalier
