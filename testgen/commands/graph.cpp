// `espalier graph`: a model as a picture.
#include <algorithm>
#include <cstdio>

#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/graph/graph.hpp"
#include "testgen/graph/graphviz.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/outputs.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

namespace {

std::string draw(const Model& model, const GraphOptions& options) {
    if (options.kind == Picture::machines) return draw_machines(model, options.machines, options.direction);
    const Flow flow = analyse(*model.program);
    return options.kind == Picture::calls ? draw_calls(model, flow) : draw_pda(model, flow);
}

// A machine that is asked for and that the model does not have, with those that it has.
std::string missing_machine(const Model& model, const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const MachineDef& m : model.program->machines) known.emplace_back(name_of(m.name));
    for (const std::string& name : names) {
        if (std::count(known.begin(), known.end(), name) != 0) continue;
        std::string all;
        for (const std::string& k : known) all += (all.empty() ? "" : ", ") + k;
        return "--machine: the model has no machine `" + name + "`; " + (all.empty() ? "it has none" : "it has " + all);
    }
    return "";
}

int complain(const Problem& problem) { return espalier::complain("graph", problem); }

} // namespace

int graph_command(const GraphOptions& options) {
    const auto model = load_or_report(options.model, true);
    if (!model) return exit_usage;
    if (const std::string wrong = missing_machine(*model, options.machines); !wrong.empty()) return complain({wrong});
    const std::string lost = problem_with({{options.output}, files_of(*model), options.force});
    if (!lost.empty()) return complain({lost});
    std::string picture = draw(*model, options);
    if (options.output.empty()) {
        std::fputs(picture.c_str(), stdout);
        return exit_done;
    }
    if (options.output.ends_with(".svg")) {
        auto svg = render_svg(picture);
        if (!svg) return complain(svg.problem());
        picture = std::move(*svg);
    }
    const std::string problem = write_file(options.output, picture);
    return problem.empty() ? exit_done : complain({problem});
}

Action declare_graph(Arguments& arguments) {
    const auto options = std::make_shared<GraphOptions>();
    arguments.word("MODEL", options->model, "The model's file");
    arguments.choice(
        "--kind", "KIND", options->kind,
        "What to draw: pda, the automaton that the analysis makes of the model; calls, who calls whom; or machines");
    const Option machine = arguments.repeated("--machine", "NAME", options->machines,
                                              "With --kind machines: only this one; may be given several times");
    const Option direction = arguments.choice(
        "--direction", "WAY", options->direction,
        "With --kind machines: where arrows lead, down or right, which suits machines with many states");
    arguments.text("-o,--output", "FILE", options->output,
                   "Where to write it: SVG if the name ends in .svg (needs graphviz), else DOT; by default "
                   "DOT on standard output");
    add_force(arguments, options->force);
    for (const Option& option : {machine, direction})
        arguments.check([options, option] {
            const bool is_useless = options->kind != Picture::machines && option.is_given();
            return is_useless ? option.name() + " requires --kind machines" : "";
        });
    return [options] { return graph_command(*options); };
}

} // namespace espalier
