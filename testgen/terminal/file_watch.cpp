#include "testgen/terminal/file_watch.hpp"

#include <sys/stat.h>

#include <chrono>
#include <thread>

namespace espalier {

FileWatch::FileWatch(std::vector<std::string> paths) : paths_(std::move(paths)), before_(states()) {}

std::vector<std::string> FileWatch::states() const {
    std::vector<std::string> all;
    for (const std::string& path : paths_) {
        struct stat now {};
        if (stat(path.c_str(), &now) != 0)
            all.emplace_back("none");
        else
            all.push_back(std::to_string(now.st_ino) + " " + std::to_string(now.st_size) + " " +
                          std::to_string(now.st_mtim.tv_sec) + " " + std::to_string(now.st_mtim.tv_nsec));
    }
    return all;
}

bool FileWatch::wait_for_change(const std::function<bool()>& stop) const {
    constexpr std::chrono::milliseconds moment(100);
    std::vector<std::string> last = before_;
    while (!stop()) {
        std::this_thread::sleep_for(moment);
        std::vector<std::string> now = states();
        if (now == last && now != before_) return true;
        last = std::move(now);
    }
    return false;
}

} // namespace espalier
