// Conditions on data in the author's words: "`tries` is at most 2".
#pragma once

#include <string>
#include <vector>

#include "symexec/terms/term.hpp"

namespace espalier::sym {

// `names`: of data variables, by their numbers.
std::string in_words(const Terms& terms, const std::vector<Value>& conditions, const std::vector<std::string>& names);

} // namespace espalier::sym
