#include "testgen/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace espalier {

namespace {

std::string failure(const std::string& path) { return "cannot write `" + path + "`: " + std::strerror(errno); }

std::string temporary_for(const std::string& path) { return path + ".part" + std::to_string(getpid()); }

bool is_special(const std::string& path) {
    struct stat there {};
    return stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

// A file larger than a limit (`ulimit -f`) is an error like a full disk, and not the end of the program.
class NoFileSizeSignal {
public:
    NoFileSizeSignal() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGXFSZ, &ignore, &before_);
    }
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;
    ~NoFileSizeSignal() { sigaction(SIGXFSZ, &before_, nullptr); }

private:
    struct sigaction before_ {};
};

} // namespace

std::string check_writable(const std::string& path) {
    if (is_special(path)) { // opening a pipe would wait for its reader
        if (access(path.c_str(), W_OK) != 0) return failure(path);
        struct stat there {};
        if (stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) {
            errno = EISDIR;
            return failure(path);
        }
        return {};
    }
    const std::string temporary = temporary_for(path);
    const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return failure(path);
    close(fd);
    unlink(temporary.c_str());
    return {};
}

std::string write_file(const std::string& path, std::string_view content) {
    return write_file(path, [&](const Sink& sink) { sink(content); });
}

std::string write_file(const std::string& path, const std::function<void(const Sink&)>& produce) {
    const bool special = is_special(path); // a device or a pipe cannot be replaced: it is written to as it is
    const std::string file = special ? path : temporary_for(path);
    const int fd = open(file.c_str(), O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC), 0666);
    if (fd < 0) return failure(path);
    const NoFileSizeSignal no_signal;
    std::string problem;
    produce([&](std::string_view part) {
        for (size_t done = 0; done < part.size() && problem.empty();) {
            const ssize_t n = write(fd, part.data() + done, part.size() - done);
            if (n < 0 && errno != EINTR) problem = failure(path);
            if (n > 0) done += static_cast<size_t>(n);
        }
    });
    if (!special && problem.empty() && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) problem = failure(path);
    if (close(fd) != 0 && problem.empty()) problem = failure(path);
    if (special) return problem;
    if (problem.empty() && rename(file.c_str(), path.c_str()) != 0) problem = failure(path);
    if (!problem.empty()) unlink(file.c_str());
    return problem;
}

} // namespace espalier
