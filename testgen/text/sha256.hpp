// SHA-256 (FIPS 180-4): by it, a suite for Test-Comp says which file it is for.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

std::string sha256_hex(std::string_view bytes);

} // namespace espalier
