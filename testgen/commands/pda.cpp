// `espalier pda`: the oracle on a pushdown automaton given as text.
#include <cstdio>

#include "pda/pda.hpp"
#include "testgen/commands/complain.hpp"
#include "testgen/commands/declarations.hpp"
#include "testgen/testgen.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

int pda_command(const PdaOptions& options) {
    const auto text = read_or_report(options.file);
    if (!text) return exit_usage;
    const auto answer = pda::answer_queries(*text, options.oracle);
    if (const auto* lines = std::get_if<std::string>(&answer)) {
        std::fputs(lines->c_str(), stdout);
        return exit_done;
    }
    for (const auto& error : std::get<1>(answer))
        std::fprintf(stderr, "%s:%zu: error: %s\n", printable(options.file).c_str(), static_cast<size_t>(error.line),
                     error.text.c_str());
    return exit_usage;
}

Action declare_pda(Arguments& arguments) {
    const auto options = std::make_shared<PdaOptions>();
    arguments.word("FILE", options->file, "Lines of `procedure`, `node`, `edge` and `query`");
    arguments.choice("--oracle", "VERSION", options->oracle, "Which algorithm answers: v1, v2 or v3");
    return [options] { return pda_command(*options); };
}

} // namespace espalier
