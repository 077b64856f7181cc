// Graphviz's `dot`, as a process of its own.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

struct Rendered {
    std::string image;
    std::string problem; // empty when it worked
};
// DOT in, SVG out. What `dot` itself has to say goes to standard error.
Rendered render_svg(std::string_view dot);

} // namespace espalier
