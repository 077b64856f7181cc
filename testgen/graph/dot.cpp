#include "testgen/graph/dot.hpp"

#include "testgen/text/escapes.hpp"

namespace espalier {

namespace {

// Each line as `escaped` writes it, with `end_of_line` between them.
std::string in_lines(std::string_view text, std::string (*escaped)(std::string_view), std::string_view end_of_line) {
    std::string out;
    while (true) {
        const size_t end = text.find('\n');
        out += escaped(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += end_of_line;
        text.remove_prefix(end + 1);
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

std::string quoted(std::string_view text, Lines lines) {
    const std::string_view end_of_line = lines == Lines::left ? "\\l" : "\\n";
    std::string out = "\"" + in_lines(text, dot_string, end_of_line);
    if (lines == Lines::left && !text.empty() && text.back() != '\n') out += end_of_line;
    return out + "\"";
}

std::string html(std::string_view markup) { return "<" + std::string(markup) + ">"; }

std::string html_lines(std::string_view text) {
    return text.empty() ? " " : in_lines(text, html_text, "<BR ALIGN=\"LEFT\"/>"); // markup around nothing is an error
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

Dot::Dot(std::string_view title, const Attributes& graph) : title_("<B>" + html_lines(title) + "</B>") {
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
        cells.append("\"><FONT COLOR=\"").append(e.ink).append("\">").append(html_lines(e.sample));
        cells.append("</FONT></TD><TD BORDER=\"0\">").append(html_lines(e.meaning)).append("</TD>");
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
