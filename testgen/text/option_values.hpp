// What may stand behind an option, and how a wrong value is refused. A parser of options would take "-1" for the
// largest number, "nan" for a limit and what is too large for the most that fits: here nothing is read as something
// else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Each says what is wrong with the text, or nothing.
std::string check_whole_number(std::string_view text, uint64_t least, uint64_t most = UINT64_MAX);
std::string check_seconds(std::string_view text);
std::string check_percent(std::string_view text);
std::string check_one_of(std::string_view text, const std::vector<std::string>& words);

// "500M" becomes "524288000". A unit is one of K, M, G and T, powers of 1024, in either case and with or without a B.
std::string check_size(std::string& text);

} // namespace espalier
