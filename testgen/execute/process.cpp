// An adapter as a process: started without a shell, in a group of its own (so that a Ctrl-C at the terminal is ours to
// handle, and everything that it started can be ended with it), spoken with through pipes that never block. What it has
// started and put into other groups becomes a child of ours when its parent ends, and is ended too.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include "testgen/execute/adapter.hpp"
#include "testgen/execute/orphans.hpp"
#include "testgen/text/ignored_signal.hpp"

extern char** environ;

namespace espalier {

namespace {

constexpr double slice = 0.1; // seconds after which a signal is heard at the latest
constexpr size_t most_last_words = 10;
constexpr size_t longest_said = 2000; // of a line of standard error

double clock_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Descriptor {
public:
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    bool open() const { return fd_ >= 0; }
    void set(int fd) {
        close();
        fd_ = fd;
    }
    void close() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_ = -1;
};

bool make_pipe(Descriptor& read_end, Descriptor& write_end) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end.set(ends[0]);
    write_end.set(ends[1]);
    return true;
}

void never_block(const Descriptor& d) { fcntl(d.get(), F_SETFL, fcntl(d.get(), F_GETFL) | O_NONBLOCK); }

std::string how_it_ended(int status) {
    if (WIFEXITED(status)) return "exited with status " + std::to_string(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

class Process : public Adapter {
public:
    explicit Process(AdapterCommand command) : command_(std::move(command)) { adopt_orphans(); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() override { end_group(); }

    double now() override { return clock_seconds(); }
    std::vector<std::string> last_words() const override { return {words_.begin(), words_.end()}; }

    std::string start() override {
        end_group();
        to_write_.clear();
        line_.clear();
        error_line_.clear();
        words_.clear();
        looked_at_ = 0;
        Descriptor in, out, err;
        if (!make_pipe(in, in_) || !make_pipe(out_, out) || !make_pipe(err_, err)) return std::strerror(errno);
        never_block(in_);
        never_block(out_);
        never_block(err_);
        const int problem = spawn(in.get(), out.get(), err.get());
        if (problem == 0) return {};
        child_ = -1;
        close_all();
        return std::strerror(problem);
    }

    void send(const std::string& line) override { to_write_ += line + "\n"; }

    AdapterEvent receive(double deadline) override {
        while (true) {
            if (auto event = buffered()) return *event;
            if (command_.stopped()) return Interrupted{};
            if (!out_.open()) return closed();
            const double left = deadline - now();
            if (left <= 0 && polled_) {
                polled_ = false;
                return NothingCame{};
            }
            exchange(std::clamp(left, 0.0, slice));
            polled_ = true; // what is there already is seen even when no time is left
        }
    }

    std::string finish(double grace) override {
        if (child_ < 0) return {};
        to_write_.clear();
        in_.close();
        const double deadline = now() + grace;
        while (!ended() && now() < deadline && !command_.stopped()) {
            exchange(0.02);
            line_.clear();
            looked_at_ = 0;
        }
        if (!ended()) {
            const bool asked = command_.stopped();
            end_group();
            return asked ? "" : "did not end when its input did, and was killed";
        }
        read_errors();
        const int status = end_rest();
        close_all();
        return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : how_it_ended(status);
    }

    void kill() override { end_group(); }

private:
    int spawn(int in, int out, int err) {
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
        sigset_t defaults, mask;
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        sigemptyset(&mask);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setsigmask(&attributes, &mask);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        std::vector<char*> arguments;
        for (std::string& word : command_.words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const int problem = posix_spawnp(&child_, arguments[0], &files, &attributes, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
        return problem;
    }

    // A whole line that has come, or one that is too long already.
    std::optional<AdapterEvent> buffered() {
        const size_t end = line_.find('\n', looked_at_);
        if (end == std::string::npos) {
            looked_at_ = line_.size();
            if (line_.size() > longest_adapter_line) return AdapterLineTooLong{longest_adapter_line};
            return std::nullopt;
        }
        if (end > longest_adapter_line) return AdapterLineTooLong{longest_adapter_line};
        AdapterLine made{line_.substr(0, end)};
        line_.erase(0, end + 1);
        looked_at_ = 0;
        if (made.text.ends_with('\r')) made.text.pop_back();
        return made;
    }

    // Waits, and moves what can be moved, both ways.
    void exchange(double seconds) {
        std::array<pollfd, 3> polled{};
        polled[0] = {out_.get(), POLLIN, 0}; // a negative descriptor is passed over
        polled[1] = {err_.get(), POLLIN, 0};
        polled[2] = {to_write_.empty() ? -1 : in_.get(), POLLOUT, 0};
        if (poll(polled.data(), polled.size(), static_cast<int>(std::ceil(seconds * 1000))) <= 0) return;
        if (polled[0].revents != 0) read_some(out_, line_);
        if (polled[1].revents != 0) read_errors();
        if (polled[2].revents != 0) write_some();
    }

    static bool read_some(Descriptor& from, std::string& to) {
        std::array<char, 65536> buffer{};
        const ssize_t n = read(from.get(), buffer.data(), buffer.size());
        if (n > 0) to.append(buffer.data(), static_cast<size_t>(n));
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) from.close();
        return n > 0;
    }

    void write_some() {
        const IgnoredSignal broken_pipe(SIGPIPE); // when the adapter is gone, writing says so
        const ssize_t n = write(in_.get(), to_write_.data(), to_write_.size());
        if (n > 0) to_write_.erase(0, static_cast<size_t>(n));
        if (n < 0 && errno != EAGAIN && errno != EINTR) { // it reads no more; whether that matters, its answers show
            to_write_.clear();
            in_.close();
        }
    }

    void read_errors() {
        if (!err_.open() || !read_some(err_, error_line_)) return;
        for (size_t end = error_line_.find('\n'); end != std::string::npos; end = error_line_.find('\n')) {
            say(error_line_.substr(0, end));
            error_line_.erase(0, end + 1);
        }
        if (error_line_.size() <= longest_said) return;
        say(error_line_);
        error_line_.clear();
    }

    void say(std::string line) {
        if (line.size() > longest_said) line = line.substr(0, longest_said) + "…";
        words_.push_back(line);
        if (words_.size() > most_last_words) words_.pop_front();
        command_.said(line);
    }

    // Its standard output is at its end: why?
    AdapterEvent closed() {
        const double deadline = now() + 1; // an exit follows the end of the output after a moment
        while (!ended() && now() < deadline && !command_.stopped()) exchange(0.01);
        while (err_.open() && read_errors_at_once()) {
        }
        if (!error_line_.empty()) say(std::exchange(error_line_, {}));
        if (!ended()) return AdapterClosed{"closed its standard output"};
        return AdapterClosed{how_it_ended(end_rest())};
    }

    bool read_errors_at_once() {
        pollfd one{err_.get(), POLLIN, 0};
        if (poll(&one, 1, 0) <= 0) return false;
        const size_t before = error_line_.size() + words_.size();
        read_errors();
        return err_.open() && before != error_line_.size() + words_.size();
    }

    bool ended() const {
        if (child_ < 0) return true;
        siginfo_t info{};
        return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
    }

    // Ends what is left of it and of all that it started. While the process is not reaped its number is its own, and so
    // is that of its group.
    int end_rest() {
        ::kill(-child_, SIGKILL);
        int status = 0;
        while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
        end_orphans();
        return status;
    }

    void end_group() {
        if (child_ >= 0) {
            if (!ended()) {
                ::kill(-child_, SIGTERM);
                const double deadline = now() + 0.5;
                while (!ended() && now() < deadline) {
                    exchange(0.02);
                    line_.clear();
                    looked_at_ = 0;
                }
            }
            end_rest();
        }
        close_all();
    }

    void close_all() {
        in_.close();
        out_.close();
        err_.close();
    }

    AdapterCommand command_;
    pid_t child_ = -1;
    Descriptor in_, out_, err_; // of the adapter's
    std::string to_write_;
    std::string line_, error_line_; // what has come of the next line
    size_t looked_at_ = 0;          // of line_: no end of a line before this
    bool polled_ = false;
    std::deque<std::string> words_;
};

} // namespace

std::unique_ptr<Adapter> adapter_process(AdapterCommand command) {
    return std::make_unique<Process>(std::move(command));
}

} // namespace espalier
