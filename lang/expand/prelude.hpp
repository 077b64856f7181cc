// The prelude's text, made from prelude.scm when the program is built.
#pragma once

#include <string_view>

namespace espalier {
extern const std::string_view prelude_text;
}
