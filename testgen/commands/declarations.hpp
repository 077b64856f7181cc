// The arguments of each command, declared in the command's own file.
#pragma once

#include "testgen/commands/command_line.hpp"

namespace espalier {

Action declare_check(Arguments& arguments);
Action declare_run(Arguments& arguments);
Action declare_generate(Arguments& arguments);
Action declare_replay(Arguments& arguments);
Action declare_export(Arguments& arguments);
Action declare_execute(Arguments& arguments);
Action declare_explain(Arguments& arguments);
Action declare_graph(Arguments& arguments);
Action declare_bench(Arguments& arguments);
Action declare_pda(Arguments& arguments);

} // namespace espalier
