#include "symexec/symexec.hpp"

#include <new>

#include "symexec/search/explorer.hpp"

namespace espalier {

namespace {

Exploration nothing_found(const Program& program, EndedBy ended_by) {
    Exploration nothing;
    nothing.heap = std::make_unique<Heap>();
    nothing.covered.assign(program.targets.size(), false);
    nothing.story.entered.assign(program.blocks.size(), false);
    nothing.complete = false;
    nothing.ended_by = ended_by;
    return nothing;
}

} // namespace

Exploration explore(const Program& program, const ExploreOptions& options) {
    try {
        return sym::Explorer(program, options).run();
    } catch (const std::bad_alloc&) { // before it began
        return nothing_found(program, EndedBy::memory_limit);
    }
}

} // namespace espalier
