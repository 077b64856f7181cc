// An operation that fails on every run that comes to it.
#pragma once

#include <string>

#include "lang/lang.hpp"

namespace espalier {

// An operation of the author's that runs may come to, and that is a model error in each of them: a number that is
// called, `=` on strings. Ends that the text asks for are none: `error`, `assert` and `assume`.
struct CertainError {
    Span at;
    std::string text; // "`=` takes numbers, and this is a string"
    std::string hint; // empty where there is none
};

} // namespace espalier
