// Interned names. A Symbol is an index, so comparing two is comparing integers, and a value word has room for
// one.
#pragma once

#include <cstdint>
#include <string_view>

namespace espalier {

enum class Symbol : uint32_t {}; // Symbol{} is the empty name

// The symbol of that name; the same name gives the same symbol in the whole process. Thread-safe.
Symbol intern(std::string_view name);
// The name stays where it is for the life of the process. Thread-safe.
std::string_view name_of(Symbol symbol);

} // namespace espalier
