#include "testgen/text/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

namespace espalier {

namespace {

constexpr std::string_view name_begin = ".espalier-part-";
constexpr size_t random_bytes = 16;
constexpr int most_tries = 100; // a name of 128 random bits is free but for an attack

std::string random_name() {
    std::array<unsigned char, random_bytes> bytes{};
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t n = getrandom(bytes.data() + done, bytes.size() - done, 0);
        if (n > 0) done += static_cast<size_t>(n);
        if (n < 0 && errno != EINTR) return {};
    }
    std::string name(name_begin);
    for (const unsigned char b : bytes) {
        name += "0123456789abcdef"[b >> 4U];
        name += "0123456789abcdef"[b & 15U];
    }
    return name;
}

bool is_ours(std::string_view name) {
    return name.size() == name_begin.size() + 2 * random_bytes && name.starts_with(name_begin) &&
           name.find_first_not_of("0123456789abcdef", name_begin.size()) == std::string_view::npos;
}

int open_folder(const std::string& folder) { return ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }

// The kernel's name of a descriptor, by which a file without a name can be given one.
std::string name_of_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

void close_keeping_errno(int fd) {
    const int why = errno;
    if (fd >= 0) ::close(fd);
    errno = why;
}

} // namespace

std::optional<TemporaryFile> TemporaryFile::open(const std::string& folder) {
    auto made = open_nameless(folder);
    return made ? std::move(made) : open_named(folder);
}

std::optional<TemporaryFile> TemporaryFile::open_nameless(const std::string& folder) {
    const int at = open_folder(folder);
    if (at < 0) return std::nullopt;
    const int fd = openat(at, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    // Without /proc it could never get a name.
    if (fd >= 0 && access(name_of_descriptor(fd).c_str(), F_OK) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return TemporaryFile(at, fd, {});
    close_keeping_errno(fd);
    close_keeping_errno(at);
    return std::nullopt;
}

std::optional<TemporaryFile> TemporaryFile::open_named(const std::string& folder) {
    const int at = open_folder(folder);
    if (at < 0) return std::nullopt;
    for (int i = 0; i < most_tries; ++i) {
        std::string name = random_name();
        if (name.empty()) break;
        const int fd = openat(at, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) break;
        // Until it is locked, another run may take it for a leftover, and remove it.
        const bool taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; // some file systems have no locks
        struct stat there {};
        if (!taken && fstat(fd, &there) == 0 && there.st_nlink > 0) return TemporaryFile(at, fd, std::move(name));
        ::close(fd);
    }
    close_keeping_errno(at);
    return std::nullopt;
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)), file_(std::exchange(other.file_, -1)),
      name_(std::exchange(other.name_, {})) {}

TemporaryFile::~TemporaryFile() {
    if (!name_.empty()) unlinkat(folder_, name_.c_str(), 0);
    if (file_ >= 0) ::close(file_);
    if (folder_ >= 0) ::close(folder_);
}

void TemporaryFile::resemble(const std::string& path) {
    struct stat wanted {};
    struct stat is {};
    if (stat(path.c_str(), &wanted) != 0 || fstat(file_, &is) != 0) return;
    const bool other = wanted.st_uid != is.st_uid || wanted.st_gid != is.st_gid;
    // What may not be given away stays with its writer, but never with the powers of another owner.
    const bool owned = !other || fchown(file_, wanted.st_uid, wanted.st_gid) == 0;
    if (fchmod(file_, wanted.st_mode & (owned ? 07777U : 0777U)) != 0) return;
    constexpr const char* access_list = "system.posix_acl_access";
    std::array<char, 4096> list{};
    const ssize_t size = getxattr(path.c_str(), access_list, list.data(), list.size());
    if (size > 0 && owned && fsetxattr(file_, access_list, list.data(), static_cast<size_t>(size), 0) != 0)
        fchmod(file_, wanted.st_mode & 0700U); // rather too few may read it than too many
}

bool TemporaryFile::take_place(const std::string& name) {
    if (name_.empty()) {
        const std::string from = name_of_descriptor(file_);
        if (linkat(AT_FDCWD, from.c_str(), folder_, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST) return false;
        for (int i = 0; i < most_tries && name_.empty(); ++i) {
            const std::string tried = random_name();
            if (tried.empty()) return false;
            if (linkat(AT_FDCWD, from.c_str(), folder_, tried.c_str(), AT_SYMLINK_FOLLOW) == 0)
                name_ = tried;
            else if (errno != EEXIST)
                return false;
        }
        if (name_.empty()) return false;
    }
    if (renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return false;
    name_.clear();
    return true;
}

void clear_leftovers(const std::string& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> all(opendir(folder.c_str()), closedir);
    if (!all) return;
    const int at = dirfd(all.get());
    while (const dirent* entry = readdir(all.get())) {
        if (!is_ours(entry->d_name)) continue;
        const int fd = openat(at, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) continue;
        struct stat there {};
        const bool left = fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_uid == geteuid() &&
                          flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (left) unlinkat(at, entry->d_name, 0);
        ::close(fd);
    }
}

} // namespace espalier
