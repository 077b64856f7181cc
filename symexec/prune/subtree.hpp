// All that comes of a stable state, and whether it has been explored.
#pragma once

#include <memory>
#include <utility>

namespace espalier::sym {

// It is finished when no state of it is left, and nothing in it was left open.
class Subtree {
public:
    struct Progress {
        bool finished = false, open = false;
    };
    explicit Subtree(std::shared_ptr<Subtree> above)
        : progress(std::make_shared<Progress>()), above_(std::move(above)) {}
    ~Subtree();
    Subtree(const Subtree&) = delete;
    Subtree& operator=(const Subtree&) = delete;

    void leave_open(); // and so what it is a part of
    const std::shared_ptr<Progress> progress;

private:
    void settle() { progress->finished = !progress->open; }
    std::shared_ptr<Subtree> above_;
};

} // namespace espalier::sym
