// `espalier pda`: the oracle on a pushdown automaton given as text.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "pda/pda.hpp"
#include "testgen/commands.hpp"

namespace espalier {

int pda_command(const PdaOptions& options) {
    std::ifstream in(options.file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof())) {
        std::fprintf(stderr, "espalier: cannot read `%s`\n", options.file.c_str());
        return exit_usage;
    }
    const pda::OracleKind kind = options.oracle == "v1" ? pda::OracleKind::v1 : options.oracle == "v2" ? pda::OracleKind::v2 : pda::OracleKind::v3;
    const auto answer = pda::answer_queries(std::move(text).str(), kind);
    if (const auto* lines = std::get_if<std::string>(&answer)) {
        std::fputs(lines->c_str(), stdout);
        return exit_done;
    }
    for (const auto& error : std::get<1>(answer)) std::fprintf(stderr, "%s:%zu: error: %s\n", options.file.c_str(), static_cast<size_t>(error.line), error.text.c_str());
    return exit_usage;
}

}  // namespace espalier
