// `espalier graph`: a model as a picture.
#include <cstdio>

#include "testgen/graph.hpp"
#include "testgen/graphviz.hpp"
#include "testgen/model_file.hpp"
#include "testgen/testgen.hpp"
#include "testgen/write_file.hpp"

namespace espalier {

namespace {

std::string draw(const Model& model, const std::string& kind) {
    if (kind == "machines") return draw_machines(model);
    const Flow flow = analyse(*model.program);
    return kind == "calls" ? draw_calls(model, flow) : draw_pda(model, flow);
}

} // namespace

int graph_command(const GraphOptions& options) {
    const auto model = load_or_report(options.model, true);
    if (!model) return exit_usage;
    std::string picture = draw(*model, options.kind);
    if (options.output.empty()) {
        std::fputs(picture.c_str(), stdout);
        return exit_done;
    }
    std::string problem;
    if (options.output.ends_with(".svg")) {
        Rendered svg = render_svg(picture);
        picture = std::move(svg.image);
        problem = std::move(svg.problem);
    }
    if (problem.empty()) problem = write_file(options.output, picture);
    if (problem.empty()) return exit_done;
    std::fprintf(stderr, "espalier: %s\n", problem.c_str());
    return exit_usage;
}

} // namespace espalier
