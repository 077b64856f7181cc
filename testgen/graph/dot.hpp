// Writes Graphviz's DOT language, and nothing that Graphviz or a reader of SVG would stumble over.
//
//   Dot dot("turnstile.scm");
//   dot.begin_cluster("m0", {{"label", quoted("turnstile")}});
//   dot.node("s0", {{"label", quoted("locked")}, {"shape", "box"}});
//   dot.end_cluster();
//   dot.edge("s0", "s0", {{"label", quoted("push\nagain")}});
//   std::fputs(dot.finish().c_str(), stdout);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

// A name, and a value as DOT writes it: a plain word or number, quoted(), or html().
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// Text from anywhere as a DOT string; a newline breaks the line.
enum class Lines : uint8_t { centred, left };
std::string quoted(std::string_view text, Lines lines = Lines::centred);
// Markup as a DOT value, and text from anywhere for use inside it, in lines.
std::string html(std::string_view markup);
std::string html_lines(std::string_view text);
// At most so many characters, the last one a … where some are missing.
std::string shortened(std::string_view text, size_t limit);

// What a colour or a kind of line means.
struct LegendEntry {
    std::string_view fill, ink; // colours
    std::string_view sample;
    std::string_view meaning;
};

class Dot {
public:
    explicit Dot(std::string_view title, const Attributes& graph = {});
    void legend(const std::vector<LegendEntry>& entries);
    void begin_cluster(std::string_view id, const Attributes& attributes);
    void end_cluster();
    void node(std::string_view id, const Attributes& attributes);
    void edge(std::string_view from, std::string_view to, const Attributes& attributes = {});
    std::string finish() &&;

private:
    void line(std::string_view text);

    std::string out_;
    std::string title_;
    size_t indent_ = 1;
};

} // namespace espalier
