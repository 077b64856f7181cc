// Text as JSON, for every file and line of JSON that this program writes.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// The inside of a JSON string. Any bytes: what is no UTF-8 becomes U+FFFD. Controls are escaped, also those that JSON
// would admit and a terminal obeys, and so are the two line ends that JavaScript knows besides.
std::string json_string(std::string_view text);
void append_json_string(std::string& out, std::string_view text); // in quotes

} // namespace espalier
