#include "testgen/commands/complain.hpp"

#include <cstdio>

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

} // namespace espalier
