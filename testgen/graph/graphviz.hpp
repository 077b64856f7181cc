// Graphviz's `dot`, as a process of its own.
#pragma once

#include <string>
#include <string_view>

#include "testgen/text/result.hpp"

namespace espalier {

// DOT in, SVG out. What `dot` itself has to say goes to standard error.
Result<std::string> render_svg(std::string_view dot);

} // namespace espalier
