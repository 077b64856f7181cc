// Files are written whole or not at all: to a temporary file beside the target, which then takes its place. Links to
// the target stay links, and its permissions stay.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace espalier {

// Can a file be written there? Asked before long work whose result would be lost. Leaves nothing behind, and clears
// away what runs that were killed have left there. Empty when it can, else why not.
std::string check_writable(const std::string& path);
// Empty when it worked, else why not.
std::string write_file(const std::string& path, std::string_view content);
// In parts, for what is too large to be held: `produce` gives them to the sink that it is given.
using Sink = std::function<void(std::string_view)>;
enum class Lasting : uint8_t { synced, in_cache }; // also if the machine goes down; or only if this program does
std::string write_file(const std::string& path, const std::function<void(const Sink&)>& produce,
                       Lasting lasting = Lasting::synced);

} // namespace espalier
