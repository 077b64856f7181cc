// `espalier check`: what is wrong with a model, or what the tool makes of it.
#include <cstdio>

#include "flowanalysis/flowanalysis.hpp"
#include "lang/lang.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/commands/model_file.hpp"
#include "testgen/commands/shared_options.hpp"
#include "testgen/explain/dead_targets.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

int check_within(const CheckOptions& options, const Limits& limits) {
    CompileOptions compile;
    compile.stop = &limits.reading_over();
    compile.dump = options.dump == Dump::read || options.dump == Dump::expand;
    compile.dump_prelude = options.with_prelude;
    Model model = load_model(options.model, compile);
    if (model.program) {
        FlowOptions analysis;
        analysis.certain_errors = true;
        const auto flow = analyse(*model.program, analysis, [&] { return limits.is_over(); });
        if (!flow) return ended_early("check", limits);
        for (const CertainError& e : flow->certain_errors()) model.diagnostics.warning(e.at, e.text, e.hint);
        warn_of_dead_targets(model, *flow);
    }
    if (options.json) {
        std::fputs(render_json(model.sources, model.diagnostics).c_str(), stdout);
    } else {
        report(model);
    }
    if (options.dump == Dump::read) std::fputs(model.read_dump.c_str(), stdout);
    if (options.dump == Dump::expand) std::fputs(model.expand_dump.c_str(), stdout);
    if (options.dump == Dump::ir && model.program) {
        std::fputs(print_ir(*model.program, model.sources, options.with_prelude).c_str(), stdout);
    }
    if (options.dump == Dump::flow && model.program)
        std::fputs(dump_flow(*model.program, model.sources).c_str(), stdout);
    if (!options.json && !options.dump && model.sources.size() > 0) {
        const size_t errors = model.diagnostics.error_count();
        const size_t warnings = model.diagnostics.all().size() - errors;
        auto count = [](size_t n, const char* what) {
            return (n == 0 ? "no" : std::to_string(n)) + " " + what + (n == 1 ? "" : "s");
        };
        std::fprintf(stderr, "%s: %s, %s\n", printable(options.model).c_str(), count(errors, "error").c_str(),
                     count(warnings, "warning").c_str());
    }
    return model.diagnostics.has_errors() ? exit_usage : exit_done;
}

} // namespace

int check_command(const CheckOptions& options) {
    const Limits limits(nullptr, options.limits.time, options.limits.memory);
    return unless_stopped("check", limits, [&] { return check_within(options, limits); });
}

Action declare_check(Arguments& arguments) {
    const auto options = std::make_shared<CheckOptions>();
    arguments.word("MODEL", options->model, "The model's file");
    const Option dump = arguments.choice(
        "--dump", "STAGE", options->dump,
        "Print what the tool makes of it: read, the data that were read; expand, the core forms; ir, the λ-IR; "
        "flow, the result of the flow analysis");
    arguments.flag("--prelude", options->with_prelude, "With --dump: also what the model uses of the prelude");
    arguments.flag("--json", options->json, "Diagnostics as JSON on standard output, for editors").excludes(dump);
    add_limits(arguments, options->limits, "it ends");
    return [options] { return check_command(*options); };
}

} // namespace espalier
