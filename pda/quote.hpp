// A name as an error message shows it.
#pragma once

#include <string>
#include <string_view>

namespace espalier::pda {

// In quotes, with control characters as \xNN, and cut where it is long.
std::string quote(std::string_view name);

} // namespace espalier::pda
