#include "symexec/symexec.hpp"

#include "symexec/search/explorer.hpp"

namespace espalier {

Exploration explore(const Program& program, const ExploreOptions& options) {
    return sym::Explorer(program, options).run();
}

} // namespace espalier
