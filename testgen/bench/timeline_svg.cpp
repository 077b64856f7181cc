// Figure 6.1 of the thesis: how many targets are covered after how many seconds, a line for each way to search.
//
// Most targets are found at once and the last ones take long, often a thousand times as long: where a linear axis would
// show a wall and a plateau, time is drawn to a logarithmic scale.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "testgen/bench/bench.hpp"
#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

constexpr double left = 72, right = 24, top = 56, plot_width = 640, plot_height = 320, line_height = 20;
constexpr size_t colours = 6;

// Readable on a light and on a dark page; colours of one pair differ in lightness too.
constexpr const char* style = R"(<style>
text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.page { fill: #ffffff }
.grid { stroke: #d8dee4; stroke-width: 1 }
.axis { stroke: #57606a; stroke-width: 1; fill: none }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
.mark { fill: none; stroke-width: 1.5 }
.c0 { stroke: #bc4c00 } .c1 { stroke: #0550ae } .c2 { stroke: #1a7f37 }
.c3 { stroke: #8250df } .c4 { stroke: #9a6700 } .c5 { stroke: #bf3989 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .page { fill: #0d1117 }
  .grid { stroke: #2d333b }
  .axis { stroke: #9da7b3 }
  .c0 { stroke: #ffa657 } .c1 { stroke: #79c0ff } .c2 { stroke: #7ee787 }
  .c3 { stroke: #d2a8ff } .c4 { stroke: #e3b341 } .c5 { stroke: #ff9bce }
}
</style>
)";

std::string fixed(double n, int digits = 1) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, n);
    return text.data();
}

// As short as it is exact: 0.001, 0.5, 20.
std::string tick_text(double n) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", n);
    return text.data();
}

std::string seconds_text(double s) { return s < 1 ? fixed(s, 3) : s < 10 ? fixed(s, 2) : fixed(s, 1); }

// 1, 2 or 5 times a power of ten, so that at most so many steps lead to the end.
double round_step(double end, int most) {
    double step = std::pow(10, std::floor(std::log10(end / most)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (end / (step * factor) <= most) return step * factor;
    return step * 10;
}

class TimeAxis {
public:
    explicit TimeAxis(const std::vector<const BenchRun*>& runs) {
        double first = 1e9, half = 0; // when the first was covered, and half of all
        for (const BenchRun* run : runs) {
            end_ = std::max(end_, run->seconds);
            if (run->timeline.empty()) continue;
            first = std::min(first, run->timeline.front());
            half = std::max(half, run->timeline[run->timeline.size() / 2]);
        }
        is_log_ = half > 0 && end_ > 50 * half;
        if (!is_log_) return;
        begin_ = std::pow(10, std::floor(std::log10(std::max(first, 1e-3))));
        end_ = std::max(end_, 10 * begin_);
    }

    double at(double seconds) const {
        const double share = is_log_ ? std::log(std::max(seconds, begin_) / begin_) / std::log(end_ / begin_)
                                     : (end_ > 0 ? seconds / end_ : 0);
        return left + share * plot_width;
    }
    std::vector<double> ticks() const {
        std::vector<double> all;
        if (is_log_) {
            for (double t = begin_; t <= end_ * 1.0001; t *= 10) all.push_back(t);
        } else if (end_ > 0) {
            const double step = round_step(end_, 8);
            for (int i = 0; i * step <= end_ * 1.0001; ++i) all.push_back(i * step);
        }
        return all;
    }
    std::vector<double> small_ticks() const {
        std::vector<double> all;
        for (double t = begin_; is_log_ && t <= end_; t *= 10)
            for (int i = 2; i < 10 && i * t <= end_; ++i) all.push_back(i * t);
        return all;
    }
    bool is_log() const { return is_log_; }

private:
    double begin_ = 0, end_ = 0;
    bool is_log_ = false;
};

class Figure {
public:
    Figure(const std::vector<BenchConfiguration>& configurations, const BenchColumn& column)
        : column_(column), lines_(lines_of(configurations, column)), time_(runs_of(lines_)) {
        for (const Line& l : lines_) targets_ = std::max(targets_, l.run->covered.size());
    }

    std::string draw() {
        const double width = left + plot_width + right;
        const double height = top + plot_height + 66 + line_height * static_cast<double>(lines_.size());
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(width, 0) + " " + fixed(height, 0) +
               "\" width=\"" + fixed(width, 0) + "\" height=\"" + fixed(height, 0) + "\" role=\"img\">\n";
        const std::string title =
            "Covered targets over time: " + xml_text(column_.model) + ", depth " + std::to_string(column_.depth.depth);
        out_ += "<title>" + title + "</title>\n" + style;
        out_ += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
        text(left, 32, title, "title");
        axes();
        for (size_t i = 0; i < lines_.size(); ++i) line(i);
        return std::move(out_) + "</svg>\n";
    }

private:
    struct Line {
        const BenchConfiguration* configuration;
        const BenchRun* run;
    };
    static std::vector<Line> lines_of(const std::vector<BenchConfiguration>& configurations,
                                      const BenchColumn& column) {
        std::vector<Line> lines;
        for (size_t i = 0; i < column.runs.size(); ++i)
            if (!column.runs[i].empty() && !is_component(configurations[i]))
                lines.push_back({&configurations[i], &column.runs[i].front()});
        return lines;
    }
    static std::vector<const BenchRun*> runs_of(const std::vector<Line>& lines) {
        std::vector<const BenchRun*> runs;
        for (const Line& l : lines) runs.push_back(l.run);
        return runs;
    }

    double y(size_t covered) const {
        const double share = static_cast<double>(covered) / static_cast<double>(std::max(targets_, size_t{1}));
        return top + plot_height * (1 - share);
    }

    void text(double x, double at_y, const std::string& what, const char* class_name = nullptr,
              const char* anchor = "start") {
        out_ += "<text x=\"" + fixed(x) + "\" y=\"" + fixed(at_y) + "\" text-anchor=\"" + anchor + "\"" +
                (class_name == nullptr ? "" : " class=\"" + std::string(class_name) + "\"") + ">" + what + "</text>\n";
    }
    void path(const std::string& class_name, const std::string& d) {
        out_ += "<path class=\"" + class_name + "\" d=\"" + d + "\"/>\n";
    }

    void axes() {
        const double bottom = top + plot_height;
        for (const double t : time_.ticks()) {
            path("grid", "M" + fixed(time_.at(t)) + " " + fixed(top) + "V" + fixed(bottom));
            path("axis", "M" + fixed(time_.at(t)) + " " + fixed(bottom) + "v6");
            text(time_.at(t), bottom + 20, tick_text(t), nullptr, "middle");
        }
        for (const double t : time_.small_ticks()) path("axis", "M" + fixed(time_.at(t)) + " " + fixed(bottom) + "v3");
        const double step = std::max(1.0, round_step(static_cast<double>(std::max(targets_, size_t{1})), 8));
        for (size_t n = 0; n <= targets_; n += static_cast<size_t>(step)) {
            path("grid", "M" + fixed(left) + " " + fixed(y(n)) + "h" + fixed(plot_width));
            path("axis", "M" + fixed(left) + " " + fixed(y(n)) + "h-6");
            text(left - 10, y(n) + 4, std::to_string(n), nullptr, "end");
        }
        path("axis", "M" + fixed(left) + " " + fixed(top) + "V" + fixed(bottom) + "h" + fixed(plot_width));
        text(left + plot_width / 2, bottom + 42,
             std::string("seconds, the flow analysis included") + (time_.is_log() ? " (logarithmic)" : ""), nullptr,
             "middle");
        out_ += "<text transform=\"translate(20 " + fixed(top + plot_height / 2) +
                ") rotate(-90)\" text-anchor=\"middle\">covered of " + std::to_string(targets_) + " targets</text>\n";
    }

    void mark(size_t i, double x, double at_y) {
        const std::string class_name = "mark c" + std::to_string(i % colours);
        const std::string at = "M" + fixed(x) + " " + fixed(at_y);
        path(class_name, i == 0 ? at + "m-4 0l4 -4l4 4l-4 4z" : at + "m-4 0h8m-4 -4v8"); // as in the thesis
    }

    void line(size_t i) {
        const BenchRun& run = *lines_[i].run;
        std::string d = "M" + fixed(time_.at(0)) + " " + fixed(y(0));
        for (size_t n = 0; n < run.timeline.size(); ++n)
            d += "H" + fixed(time_.at(run.timeline[n])) + "V" + fixed(y(n + 1));
        path("line c" + std::to_string(i % colours), d + "H" + fixed(time_.at(run.seconds)));
        // Not where they would hide each other.
        double last_x = -100, last_y = -100;
        for (size_t n = 0; n < run.timeline.size(); ++n) {
            const double x = time_.at(run.timeline[n]), at_y = y(n + 1);
            if (std::hypot(x - last_x, at_y - last_y) < 14) continue;
            mark(i, x, at_y);
            last_x = x;
            last_y = at_y;
        }
        mark(i, time_.at(run.seconds), y(run.timeline.size()));
        legend(i, run);
    }

    void legend(size_t i, const BenchRun& run) {
        const double at_y = top + plot_height + 70 + line_height * static_cast<double>(i);
        path("line c" + std::to_string(i % colours), "M" + fixed(left) + " " + fixed(at_y - 4) + "h32");
        mark(i, left + 16, at_y - 4);
        const std::string end =
            run.complete ? "ends after " : "ended by the " + xml_text(to_text(run.ended_by)) + " after ";
        text(left + 42, at_y,
             xml_text(lines_[i].configuration->meaning) + ": " + std::to_string(run.timeline.size()) + " covered, " +
                 end + seconds_text(run.seconds) + " s");
    }

    const BenchColumn& column_;
    std::vector<Line> lines_;
    TimeAxis time_;
    size_t targets_ = 0;
    std::string out_;
};

} // namespace

std::string timeline_svg(const std::vector<BenchConfiguration>& configurations, const BenchColumn& column) {
    return Figure(configurations, column).draw();
}

} // namespace espalier
