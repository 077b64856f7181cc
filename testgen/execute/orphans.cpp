#include "testgen/execute/orphans.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace espalier {

namespace {

// From /proc/PID/stat: "PID (name) state PARENT …", where a name may have parentheses and blanks.
pid_t parent_of(const std::string& pid) {
    std::ifstream in("/proc/" + pid + "/stat");
    std::string line;
    std::getline(in, line);
    const size_t name_end = line.rfind(')');
    if (name_end == std::string::npos || name_end + 4 >= line.size()) return -1;
    pid_t parent = -1;
    std::from_chars(line.data() + name_end + 4, line.data() + line.size(), parent);
    return parent;
}

std::vector<pid_t> children() {
    std::vector<pid_t> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> all(opendir("/proc"), closedir);
    if (!all) return found;
    while (const dirent* entry = readdir(all.get())) {
        pid_t pid = -1;
        const char* const end = entry->d_name + std::strlen(entry->d_name);
        const auto [last, problem] = std::from_chars(entry->d_name, end, pid);
        if (problem == std::errc() && last == end && parent_of(entry->d_name) == getpid()) found.push_back(pid);
    }
    return found;
}

bool has_child() {
    siginfo_t ignored{};
    return waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

// What a killed process leaves behind comes to us when it has been waited for, so this goes on until none is left. A
// process that starts others faster than they can be found is given up after a while.
void end_orphans() {
    constexpr int most_rounds = 1'000;
    for (int round = 0; round < most_rounds && has_child(); ++round) {
        const std::vector<pid_t> found = children();
        for (const pid_t pid : found) kill(pid, SIGSTOP); // so that none starts another meanwhile
        for (const pid_t pid : found) kill(pid, SIGKILL);
        for (const pid_t pid : found)
            while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
            }
        if (found.empty()) return; // there is no /proc to find them by
    }
}

} // namespace espalier
