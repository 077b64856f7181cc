#include "testgen/terminal/live_line.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace espalier {

LiveLine::LiveLine(bool wanted, size_t targets, std::string label)
    : on_(wanted && isatty(STDERR_FILENO) != 0), targets_(targets), label_(std::move(label)) {}

LiveLine::~LiveLine() { clear(); }

void LiveLine::clear() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

void LiveLine::show(const std::string& text) {
    if (!on_) return;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%s%.1f s, %s", label_.c_str(), std::chrono::duration<double>(now - start_).count(),
                 text.c_str());
    std::fflush(stderr);
}

void LiveLine::show(const Progress& p) {
    if (!on_) return;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%zu of %zu covered, %llu paths, %zu waiting, %llu queries, %.0f %% cut",
                  p.covered, targets_, static_cast<unsigned long long>(p.paths), p.waiting,
                  static_cast<unsigned long long>(p.sat_queries), p.cut_percent);
    show(std::string(text.data()));
}

} // namespace espalier
