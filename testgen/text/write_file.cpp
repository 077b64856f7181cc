#include "testgen/text/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "testgen/text/escapes.hpp"
#include "testgen/text/file_identity.hpp"
#include "testgen/text/ignored_signal.hpp"
#include "testgen/text/temporary_file.hpp"

namespace espalier {

namespace {

std::string failure(const std::string& path) {
    const char* const why = std::strerror(errno);
    return "cannot write `" + printable(path) + "`: " + why;
}

bool is_special(const std::string& path) {
    struct stat there {};
    return stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

// Empty, or what went wrong.
std::string write_to(int fd, const std::string& path, const std::function<void(const Sink&)>& produce) {
    const IgnoredSignal too_large(SIGXFSZ); // over a limit (`ulimit -f`) is an error like a full disk
    std::string problem;
    produce([&](std::string_view part) {
        for (size_t done = 0; done < part.size() && problem.empty();) {
            const ssize_t n = write(fd, part.data() + done, part.size() - done);
            if (n < 0 && errno != EINTR) problem = failure(path);
            if (n > 0) done += static_cast<size_t>(n);
        }
    });
    return problem;
}

// A device or a pipe cannot be replaced: it is written to as it is. What is open already is written where it stands, so
// that it comes in order with what is written there otherwise.
std::string write_as_it_is(const std::string& path, const std::function<void(const Sink&)>& produce) {
    const auto own = own_descriptor(path);
    if (own) std::fflush(nullptr);
    const int fd = own ? fcntl(*own, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return failure(path);
    std::string problem = write_to(fd, path, produce);
    if (close(fd) != 0 && problem.empty()) problem = failure(path);
    return problem;
}

} // namespace

std::string check_writable(const std::string& path) {
    if (own_descriptor(path)) return {};
    if (is_special(path)) { // opening a pipe would wait for its reader
        if (access(path.c_str(), W_OK) != 0) return failure(path);
        struct stat there {};
        if (stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) {
            errno = EISDIR;
            return failure(path);
        }
        return {};
    }
    const auto file = without_links(path);
    if (!file) return failure(path);
    if (is_regular(*file) && faccessat(AT_FDCWD, file->c_str(), W_OK, AT_EACCESS) != 0) return failure(path);
    clear_leftovers(folder_of(*file));
    return TemporaryFile::open(folder_of(*file)) ? "" : failure(path);
}

std::string write_file(const std::string& path, std::string_view content) {
    return write_file(path, [&](const Sink& sink) { sink(content); });
}

std::string write_file(const std::string& path, const std::function<void(const Sink&)>& produce, Lasting lasting) {
    if (own_descriptor(path) || is_special(path)) return write_as_it_is(path, produce);
    const auto file = without_links(path);
    if (!file) return failure(path);
    auto temporary = TemporaryFile::open(folder_of(*file));
    if (!temporary) return failure(path);
    if (std::string problem = write_to(temporary->fd(), path, produce); !problem.empty()) return problem;
    temporary->resemble(*file);
    const bool synced = lasting == Lasting::in_cache || fsync(temporary->fd()) == 0;
    if (!synced && errno != EINVAL && errno != EROFS) return failure(path);
    return temporary->take_place(name_in_folder(*file)) ? "" : failure(path);
}

} // namespace espalier
