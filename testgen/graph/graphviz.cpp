#include "testgen/graph/graphviz.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "testgen/text/ignored_signal.hpp"

namespace espalier {

namespace {

class Pipe {
public:
    Pipe() { open_ = pipe2(ends_, O_CLOEXEC) == 0; }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool is_open() const { return open_; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_end(int which) {
        if (open_ && ends_[which] >= 0) close(ends_[which]);
        ends_[which] = -1;
    }

private:
    int ends_[2] = {-1, -1};
    bool open_ = false;
};

int start_dot(const Pipe& to, const Pipe& from, pid_t& child) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to.read_end(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, from.write_end(), STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::string words[] = {"dot", "-Tsvg"};
    char* arguments[] = {words[0].data(), words[1].data(), nullptr};
    const int error = posix_spawnp(&child, "dot", &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

// Writes and reads as the child is ready for either, so that neither waits for the other.
std::string exchange(Pipe& to, Pipe& from, std::string_view input) {
    std::string output;
    fcntl(to.write_end(), F_SETFL, O_NONBLOCK);
    char buffer[1 << 16];
    for (;;) {
        if (input.empty()) to.close_end(1);
        pollfd ends[] = {{from.read_end(), POLLIN, 0}, {to.write_end(), POLLOUT, 0}};
        if (poll(ends, input.empty() ? 1 : 2, -1) < 0 && errno != EINTR) break;
        if (!input.empty() && ends[1].revents != 0) {
            const ssize_t n = write(to.write_end(), input.data(), input.size());
            if (n > 0)
                input.remove_prefix(static_cast<size_t>(n));
            else if (n < 0 && errno != EAGAIN && errno != EINTR)
                input = {}; // it reads no more
        }
        if (ends[0].revents == 0) continue;
        const ssize_t n = read(from.read_end(), buffer, sizeof buffer);
        if (n > 0)
            output.append(buffer, static_cast<size_t>(n));
        else if (n == 0 || errno != EINTR)
            break;
    }
    return output;
}

} // namespace

Result<std::string> render_svg(std::string_view dot) {
    const IgnoredSignal broken_pipe(SIGPIPE); // when the child has ended early, writing to it fails
    Pipe to;
    Pipe from;
    if (!to.is_open() || !from.is_open()) return Problem{std::string("cannot make a pipe: ") + std::strerror(errno)};
    pid_t child = -1;
    const int error = start_dot(to, from, child);
    if (error == ENOENT) return Problem{"graphviz is needed for SVG: apt-get install graphviz"};
    if (error != 0) return Problem{std::string("cannot start graphviz's `dot`: ") + std::strerror(error)};
    to.close_end(0);
    from.close_end(1);
    std::string image = exchange(to, from, dot);
    to.close_end(1);
    from.close_end(0);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || image.empty())
        return Problem{"graphviz's `dot` could not draw the graph"};
    return image;
}

} // namespace espalier
