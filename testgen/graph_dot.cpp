#include "testgen/graph_dot.hpp"

#include <cstdint>
#include <cstdio>

namespace espalier {

namespace {

// The length of the UTF-8 sequence that the text begins with; 0 where it is none, or one that XML does not admit.
size_t sequence_length(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    uint32_t code = first & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fU);
    }
    constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    const bool control = code >= 0x80 && code < 0xa0;
    if (code < least[length] || code > 0x10ffff || surrogate || control || code == 0xfffe || code == 0xffff) return 0;
    return length;
}

// Hands on what can be shown, piece by piece; other bytes as \xNN;.
template <typename Add>
void each_character(std::string_view text, const Add& add) {
    while (!text.empty()) {
        size_t length = sequence_length(text);
        if (length == 0 && text[0] != '\n') {
            char hex[8];
            std::snprintf(hex, sizeof hex, "\\x%x;", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
            for (const char* c = hex; *c != 0; ++c) add(std::string_view(c, 1));
        } else {
            if (length == 0) length = 1;
            add(text.substr(0, length));
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

std::string list(const Attributes& attributes) {
    if (attributes.empty()) return {};
    std::string out = " [";
    for (const auto& [name, value] : attributes) {
        if (out.size() > 2) out += ", ";
        out.append(name).append("=").append(value);
    }
    return out + "]";
}

} // namespace

// Graphviz knows HTML's entities in plain strings too, so `&` is escaped in both.
std::string quoted(std::string_view text, Lines lines) {
    const std::string_view end_of_line = lines == Lines::left ? "\\l" : "\\n";
    std::string out = "\"";
    each_character(text, [&](std::string_view c) {
        if (c == "\n")
            out += end_of_line;
        else if (c == "\"" || c == "\\")
            out.append("\\").append(c);
        else if (c == "&")
            out += "&amp;";
        else
            out += c;
    });
    if (lines == Lines::left && !text.empty() && text.back() != '\n') out += end_of_line;
    return out + "\"";
}

std::string html(std::string_view markup) { return "<" + std::string(markup) + ">"; }

std::string html_text(std::string_view text) {
    std::string out;
    each_character(text, [&](std::string_view c) {
        if (c == "\n")
            out += "<BR ALIGN=\"LEFT\"/>";
        else if (c == "&")
            out += "&amp;";
        else if (c == "<")
            out += "&lt;";
        else if (c == ">")
            out += "&gt;";
        else if (c == "\"")
            out += "&quot;";
        else
            out += c;
    });
    return out.empty() ? " " : out; // markup around nothing is an error
}

std::string shortened(std::string_view text, size_t limit) {
    size_t count = 0;
    size_t cut = 0; // before the last character that has room
    for (size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80) continue;
        if (++count == limit) cut = i;
        if (count > limit) return std::string(text.substr(0, cut)) + "…";
    }
    return std::string(text);
}

Dot::Dot(std::string_view title, const Attributes& graph) : title_("<B>" + html_text(title) + "</B>") {
    out_ = "digraph espalier {\n";
    Attributes all = {{"fontname", "\"Helvetica\""}, {"fontsize", "12"}, {"compound", "true"}};
    all.insert(all.end(), graph.begin(), graph.end());
    line("graph" + list(all));
    line("node [fontname=\"Helvetica\", fontsize=10, shape=box, margin=\"0.08,0.04\", height=0.25]");
    line("edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7]");
}

// Part of the graph's title, so that no layout moves it away.
void Dot::legend(const std::vector<LegendEntry>& entries) {
    std::string cells;
    for (const LegendEntry& e : entries) {
        cells.append("<TD BORDER=\"").append(e.fill == "white" ? "0" : "1").append("\" BGCOLOR=\"").append(e.fill);
        cells.append("\"><FONT COLOR=\"").append(e.ink).append("\">").append(html_text(e.sample));
        cells.append("</FONT></TD><TD BORDER=\"0\">").append(html_text(e.meaning)).append("</TD>");
    }
    title_ = "<TABLE BORDER=\"0\" CELLSPACING=\"4\"><TR><TD BORDER=\"0\" ALIGN=\"LEFT\" COLSPAN=\"" +
             std::to_string(2 * entries.size()) + "\">" + title_ + "</TD></TR><TR>" + cells + "</TR></TABLE>";
}

void Dot::line(std::string_view text) { out_.append(2 * indent_, ' ').append(text).append(";\n"); }

void Dot::begin_cluster(std::string_view id, const Attributes& attributes) {
    out_.append(2 * indent_, ' ').append("subgraph cluster_").append(id).append(" {\n");
    ++indent_;
    line("graph" + list(attributes));
}

void Dot::end_cluster() {
    --indent_;
    out_.append(2 * indent_, ' ').append("}\n");
}

void Dot::node(std::string_view id, const Attributes& attributes) { line(std::string(id) + list(attributes)); }

void Dot::edge(std::string_view from, std::string_view to, const Attributes& attributes) {
    line(std::string(from) + " -> " + std::string(to) + list(attributes));
}

std::string Dot::finish() && {
    line("graph [labelloc=t, labeljust=l, label=" + html(title_) + "]"); // last: clusters would inherit it
    return std::move(out_) + "}\n";
}

} // namespace espalier
