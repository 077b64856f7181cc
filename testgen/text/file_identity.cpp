#include "testgen/text/file_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>

namespace espalier {

namespace {

constexpr int most_links = 40; // as the kernel has it

std::optional<std::string> link_at(const std::string& path) {
    std::array<char, PATH_MAX> text{};
    const ssize_t size = readlink(path.c_str(), text.data(), text.size());
    if (size < 0) return std::nullopt;
    return std::string(text.data(), static_cast<size_t>(size));
}

std::string beside(const std::string& path, const std::string& target) {
    if (target.starts_with('/')) return target;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? target : path.substr(0, slash + 1) + target;
}

bool same_folder(const std::string& one, const char* other) {
    struct stat a {};
    struct stat b {};
    return stat(one.c_str(), &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

} // namespace

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_in_folder(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::optional<std::string> without_links(const std::string& path) {
    std::string at = path;
    for (int i = 0; i < most_links; ++i) {
        const auto target = link_at(at);
        if (!target) return at; // no link, or nothing
        at = beside(at, *target);
    }
    errno = ELOOP;
    return std::nullopt;
}

std::optional<FileIdentity> identity_of(const std::string& path) {
    struct stat there {};
    if (stat(path.c_str(), &there) == 0) return FileIdentity{there.st_dev, there.st_ino, {}};
    const auto file = without_links(path);
    if (!file || stat(folder_of(*file).c_str(), &there) != 0) return std::nullopt;
    return FileIdentity{there.st_dev, there.st_ino, name_in_folder(*file)};
}

std::optional<int> own_descriptor(const std::string& path) {
    std::string at = path;
    for (int i = 0; i < most_links; ++i) {
        if (same_folder(folder_of(at), "/proc/self/fd")) {
            const std::string name = name_in_folder(at);
            int number = -1;
            const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
            if (problem != std::errc() || end != name.data() + name.size()) return std::nullopt;
            return number;
        }
        const auto target = link_at(at);
        if (!target) return std::nullopt;
        at = beside(at, *target);
    }
    return std::nullopt;
}

bool is_regular(const std::string& path) {
    struct stat there {};
    return stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
}

bool is_character_device(const std::string& path) {
    struct stat there {};
    return stat(path.c_str(), &there) == 0 && S_ISCHR(there.st_mode);
}

} // namespace espalier
