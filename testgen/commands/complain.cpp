#include "testgen/commands/complain.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "lang/lang.hpp"
#include "testgen/terminal/exit_status.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

int complain(const char* command, const Problem& problem) {
    switch (problem.form) {
    case Problem::Form::lines: std::fputs(problem.text.c_str(), stderr); break;
    case Problem::Form::words:
        std::fprintf(stderr, "espalier %s: %s\n", command, printable(problem.text).c_str());
        break;
    }
    return exit_usage;
}

std::optional<std::string> read_or_report(const std::string& path) {
    auto text = read_file(path);
    if (!text) std::fprintf(stderr, "espalier: cannot read `%s`: %s\n", printable(path).c_str(), std::strerror(errno));
    return text;
}

} // namespace espalier
