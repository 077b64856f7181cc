// Files are written whole or not at all: to a temporary file beside the target, then renamed over it.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// Empty when it worked, else why not.
std::string write_file(const std::string& path, std::string_view content);

} // namespace espalier
