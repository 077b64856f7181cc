// Options that several commands have, declared once so that they are spelt and described alike.
#pragma once

#include <string>

#include "testgen/commands/command_line.hpp"
#include "testgen/generate/options.hpp"

namespace espalier {

struct CommandLimits;

void add_force(Arguments& arguments, bool& force);
// `end` says in the help what happens at a limit: "the run ends".
void add_limits(Arguments& arguments, CommandLimits& limits, const std::string& end);
void add_call_limit(Arguments& arguments, uint64_t& calls, const std::string& end);
// A format by its name, or a template.
void add_format_options(Arguments& arguments, std::string& format, std::string& template_file);

// Options as they were declared, for a command to which they mean something of their own.
struct OrderOptions {
    Option order, seed, time, steps, memory;
};
// What to search for, in which order, and when to stop: the same for all commands that search.
OrderOptions add_order_options(Arguments& arguments, GenerateOptions& search);
// How to search: the same for all commands that search once.
void add_search_options(Arguments& arguments, GenerateOptions& search);

} // namespace espalier
