// The effects of an execution behind one interface: a process to talk with, and a clock. Tests have one of their own,
// and need neither.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace espalier {

struct AdapterLine {
    std::string text; // without its end
};
struct AdapterClosed {
    std::string how; // "exited with status 3"
};
struct AdapterLineTooLong {
    size_t limit = 0;
};
struct NothingCame {};
struct Interrupted {}; // a signal or a limit asks for the end
using AdapterEvent = std::variant<AdapterLine, AdapterClosed, AdapterLineTooLong, NothingCame, Interrupted>;

class Adapter {
public:
    Adapter() = default;
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;
    virtual ~Adapter() = default;

    virtual double now() = 0;        // seconds, of a clock that only goes forward
    virtual std::string start() = 0; // empty, or why it cannot be started
    // Never blocks: what the adapter does not read yet is kept, and written while `receive` waits.
    virtual void send(const std::string& line) = 0;
    // The next that it says, or NothingCame when the clock reaches `deadline`.
    virtual AdapterEvent receive(double deadline) = 0;
    // Tells it that nothing more comes, lets it finish for so long, and ends it. Empty, or how it ended where that was
    // not well.
    virtual std::string finish(double grace) = 0;
    // Ends it at once, and all that it started.
    virtual void kill() = 0;
    virtual std::vector<std::string> last_words() const = 0; // the last lines of its standard error
};

// No line of an adapter's is longer; one that is ends the conversation before it fills the memory.
inline constexpr size_t longest_adapter_line = size_t{4} << 20U;

// `stopped` is asked several times a second. Lines of its standard error go to `said`.
struct AdapterCommand {
    std::vector<std::string> words; // never seen by a shell
    std::function<bool()> stopped;
    std::function<void(const std::string& line)> said;
};
std::unique_ptr<Adapter> adapter_process(AdapterCommand command);

} // namespace espalier
