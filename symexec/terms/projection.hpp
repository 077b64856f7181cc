// What conditions say of some inputs, whatever the others are: the others are projected away where that is easy.
//
// Two kinds of inputs occur again and again in the past of a protocol: one that had to be equal to another (an answer
// to a request), and one that had to differ from some (a stray one). The first is what it was equal to; the second can
// always be had, where there are more values than it must differ from. Either way the result says exactly as much of
// the inputs that are left.
#pragma once

#include <vector>

#include "symexec/terms/term.hpp"

namespace espalier::sym {

// Of inputs numbered from `live` on, as many as possible are eliminated.
std::vector<Value> project(Terms& terms, std::vector<Value> conditions, uint32_t live);

} // namespace espalier::sym
