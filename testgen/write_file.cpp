#include "testgen/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace espalier {

std::string write_file(const std::string& path, std::string_view content) {
    auto failure = [&](const char* what) {
        return std::string("cannot ") + what + " `" + path + "`: " + std::strerror(errno);
    };
    struct stat there {};
    if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
        // A device or a pipe cannot be replaced: write to it as it is.
        const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) return failure("open");
        std::string problem;
        for (size_t done = 0; done < content.size();) {
            const ssize_t n = write(fd, content.data() + done, content.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) {
                problem = failure("write");
                break;
            }
            done += static_cast<size_t>(n);
        }
        close(fd);
        return problem;
    }
    const std::string temporary = path + ".part" + std::to_string(getpid());
    const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return failure("write");
    std::string problem;
    for (size_t done = 0; done < content.size() && problem.empty();) {
        const ssize_t n = write(fd, content.data() + done, content.size() - done);
        if (n < 0 && errno != EINTR) problem = failure("write");
        if (n > 0) done += static_cast<size_t>(n);
    }
    if (problem.empty() && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) problem = failure("write");
    if (close(fd) != 0 && problem.empty()) problem = failure("write");
    if (problem.empty() && rename(temporary.c_str(), path.c_str()) != 0) problem = failure("write");
    if (!problem.empty()) unlink(temporary.c_str());
    return problem;
}

} // namespace espalier
