// Waiting for files to change. Their times, sizes and numbers are looked at a few times in a second: that works on
// every file system and for every editor, also one that writes a new file and renames it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace espalier {

class FileWatch {
public:
    explicit FileWatch(std::vector<std::string> paths);
    // Returns when some file is another than when the watch began, and none has changed since a moment ago; false when
    // `stop` says so.
    bool wait_for_change(const std::function<bool()>& stop) const;

private:
    std::vector<std::string> states() const;
    std::vector<std::string> paths_, before_;
};

} // namespace espalier
