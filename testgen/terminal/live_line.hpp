// One line on a terminal that says how far long work has come; nothing where standard error is no terminal.
#pragma once

#include <chrono>
#include <string>

#include "symexec/symexec.hpp"

namespace espalier {

class LiveLine {
public:
    LiveLine(bool wanted, size_t targets, std::string label = {});
    ~LiveLine();
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;
    // Each at most ten times a second.
    void show(const Progress& progress);
    void show(const std::string& text); // after the time
    void clear();                       // before something else is printed

private:
    using Clock = std::chrono::steady_clock;
    bool on_;
    bool shown_ = false;
    size_t targets_;
    std::string label_;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

} // namespace espalier
